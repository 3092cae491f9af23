// Advanced order kinds, set up in the ticket and followed to their end.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Page, Request } from 'playwright-core'
import { Client } from '../../src/client/client.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  chooseKind,
  index,
  type Kind,
  order,
  phone,
  TradingDesk,
  tab,
  ticket,
} from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const sentTo = (page: Page, path: RegExp): Promise<Request> => page.waitForRequest(path)
const bodyOf = (request: Request) => request.postDataJSON() as Record<string, unknown>

/** Also before the first trade, when the chart is empty. */
const lineOf = (page: Page, hasText: RegExp) =>
  page.locator('.line-tag', { hasText }).waitFor({ state: 'attached' })

test('each kind has a one-line description, on a phone too', async () => {
  const page = await desk.visit(phone)
  await page.getByRole('button', { name: 'Trade', exact: true }).click()
  const note = ticket(page).locator('.kind-note')
  for (const [kind, says] of [
    ['Stop', /^Waits until the mark/],
    ['OCO', /^Two linked orders: when one executes/],
    ['Iceberg', /shows a part at a time/],
    ['Chase', /^Stays at the best price/],
    ['Scale', /^One size spread over/],
    ['TWAP', /one every 30 seconds/],
  ] as const) {
    await chooseKind(page, kind)
    await note.filter({ hasText: says }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  }
})

test('an OCO rests and waits; when its stop triggers, the resting order is cancelled', async () => {
  const page = await desk.visit()
  const sent = sentTo(page, /orders\/oco\/create$/)
  await order(page, 'OCO', { Price: '99500', 'Stop trigger': '100600', Size: '0.02' })
  const leg = { side: 'bid', amount: '0.02', reduce_only: false }
  assert.deepEqual(bodyOf(await sent).legs, [
    { ...leg, price: '99500' },
    { ...leg, stop_price: '100600' },
  ])
  await tab(page, /Orders \(1\)/).waitFor()
  await lineOf(page, /^OCO with stop 100,600: Buy 0\.02 99,500/)
  await lineOf(page, /^OCO with limit 99,500: Stop buy 0\.02 100,600/)
  await tab(page, /Stops & algos \(1\)/).click()
  await page
    .getByRole('row', { name: /Buy Stop market ≥ 100,600, then market.*OCO with/ })
    .waitFor()
  await desk.setIndex(100_700)
  await page.getByText('Open long BTC').waitFor()
  await tab(page, /^Orders$/).waitFor()
  await desk.setIndex(100_000)
})

/** Chooses a kind and fills its fields, without sending it. */
async function type(page: Page, kind: Kind, fields: Readonly<Record<string, string>>) {
  const form = ticket(page)
  await chooseKind(page, kind)
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  return (field: string, says: RegExp) =>
    form.locator(`#refusal-${field}`).getByText(says).waitFor()
}

test('an error of an OCO is shown at its leg before it is sent', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const fields = { Price: '100200', 'Stop trigger': '100600', Size: '0.02' }
  const refusalIs = await type(page, 'OCO', fields)
  await refusalIs('price', /would trade immediately with 100,010/)
  await form.getByRole('button', { name: 'use 100009' }).click()
  assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '100009')
  await form.locator('.refusal').waitFor({ state: 'detached' })
  await form.getByText('Of the order that rests', { exact: true }).waitFor()
  await form.getByLabel('OCO type').selectOption('breakout')
  await form.getByLabel('Buy if mark rises to').fill('100600')
  await form.getByLabel('Sell if mark falls to').fill('100300')
  await refusalIs('below', /100,300/)
  // It is known to be invalid: nothing is sent, and the cursor is in the field to correct.
  await form.locator('button[type=submit]').click()
  await page.locator('#ticket-below:focus').waitFor()
  await refusalIs('below', /100,300/)
  assert.equal(await page.getByText('Order refused').count(), 0)
  // Nor is there a confirmation.
  const outside = await type(page, 'Limit', { Price: '99999999999', Size: '0.02' })
  await outside('price', /99,?999,?999,?999/)
  await form.locator('button[type=submit]').click()
  await page.locator('#ticket-price:focus').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('stops, icebergs, chases and scales are checked before they are sent', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const figure = (name: string) => form.locator('.figures dt', { hasText: name }).locator('+ dd')
  const reached = await type(page, 'Stop', { 'Trigger at mark': '99000', Size: '0.02' })
  await reached('stop', /99,000 is reached already/)
  await form.getByLabel('Trigger at mark').fill('101000')
  await form.locator('.refusal').waitFor({ state: 'detached' })
  await form.getByLabel('TP / SL').check()
  await form.getByLabel('Take profit', { exact: true }).fill('100500')
  await reached('take_profit', /100,500/)
  await form.getByLabel('TP / SL').uncheck()
  const parts = { Price: '100200', Size: '0.05', 'Visible size': '0.01' }
  const ends = await type(page, 'Iceberg', parts)
  await ends(
    'price',
    /^It is post-only and at 100,200 would trade immediately with the best ask, 100,010/,
  )
  await form.getByRole('button', { name: 'use 100009' }).click()
  await form.locator('.refusal').waitFor({ state: 'detached' })
  // The whole size, although a part rests at a time.
  await figure('Position after').getByText('0.05 BTC').waitFor()
  await form.getByLabel('Size', { exact: true }).fill('2')
  await form.getByLabel('Visible size').fill('0.1')
  await form.getByText(/^Accepted, but not covered as things are/).waitFor()
  // The best ask is 100,010.
  for (const [bound, value] of [
    ['99000', '1,980.00 USD'],
    ['100100', '2,000.18 USD'],
  ] as const) {
    await type(page, 'Chase', { 'Max price': bound, Size: '0.02' })
    await form.getByText('All of it, filled at the bound, or as near to it as rests now').waitFor()
    await figure('Order value').getByText(value).waitFor()
  }
  const far = await type(page, 'Chase', { 'Max price': '200000', Size: '0.02' })
  await far('price', /200,000/)
  const ladder = { 'From price': '99900', 'To price': '99600', Orders: '4', Size: '0.1' }
  const scale = await type(page, 'Scale', ladder)
  await form.getByText('All of its orders, filled: at 99,750 on average').waitFor()
  await figure('Order value').getByText('9,975.00 USD').waitFor()
  await form.getByLabel('To price').fill('200000')
  await scale('to', /^The last order, 0\.025 at 200,000: /)
  await form.getByLabel('To price').fill('99600')
  await form.getByLabel('Post only').check()
  await form.getByLabel('From price').fill('100050')
  await scale('price', /^The first order, 0\.025 at 100,050: It is post-only and at 100,050/)
  await form.getByLabel('Post only').uncheck()
  // 10, 10, 11 and 11 lots: only the second is worth less than 10 USD.
  await type(page, 'Scale', { 'From price': '100000', 'To price': '99700', Size: '0.00042' })
  await scale('amount', /^Order 2 of 4, 0\.0001 at 99,900: The order is worth 9\.99 USD/)
  await form.locator('button[type=submit]').click()
  await page.locator('#ticket-size:focus').waitFor()
  await scale('amount', /^Order 2 of 4, 0\.0001 at 99,900: /)
  await tab(page, /^Orders$/).waitFor()
})

