// A market with any restriction shows it in the terminal, with the reason and what is still
// possible. The ticket shows the effect on its order before it is sent.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Client } from '../../src/client/client.ts'
import type { Command } from '../../src/core/index.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  index,
  order,
  phone,
  type Size,
  TradingDesk,
  ticket,
} from '../support/browser/trading-desk.ts'
import { LiveExchange } from '../support/streams/live-exchange.ts'

let exchange: LiveExchange
let desk: TradingDesk
let sandbox: Client
before(async () => {
  exchange = await LiveExchange.start()
  desk = await TradingDesk.at(exchange.url)
  sandbox = exchange.client()
  await sandbox.sandboxSetClock({ freeze: true })
})
after(async () => {
  await desk?.close()
  await exchange?.close()
  assert.deepEqual(desk.complaints, [])
})

const market = () => exchange.running.exchange.view.symbols.get('BTC')!
const submit = (command: Readonly<Record<string, unknown>>) =>
  exchange.running.exchange.submit({ market: market(), ...command } as unknown as Command)
const setMode = (mode: string) => submit({ type: 'SetMarketMode', mode })
const tick = (price: number) =>
  submit({ type: 'OracleTick', price: price * 1_000_000, observedAtMs: null, jump: false })
const note = (page: Page) => ticket(page).getByRole('note')
const notice = (page: Page) => page.locator('.market-notice')

async function typeOrder(page: Page, price: string): Promise<void> {
  await ticket(page).getByRole('radio', { name: 'Limit' }).click()
  await ticket(page).getByLabel('Price', { exact: true }).fill(price)
  await ticket(page).getByLabel('Size', { exact: true }).fill('0.01')
}

test('each mode is announced at the top, and in the ticket its effect on the order', async () => {
  const page = await desk.visit()
  assert.equal(await notice(page).count(), 0)
  assert.equal(await note(page).count(), 0)
  await setMode('reduce_only')
  await notice(page).getByText('BTC is reduce-only.').waitFor()
  await notice(page).getByText('You can still close, cancel, set stops').waitFor()
  await ticket(page).getByRole('radio', { name: 'Market' }).click()
  await note(page).getByText('Market orders must only reduce your position.').waitFor()
  await setMode('post_only')
  await notice(page).getByText('set by the operator').waitFor()
  await note(page).getByText('Market orders are refused.').waitFor()
  await typeOrder(page, String(index + 500))
  // The preview rejects it before it is sent, and one click makes it a resting order.
  await ticket(page)
    .getByRole('button', { name: `${index + 9}` })
    .click()
  await ticket(page).locator('button[type=submit]').click()
  await page.getByRole('tab', { name: /Orders \(1\)/ }).waitFor()
  await setMode('halted')
  await notice(page).getByText('BTC is halted.').waitFor()
  await note(page).getByText('No orders are accepted now.').waitFor()
  assert.ok(await ticket(page).locator('button[type=submit]').isDisabled())
  await setMode('open')
  await notice(page).waitFor({ state: 'detached' })
  await note(page).waitFor({ state: 'detached' })
})

test('a stale market shows the age of its price, also on a phone', async () => {
  await sandbox.sandboxScenario({ name: 'freeze', symbol: 'BTC' })
  await sandbox.sandboxSetClock({ advance_ms: 7_000 })
  for (const size of [phone, undefined] satisfies readonly (Size | undefined)[]) {
    const page = await desk.visit(size)
    await notice(page).getByText('BTC is stale.').waitFor()
    await notice(page)
      .getByText(/no price for \d+(\.\d)? s; orders match on one of 4.5 s/)
      .waitFor()
    await notice(page).getByText('place orders that rest').waitFor()
  }
  await sandbox.sandboxSetOracle({ symbol: 'BTC', resume: true })
  await tick(index)
})

test('while the mark is catching up, the prices used for margin are shown', async () => {
  const page = await desk.visit()
  await tick(index * 0.9)
  await notice(page).getByText('BTC is catching up.').waitFor()
  await note(page)
    .getByText(`Margin counts a long at ${index * 0.9}, a short at `)
    .waitFor()
  await typeOrder(page, String(index - 1_000))
  const preview = ticket(page).getByLabel('Preview')
  await preview.getByText('Max leverage').waitFor()
  await preview.getByText(/^\d+×$/).waitFor()
  await sandbox.sandboxSetOracle({ symbol: 'BTC', price: String(index) })
  await notice(page).waitFor({ state: 'detached' })
})

test('the effect on Close and Reverse is shown at the positions', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  await sandbox.sandboxSetClock({ advance_ms: 1_000 })
  const positions = page.getByRole('table', { name: 'Positions' })
  await positions.getByText('long').waitFor()
  const notice = page.getByRole('tabpanel').getByRole('note')
  assert.equal(await notice.count(), 0)
  await setMode('reduce_only')
  await notice.getByText('Reverse: Market orders must only reduce your position.').waitFor()
  await setMode('post_only')
  await notice.getByText('Close and Reverse: Market orders are refused.').waitFor()
  await setMode('halted')
  await notice.getByText('Close and Reverse: No orders are accepted now.').waitFor()
  for (const name of ['Close', 'Reverse'])
    assert.ok(await positions.getByRole('button', { name, exact: true }).isDisabled())
  await setMode('open')
  await notice.waitFor({ state: 'detached' })
})

test('for an hour after an immediate change of tiers the old maintenance is shown', async () => {
  const page = await desk.visit()
  const change = { leverageMax: 10, riskTiers: [] }
  await submit({ type: 'ChangeMarket', change, immediate: true })
  await ticket(page)
    .getByRole('button', { name: /leverage/ })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Margin of/ })
  await dialog
    .getByText(/1\.00 ?% for small positions until \d\d:\d\d:\d\d, then 5\.00 ?%/)
    .waitFor()
})
