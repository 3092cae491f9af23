// Keys with a policy and trailing stops, set up in the terminal.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newKey } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { order, TradingDesk, tab } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

async function agentsOf(page: Page): Promise<void> {
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agents' }).click()
}

test('a key is bound with a policy, and the page shows the possible loss', async () => {
  const page = await desk.visit()
  const bot = newKey().address
  await agentsOf(page)
  await page.getByRole('button', { name: 'Bind a key with a policy' }).click()
  await page.getByLabel('Address of the key').fill(bot)
  const estimate = page.locator('.policy [role=status]')
  assert.match(await estimate.innerText(), /about 400 USD a day in each market/)
  await page.getByLabel('Markets; empty: all').fill('btc ETH')
  await page.getByLabel('Loss of a day').fill('much')
  await page.locator('.policy').getByText('The loss of a day is not a number').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Bind it' }).isDisabled())
  await page.getByLabel('Loss of a day').fill('50')
  assert.match(await estimate.innerText(), /about 350 USD a day in each of BTC, ETH/)
  await page.getByRole('button', { name: 'Bind it' }).click()
  const row = page.locator(`[data-agent="${bot}"]`)
  await row
    .getByText(/BTC, ETH; never worse than 2 % beyond the mark; positions to 5,000 USD/)
    .waitFor()
  await row.getByRole('button', { name: 'Policy' }).click()
  await row.getByLabel('Value of a position').fill('')
  assert.match(await row.locator('[role=status]').innerText(), /^No bound/)
  await row.getByRole('button', { name: 'Take the policy away' }).click()
  await row.getByText(/lose the whole account/).waitFor()
  await row.getByRole('button', { name: 'Revoke' }).click()
  await row.getByRole('button', { name: 'Revoke it' }).click()
  await row.waitFor({ state: 'detached' })
})

test('a key with a policy closes and reverses within the slippage of the policy', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.02' })
  await tab(page, /Positions \(1\)/).click()
  await page.locator('body').press('Escape')
  await agentsOf(page)
  await page.getByRole('button', { name: /Make an agent/ }).click()
  await page.getByText('signs here').waitFor()
  await page.getByRole('button', { name: 'Policy', exact: true }).click()
  await page.getByLabel('Never worse than the mark by').fill('1.5')
  await page.getByRole('button', { name: 'Set the policy' }).click()
  await page.getByText(/never worse than 1.5 % beyond the mark/).waitFor()
  await page.keyboard.press('Escape')
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/orders/create_market')) return
    const { amount, slippage_percent } = request.postDataJSON() as Record<string, string>
    sent.push([amount, slippage_percent])
  })
  const dialog = page.getByRole('dialog')
  const bound = dialog.getByText(/no worse than 1.5 % from the mark/)
  await page.getByRole('button', { name: 'Reverse' }).click()
  await bound.waitFor()
  await dialog.getByRole('button', { name: 'Reverse' }).click()
  await page.locator('table').getByText('Short').waitFor()
  await page.getByRole('button', { name: 'Close all' }).click()
  await bound.waitFor()
  await dialog.getByRole('button', { name: 'Close all' }).click()
  await tab(page, /Positions$/).waitFor()
  await order(page, 'Market', { Size: '0.02' })
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await tab(page, /Positions$/).waitFor()
  assert.deepEqual(sent, [
    ['0.04', '1.5'],
    ['0.02', '1.5'],
    ['0.02', '1'],
    ['0.02', '1.5'],
  ])
})

test('a trailing stop is set in the ticket, and its line moves with the mark', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  await tab(page, /Positions \(1\)/).waitFor()
  await page.locator('body').press('Escape')
  await page.keyboard.press('3')
  await page.getByLabel('Trailing').check()
  const sent = page.waitForRequest(/orders\/stop\/create$/)
  const fields = { 'Trail by': '1', Size: '0.05' }
  await order(page, 'Stop', fields, 'Sell / Short')
  const { stop_order } = (await sent).postDataJSON() as { stop_order: object }
  assert.deepEqual(stop_order, { trailing_percent: '1', amount: '0.05' })
  const line = (price: number) =>
    page.locator(`.line-tag[data-price="${price}"]`, { hasText: 'Trailing sell' }).waitFor()
  await line(99_000)
  await desk.setIndex(101_000)
  await line(99_990)
  await desk.setIndex(100_500)
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByText('1 % behind').waitFor()
  await line(99_990)
})