test('an iceberg shows a part at a time, and an invalid part is marked at its field', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const fields = { Price: '99991', Size: '0.05', 'Visible size': '0.06' }
  await order(page, 'Iceberg', fields)
  await form
    .locator('#refusal-display')
    .getByText('Visible size must be from 0.0005 to 0.05')
    .waitFor()
  await form.getByLabel('Visible size').fill('0.02')
  await form.locator('button[type=submit]').click()
  await tab(page, /Orders \(1\)/).click()
  await page.getByRole('row', { name: /Buy Limit of the iceberg of 0\.05 99,991 0\.02/ }).waitFor()
  await lineOf(page, /^Iceberg buy 0\.02 of 0\.05 99,991/)
  await tab(page, /Stops & algos \(1\)/).click()
  const row = page.getByRole('row', { name: /Buy Iceberg 99,991, shows 0\.02/ })
  await row.getByText('0 / 0.05').waitFor()
  const taker = { symbol: 'BTC', side: 'ask', reduce_only: false } as const
  await desk.maker.createOrder({ ...taker, price: '99991', amount: '0.02', tif: 'IOC' })
  await page.getByText('Open long BTC').waitFor()
  await row.getByText('0.02 / 0.05').waitFor()
  await lineOf(page, /^Iceberg buy 0\.02 of 0\.05 99,991/)
  await row.getByRole('button', { name: /Cancel order/ }).click()
  await page.getByRole('row', { name: /Iceberg.*0\.02 \/ 0\.05.*Cancelled/ }).waitFor()
})

