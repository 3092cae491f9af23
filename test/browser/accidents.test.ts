// Accidents that must not happen: an action executed twice, a larger sale than intended, lost
// protection, a key or an agent that cannot be removed.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  desktop,
  drawn,
  goToMarket,
  order,
  TradingDesk,
  tab,
  ticket,
} from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const addressOf = async (page: Page) =>
  (await page.locator('.status .mono').getAttribute('title')) ?? ''

const positionsOf = async (page: Page) =>
  desk.maker.getPositions({ account: await addressOf(page) })

test('a double click on Reverse reverses once', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.03' })
  const row = page.getByRole('table', { name: 'Positions' }).getByRole('row', { name: /BTC/ })
  await row.getByText('long').waitFor()
  await row.getByRole('button', { name: 'Reverse' }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Reverse' })
  await dialog.getByRole('button', { name: 'Reverse' }).dblclick()
  await row.getByText('short').waitFor()
  await drawn(page)
  const [position] = await positionsOf(page)
  assert.deepEqual([position?.side, position?.amount], ['ask', '0.03'])
})

test('a held key sends one order, and opens one confirmation where it is enabled', async () => {
  const page = await desk.visit()
  await ticket(page).getByLabel('Price', { exact: true }).fill('99000')
  await ticket(page).getByLabel('Size', { exact: true }).fill('0.01')
  await page.keyboard.down('Enter')
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await tab(page, /Orders \(1\)/).waitFor()
  await page.locator('body').press('Escape')
  await page.keyboard.press(',')
  await page.getByLabel('Ask before an order is sent').check()
  await page.keyboard.press('Escape')
  await ticket(page).getByLabel('Price', { exact: true }).fill('99000')
  await ticket(page).getByLabel('Size', { exact: true }).fill('0.01')
  await page.keyboard.down('Enter')
  await page.getByRole('dialog', { name: 'Buy BTC' }).waitFor()
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  const dialog = page.getByRole('dialog', { name: 'Buy BTC' })
  await dialog.getByText('Time in force').waitFor()
  await tab(page, /Orders \(1\)/).waitFor()
  await page.keyboard.press('Enter')
  await tab(page, /Orders \(2\)/).waitFor()
})

test('test money is requested once, however often the button is pressed', async () => {
  const page = await desk.visit()
  await tab(page, /Balance/).click()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByLabel('USD').fill('100')
  await page.getByRole('button', { name: 'Request' }).dblclick()
  await page.getByText(/Withdrawal \d+ requested/).waitFor()
  await page.getByRole('row', { name: /-100\.0000.*100\.00/ }).waitFor()
  assert.equal(await page.getByRole('row', { name: /-100\.0000/ }).count(), 1)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByLabel('USD').fill('1000000')
  await page.keyboard.press('Enter')
  await page.locator('#withdraw-amount-refusal').waitFor()
})

test('a stop loss for the whole position stays one when it is moved', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByRole('button', { name: 'Take profit and stop loss of BTC' }).click()
  await page.getByLabel('Stop loss at mark').fill('99000')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await order(page, 'Market', { Size: '0.05' })
  await tab(page, /Stops & algos/).click()
  await page.getByRole('row', { name: /Stop loss market.*99,000.*0\.1/ }).waitFor()
  await page.locator('[data-line=stop_loss-BTC] .line-label > span').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Stop loss market.*98,999.*0\.1/ }).waitFor()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByRole('row', { name: /Stop loss market.*98,999.*0\.15/ }).waitFor()
})

test('levels of a waiting order are labelled, and cannot be moved alone', async () => {
  const page = await desk.visit()
  await ticket(page).getByLabel('TP / SL').check()
  const levels = { 'Take profit': '103000', 'Stop loss': '97000' }
  await order(page, 'Limit', { Price: '99000', Size: '0.01', ...levels })
  await tab(page, /Stops & algos \(2\)/).waitFor()
  assert.equal(await page.locator('[data-line^=attached-]').count(), 2)
  assert.equal(await page.locator('[data-line^=attached-] [role=slider]').count(), 0)
})

test('a line that was moved but not sent goes back when the focus leaves it', async () => {
  const page = await desk.visit()
  await order(page, 'Limit', { Price: '99900', Size: '0.01' })
  const line = page.locator('.line-tag.tag-up .line-label > span')
  await line.focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByText(/Buy 0\.01 99,910/).waitFor()
  await page.keyboard.press('Tab')
  await page.getByText(/Buy 0\.01 99,900/).waitFor()
  // Across the spread it would trade, and a moved order may only rest.
  await line.focus()
  for (let press = 0; press < 12; press++) await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText('Move refused').waitFor()
  await page.getByText(/Buy 0\.01 99,900/).waitFor()
})

test('an agent that the exchange no longer knows can be removed', async () => {
  const page = await desk.visit()
  const { id } = await desk.maker.sandboxSnapshot({})
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agent' }).click()
  await page.getByRole('button', { name: /Make an agent/ }).click()
  await page.getByText('signs here').waitFor()
  await page.keyboard.press('Escape')
  await desk.maker.sandboxRevert({ id })
  await page.getByText('The sandbox went back').waitFor()
  await page.locator('body').press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agent' }).click()
  await page.getByRole('button', { name: 'Stop using it' }).click()
  await page.getByRole('button', { name: /Make an agent/ }).waitFor()
  await page.keyboard.press('Escape')
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await tab(page, /Orders \(1\)/).waitFor()
})

test('a rejection in another market is not shown in this one', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const page = await desk.visit(desktop, (fresh) =>
    fresh.route('**/orders/create', async (route) => {
      await held
      await route.continue()
    }),
  )
  await order(page, 'Limit', { Price: '99000', Size: '80' })
  await page.locator('body').press('Escape')
  await goToMarket(page, 'ETH')
  release()
  await page.getByText('Order refused').waitFor()
  assert.equal(await page.locator('#refusal-amount').count(), 0)
})

test('a key from elsewhere is new here and gets test money', async () => {
  const page = await desk.visit(desktop, (fresh) =>
    fresh.addInitScript(`
      if (localStorage.getItem('openperp.key') === null)
        localStorage.setItem('openperp.key', '${'2'.repeat(44)}')
    `),
  )
  await page.getByText(/new here/).waitFor()
  await page.locator('.account-facts').getByText('10,000.00').first().waitFor()
})