test('a chase follows the best bid up to its price limit', async () => {
  const page = await desk.visit()
  const sent = sentTo(page, /orders\/chase\/create$/)
  await order(page, 'Chase', { 'Max price': '99996', Size: '0.02' })
  assert.equal(bodyOf(await sent).price, '99996')
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByRole('row', { name: /Buy Chase best bid, up to 99,996 0 \/ 0\.02/ }).waitFor()
  await lineOf(page, /^Chase buy 0\.02 of 0\.02 99,990/)
  await lineOf(page, /^Chase bound 99,996/)
  const better = { symbol: 'BTC', side: 'bid', reduce_only: false, tif: 'ALO' } as const
  const { order_id } = await desk.maker.createOrder({ ...better, price: '99993', amount: '0.01' })
  // As soon as that bid is old enough to be followed.
  for (let step = 0; step < 3; step++) await desk.maker.sandboxSetClock({ advance_ms: 1_100 })
  await lineOf(page, /^Chase buy 0\.02 of 0\.02 99,993/)
  await desk.maker.cancelOrder({ symbol: 'BTC', order_id })
  await page.getByRole('button', { name: /Cancel order/ }).click()
  await page.getByRole('row', { name: /Chase.*0 \/ 0\.02.*Cancelled/ }).waitFor()
})

test('a scale is one batch of orders whose sizes add up', async () => {
  const page = await desk.visit()
  const sent = sentTo(page, /orders\/batch$/)
  await chooseKind(page, 'Scale')
  await ticket(page).getByLabel('Sizes').selectOption('rising')
  const fields = { 'From price': '99900', 'To price': '99600', Orders: '4', Size: '0.1' }
  await order(page, 'Scale', fields)
  const { actions, signature } = bodyOf(await sent) as {
    actions: readonly { data: { price: string; amount: string } }[]
    signature: unknown
  }
  assert.ok(signature !== undefined, 'one signature for all of them')
  assert.deepEqual(
    actions.map(({ data }) => [data.price, data.amount]),
    [
      ['99900', '0.01'],
      ['99800', '0.02'],
      ['99700', '0.03'],
      ['99600', '0.04'],
    ],
  )
  await tab(page, /Orders \(4\)/).waitFor()
})

test('an order carries two take profits by their shares and a trailing stop loss', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await chooseKind(page, 'Market')
  await form.getByLabel('Size', { exact: true }).fill('0.03')
  await form.getByLabel('TP / SL').check()
  await form.getByLabel('Take profit', { exact: true }).fill('100500')
  await form.getByRole('button', { name: 'Add a take profit' }).click()
  await form.getByLabel('How take profit 2 is meant').selectOption('percent')
  await form.getByLabel('Take profit 2', { exact: true }).fill('1')
  await form.getByLabel('Share of take profit 1').fill('60')
  await form.getByText('closes 0.018 BTC').waitFor()
  await form.getByText('closes 0.015 BTC at 101,000').waitFor()
  await form.locator('button[type=submit]').click()
  const refusal = form.locator('#refusal-take_profit')
  await refusal
    .getByText('The shares of the take profits add up to 110 %, at most to 100')
    .waitFor()
  await form.getByLabel('Share of take profit 2').fill('40')
  await form.getByText('closes 0.012 BTC at 101,000').waitFor()
  await form.getByText('+12.00 USD').waitFor()
  await form.getByLabel('How stop loss 1 is meant').selectOption('trail')
  await form.getByLabel('Stop loss', { exact: true }).fill('2')
  const sent = sentTo(page, /orders\/create_market$/)
  await form.locator('button[type=submit]').click()
  const { take_profit, stop_loss } = bodyOf(await sent)
  assert.deepEqual(take_profit, [
    { stop_price: '100500', amount: '0.018' },
    { stop_price: '101000', amount: '0.012' },
  ])
  assert.deepEqual(stop_loss, { trailing_percent: '2' })
  await page.locator('[data-line=take_profit-BTC]', { hasText: 'TP 60% 100,500' }).waitFor()
  await page.locator('[data-line=stop_loss-BTC]', { hasText: 'Trailing SL 98,000' }).waitFor()
  // One of several is moved, and the other stays.
  await page.locator('[data-line=take_profit-BTC-2] .line-label > span').focus()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Enter')
  await page.locator('[data-line=take_profit-BTC-2]', { hasText: 'TP 40% 101,010' }).waitFor()
  await page.locator('[data-line=take_profit-BTC]', { hasText: 'TP 60% 100,500' }).waitFor()
})

test('levels of a position are edited row by row, and rejected in their row', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  const levels = page.getByRole('button', { name: 'Take profit and stop loss of BTC' })
  await levels.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Take profit at mark', { exact: true }).fill('101000')
  for (const price of ['102000', '99000']) {
    await dialog.getByRole('button', { name: 'Add a take profit' }).click()
    await dialog.getByLabel('Take profit at mark').last().fill(price)
  }
  await dialog.getByText('closes 0.0165 BTC').first().waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The third is already reached, which is known before it is sent.
  const third = dialog.getByLabel('Take profit at mark 3')
  const refusal = dialog.locator('#position-refusal-take_profit')
  await refusal.getByText('The take profit of a long has to be above the mark, 100,000').waitFor()
  assert.equal(await page.locator('.toast', { hasText: 'TP/SL refused' }).count(), 0)
  assert.equal(await third.getAttribute('aria-invalid'), 'true')
  await dialog.getByRole('button', { name: 'Remove take profit 3' }).click()
  const share = dialog.getByLabel('Share of take profit 2')
  await share.fill('33.333')
  await refusal.getByText('The share has at most two decimals').waitFor()
  await share.fill('50')
  await refusal.waitFor({ state: 'detached' })
  await dialog.getByLabel('Stop loss at mark', { exact: true }).fill('99000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await levels.getByText('101,000 +1 / 99,000').waitFor()
  await levels.click()
  assert.equal(await dialog.getByLabel('Share of take profit 2').inputValue(), '50')
  await dialog.getByLabel('Take profit at mark 2').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await levels.getByText('101,000 / 99,000').waitFor()
})

test('a level of a position has its own slippage', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  const levels = page.getByRole('button', { name: 'Take profit and stop loss of BTC' })
  await levels.click()
  const dialog = page.getByRole('dialog')
  const slippage = dialog.getByLabel('Max slippage of stop loss 1')
  await dialog.getByLabel('Stop loss at mark', { exact: true }).fill('99000')
  await dialog.getByText('optional, 0.5 %').waitFor()
  await slippage.fill('12')
  const refusal = dialog.locator('#position-refusal-stop_loss')
  await refusal.getByText('The slippage is at most 10 %').waitFor()
  await slippage.fill('1,5')
  await refusal.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await levels.getByText('99,000').waitFor()
  await levels.click()
  assert.equal(await slippage.inputValue(), '1.5')
  // Another price keeps it.
  await dialog.getByLabel('Stop loss at mark', { exact: true }).fill('98000')
  const sent = sentTo(page, /positions\/tpsl$/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual(bodyOf(await sent).stop_loss, { stop_price: '98000', slippage_percent: '1.5' })
  await levels.getByText('98,000').waitFor()
})

test('a stop that is rejected when it triggers is announced until dismissed', async () => {
  const page = await desk.visit()
  await order(page, 'Stop', { 'Trigger at mark': '100400', Size: '2000' })
  await tab(page, /Stops & algos \(1\)/).waitFor()
  await desk.setIndex(100_500)
  const notice = page.locator('.toast', { hasText: 'Stop market failed, BTC' })
  await notice.getByText(/fired at 100,400, but the order to buy 2,000 was refused: /).waitFor()
  await desk.setIndex(index)
})

test('the dialog of levels follows the position, and 100 % covers all of it', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByText('Open long BTC').waitFor()
  await order(page, 'Limit', { Price: '99995', Size: '0.03' })
  await tab(page, /Orders \(1\)/).waitFor()
  await page.getByRole('button', { name: 'Take profit and stop loss of BTC' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Take profit at mark', { exact: true }).fill('101000')
  await dialog.getByRole('button', { name: 'Add a take profit' }).click()
  await dialog.getByLabel('Take profit at mark 2').fill('102000')
  await dialog.getByText('closes 0.025 BTC').first().waitFor()
  const sale = { symbol: 'BTC', side: 'ask', amount: '0.03', price: '99995' } as const
  await desk.maker.createOrder({ ...sale, tif: 'IOC', reduce_only: false })
  await dialog.getByText('Long 0.08 BTC').waitFor()
  await dialog.getByText('closes 0.04 BTC').first().waitFor()
  const sent = sentTo(page, /positions\/tpsl$/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual(bodyOf(await sent).take_profit, [
    { stop_price: '101000', amount: '0.04' },
    { stop_price: '102000' },
  ])
  await page.locator('[data-line=take_profit-BTC-2]', { hasText: 'TP 50% 102,000' }).waitFor()
  // Levels attached to an order cover the whole order and replace the existing ones.
  const form = ticket(page)
  for (const [label, text] of [
    ['Price', '99000'],
    ['Size', '0.01'],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(text)
  await form.getByLabel('TP / SL').check()
  await form.getByLabel('Take profit', { exact: true }).fill('103000')
  await form.getByText('closes the whole position, 0.09 BTC').waitFor()
  const takesOver = 'When it fills it replaces the take profits of the position: 101,000, 102,000.'
  await form.getByRole('note').getByText(takesOver).waitFor()
})

test('a level that triggers while its dialog is open is not set again', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByText('Open long BTC').waitFor()
  const levels = page.getByRole('button', { name: 'Take profit and stop loss of BTC' })
  await levels.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Take profit at mark', { exact: true }).fill('100100')
  await dialog.getByRole('button', { name: 'Add a take profit' }).click()
  await dialog.getByLabel('Take profit at mark 2').fill('102000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await levels.getByText('100,100 +1').waitFor()
  await levels.click()
  await dialog.getByLabel('Take profit at mark 2').fill('102500')
  await desk.setIndex(100_150)
  await dialog.getByText('Long 0.025 BTC').waitFor()
  await dialog.getByRole('note').getByText('Levels have ended or were set').waitFor()
  const sent = sentTo(page, /positions\/tpsl$/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  assert.deepEqual(bodyOf(await sent).take_profit, { stop_price: '102500' })
  await levels.getByText('102,500').waitFor()
  await desk.setIndex(index)
})

test('Cancel all shows before and after what it keeps', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByText('Open long BTC').waitFor()
  const exit = { 'Trigger at mark': '99000', Size: '0.05' }
  await ticket(page).getByLabel('Reduce only').check()
  await order(page, 'Stop', exit, 'Sell / Short')
  await tab(page, /Stops & algos \(1\)/).waitFor()
  await order(page, 'Iceberg', { Price: '99000', Size: '0.05', 'Visible size': '0.01' })
  await tab(page, /Stops & algos \(2\)/).click()
  await page.getByRole('button', { name: 'Cancel all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel all orders' })
  await dialog.getByText('Ends 1 stop, 1 iceberg, on all markets.').waitFor()
  await dialog.getByText(/1 open position stays, without protection/).waitFor()
  await dialog.getByLabel(/Keep reduce-only orders/).check()
  await dialog.getByText('Ends 1 iceberg, on all markets.').waitFor()
  await dialog.getByText('Leaves 1 stop. 1 open position stays.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel all orders' }).click()
  await page.getByText('1 on all markets. Left: 1 stop.').waitFor()
  await tab(page, /Stops & algos \(1\)/).waitFor()
})

/** With the account's own key, which the page keeps. */
async function ownerOf(page: Page): Promise<Client> {
  const secret = String(await page.evaluate("localStorage.getItem('openperp.key')"))
  return new Client({ url: desk.url, signer: keyOfSecret(secret) })
}

test('a moved stop keeps its options, and asks before it loses its client id', async () => {
  const page = await desk.visit()
  // Without any trade the chart has no place for lines.
  await order(page, 'Market', { Size: '0.01' })
  await page.getByText('Open long BTC').waitFor()
  const owner = await ownerOf(page)
  const [prices] = await owner.getPrices()
  const expire_time = prices!.timestamp + 3_600_000
  const client_order_id = randomUUID()
  const stop_order = {
    stop_price: '99800',
    limit_price: '99900',
    amount: '0.02',
    client_order_id,
    trigger_direction: 'lte',
    trigger_price_type: 'mid_price',
  } as const
  const take_profit = { stop_price: '100500' }
  const stop_loss = { trailing_percent: '2', amount: '0.01' }
  const common = { symbol: 'BTC', side: 'bid', reduce_only: false, expire_time } as const
  await owner.createStopOrder({ ...common, stop_order, take_profit, stop_loss })
  const line = page.locator('[data-line^=stop-]', { hasText: '99,800' })
  await line.waitFor()
  await line.locator('span').focus()
  await page.keyboard.press('Shift+ArrowDown')
  const sent = sentTo(page, /orders\/stop\/create$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move' })
  await dialog.getByText(`without the client id ${client_order_id}.`).waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  const { stop_order: moved, ...rest } = bodyOf(await sent)
  const { client_order_id: _, ...kept } = stop_order
  assert.deepEqual(moved, { ...kept, stop_price: '99790' })
  assert.deepEqual(
    [rest.take_profit, rest.stop_loss, rest.expire_time],
    [take_profit, stop_loss, expire_time],
  )
  await tab(page, /Stops & algos/).click()
  await page.getByRole('row', { name: /Stop limit ≤ 99,790 mid price, then 99,900/ }).waitFor()
  await page.getByRole('row', { name: /Stop limit ≤ 99,800/ }).waitFor({ state: 'detached' })
  await tab(page, /Stops & algos \(3\)/).waitFor()
})

/** The owner chooses a leverage. */
async function leverageByOwner(page: Page): Promise<{ leverage: number }> {
  const owner = await ownerOf(page)
  await owner.updateLeverage({ symbol: 'BTC', leverage: 10 })
  const [row] = await owner.getAccountSettings({ chosen: true })
  return { leverage: row?.leverage ?? 0 }
}

test("an order against a key's policy shows the rule and its numbers, at the field", async () => {
  const page = await desk.visit()
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agents' }).click()
  await page.getByRole('button', { name: 'Make an agent and trade with it' }).click()
  const row = page.locator('[data-agent]')
  await row.getByRole('button', { name: 'Policy' }).click()
  await row.getByLabel('Value of a position').fill('3000')
  await row.getByLabel('Value of an order').fill('2000')
  await row.getByRole('button', { name: 'Set the policy' }).click()
  await row.getByText(/positions to 3,000/).waitFor()
  await page.keyboard.press('Escape')
  // The first order would choose a leverage, which such a key may not.
  await order(page, 'Market', { Size: '0.015' })
  await page.getByText(/No leverage is set for BTC yet, and this key.s policy/).waitFor()
  const { leverage } = await leverageByOwner(page)
  assert.equal(leverage, 10)
  await order(page, 'Market', { Size: '0.015' })
  await page.getByText('Open long BTC').waitFor()
  const refusal = ticket(page).locator('#refusal-amount')
  // Before it is sent: the rejection that the exchange would send to this key.
  await ticket(page).getByLabel('Size', { exact: true }).fill('0.03')
  await refusal
    .getByText(/policy of this agent's key: the order is worth 3,?000.*at most 2,?000/i)
    .waitFor()
  await ticket(page).getByLabel('Size', { exact: true }).fill('0.018')
  await refusal.getByText(/policy.*position could be worth 3,?300.*at most 3,?000/i).waitFor()
  const fields = { Price: '99000', Size: '0.05', 'Visible size': '0.01' }
  await order(page, 'Iceberg', fields)
  await refusal.getByText(/policy of this agent's key: the order is worth 5,?000/i).waitFor()
})
