// The page is right at the moment of a decision.

import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  buyNearlyAll,
  chooseKind,
  desktop,
  goToMarket,
  index,
  order,
  TradingDesk,
  tab,
  ticket,
} from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk.close())

const field = (page: Page, label: string) => ticket(page).getByLabel(label, { exact: true })
const positions = (page: Page) => page.getByRole('table', { name: 'Positions' })
const figure = (page: Page, name: string) =>
  page.locator('.figures dt', { hasText: name }).locator('+ dd')
const addressOf = async (page: Page) =>
  (await page.locator('.status .mono').getAttribute('title')) ?? ''

const offer = (symbol: string, price: string, amount: string) =>
  desk.maker.createOrder({
    symbol,
    side: 'ask',
    price,
    amount,
    tif: 'ALO',
    reduce_only: false,
  })

const names = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr td:first-child').allInnerTexts()

test('tables are filtered and sorted, by keyboard too, and remember it', async () => {
  const page = await desk.visit()
  for (const [price, size] of [
    ['99000', '0.03'],
    ['98000', '0.01'],
    ['98500', '0.02'],
  ])
    await order(page, 'Limit', { Price: price!, Size: size! })
  await tab(page, /Orders \(3\)/).click()
  const sizes = () => page.locator('[aria-label="Open orders"] td[data-name=Size]').allInnerTexts()
  const sort = page.getByRole('columnheader', { name: 'Size' }).getByRole('button')
  await sort.focus()
  await page.keyboard.press('Enter')
  await page.locator('th[aria-sort=descending]').waitFor()
  assert.deepEqual(await sizes(), ['0.03', '0.02', '0.01'])
  await page.keyboard.press('Enter')
  await page.locator('th[aria-sort=ascending]').waitFor()
  assert.deepEqual(await sizes(), ['0.01', '0.02', '0.03'])
  await page.keyboard.press('f')
  await page.keyboard.type('buy 98')
  await page.getByText('1 row hidden by the filter').waitFor()
  assert.deepEqual(await sizes(), ['0.01', '0.02'])
  await page.getByLabel('This market').check()
  await page.reload()
  await tab(page, /Orders \(3\)/).click()
  await page.getByText('1 row hidden by the filter').waitFor()
  assert.deepEqual(await sizes(), ['0.01', '0.02'])
  await goToMarket(page, 'ETH')
  await page.getByText('No row matches.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByText('98,000').last().waitFor()
  assert.deepEqual(await sizes(), ['0.01', '0.02', '0.03'])
})

test('orders are edited in their rows, and cancelled by side', async () => {
  const page = await desk.visit()
  await order(page, 'Limit', { Price: '99000', Size: '0.03' })
  await order(page, 'Limit', { Price: '101000', Size: '0.02' }, 'Sell / Short')
  await tab(page, /Orders \(2\)/).click()
  const row = page.getByRole('row', { name: /Buy Limit/ })
  await row.getByRole('button', { name: '99,000' }).click()
  await page.keyboard.type('x')
  await page.keyboard.press('Enter')
  await page.getByText('This is not a number').waitFor()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: '99,000' }).click()
  await page.keyboard.type('99,100')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Buy Limit 99,100 0\.03/ }).waitFor()
  await row.getByRole('button', { name: '0.03' }).click()
  await page.keyboard.type('0.05')
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /Buy Limit 99,100 0\.05/ }).waitFor()
  await page.locator('body').press('Escape')
  await page.keyboard.press('x')
  const dialog = page.getByRole('dialog', { name: 'Cancel all orders' })
  await dialog.getByRole('radio', { name: 'Sells' }).click()
  await dialog.getByLabel('Market').selectOption('BTC')
  await dialog.getByText('Ends 1 order, in BTC, sells only.').waitFor()
  await dialog.getByText('Leaves 1 order.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel these orders' }).click()
  await page.getByText('1 in BTC, sells only. Left: 1 order.').waitFor()
  await row.waitFor()
  assert.equal((await names(page, 'Open orders')).length, 1)
})

test('a part of a position is closed, and a closed one has its profit and fees', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.08' })
  await positions(page).getByText('long').waitFor()
  const size = (text: string) =>
    positions(page).locator('td[data-name=Size]').getByText(text, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Close a part of BTC' }).focus()
  // A key that is held down opens the menu, and closes nothing.
  for (let press = 0; press < 3; press++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.getByRole('menuitem', { name: 'Close 25% at market' }).waitFor()
  await size('0.08')
  await page.keyboard.press('Enter')
  await size('0.06')
  // 20 USD of spread for 0.02, and the fees.
  const notice = page.getByRole('status').filter({ hasText: 'Close long BTC' })
  await notice.getByText(/realised profit -1\.\d\d USD after 0\.80 USD of fees/).waitFor()
  await page.getByRole('button', { name: 'Close a part of BTC' }).click()
  await page.getByRole('menuitem', { name: 'Close 100% at market' }).click()
  await page.getByText('No open positions').waitFor()
  await tab(page, /Position history/).click()
  const closed = page.getByRole('row', { name: /BTC long/ })
  // 0.08 at 100,010 and 99,990 lose 1.60; 16,000 USD were traded.
  await closed.getByText('-1.60', { exact: true }).waitFor()
  await closed.getByText('6.40', { exact: true }).waitFor()
  await closed.getByText('-8.00', { exact: true }).waitFor()
  assert.match(await closed.locator('td[data-name=Duration]').innerText(), /^\d+ (s|min)/)
})

test('the book shows what everything up to a row costs, and a row fills the ticket', async () => {
  const page = await desk.visit()
  const asks = page.getByRole('region', { name: 'Asks' })
  const second = asks.getByRole('button', { name: /^100,020/ })
  await second.hover()
  // The maker offers two at 100,010 and two at 100,020.
  await page.getByText(/Average 100,01\d/).waitFor()
  await page.getByText(/From mid 0\.01\d%/).waitFor()
  await second.click()
  assert.equal(await field(page, 'Price').inputValue(), '100020')
  assert.equal(await field(page, 'Size').inputValue(), '')
  const sum = (await second.innerText()).split('\n').at(-1)!
  await second.focus()
  await page.keyboard.press('Shift+Enter')
  assert.equal(Number(await field(page, 'Size').inputValue()), Number(sum))
  await page.getByRole('button', { name: 'View of the book' }).click()
  await page.getByRole('menuitemradio', { name: 'Sizes in USD' }).click()
  await page.getByText('Size (USD)').waitFor()
  await page.getByRole('button', { name: 'View of the book' }).click()
  await page.getByRole('menuitemradio', { name: 'Asks only' }).click()
  await page.getByRole('region', { name: 'Bids' }).waitFor({ state: 'hidden' })
  await page.reload()
  await second.getByText(/^39\d,\d{3}$/).waitFor()
  assert.equal(await page.getByRole('region', { name: 'Bids' }).isVisible(), false)
})

test('leverage is typed, a locked margin mode gives its reason, a stop fires by last', async () => {
  const page = await desk.visit()
  await chooseKind(page, 'Stop')
  await ticket(page).getByLabel('Trigger price').selectOption('Trigger by last trade')
  await field(page, 'Trigger at last').fill('101000')
  await field(page, 'Size').fill('0.01')
  await ticket(page).locator('button[type=submit]').click()
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByText(/≥ 101,000 last trade price/).waitFor()
  await page.locator('body').press('Escape')
  await page.keyboard.press('l')
  const dialog = page.getByRole('dialog', { name: 'Margin of BTC' })
  await dialog.getByText(/Cancel the open order, stop or algo in BTC/).waitFor()
  assert.ok(await dialog.getByRole('radio', { name: 'Isolated' }).isDisabled())
  const typed = dialog.getByRole('textbox', { name: 'Leverage' })
  await typed.fill('51')
  await dialog.getByText('Leverage must be a whole number from 1 to 50.').waitFor()
  await typed.fill('7')
  assert.equal(await dialog.getByRole('slider').inputValue(), '7')
  await page.keyboard.press('Enter')
  await ticket(page).getByRole('button', { name: '7× leverage' }).waitFor()
  // The refusal has the numbers of the ticket.
  const available = /Available\s+([0-9,.]+) USD/.exec(await ticket(page).innerText())?.[1]
  await chooseKind(page, 'Market')
  await field(page, 'Size').fill('5')
  await ticket(page)
    .getByText(/ [0-9,.]+ USD available/)
    .waitFor()
  const refused = /([0-9,.]+) USD available/.exec(await ticket(page).innerText())?.[1]
  assert.equal(refused?.replaceAll(',', ''), available?.replaceAll(',', ''))
})

test('the notice of an order that filled at several prices shows their average', async () => {
  const page = await desk.visit()
  await offer('BTC', '100001', '0.01')
  await offer('BTC', '100004', '0.02')
  await order(page, 'Market', { Size: '0.06' })
  // 0.01 at 100,001, 0.02 at 100,004, 0.03 at 100,010.
  const notice = page.getByRole('status').filter({ hasText: 'Open long BTC' })
  await notice.getByText(/^0\.06 in 3 fills at an average of 100,006\.50, fee 2\.4\d+$/).waitFor()
  await tab(page, /Order history/).click()
  await page.getByRole('row', { name: /BTC Buy Market.*100,006\.50/ }).waitFor()
})

test('an order that may fill immediately shows the taker fee, for its whole size', async () => {
  const page = await desk.visit()
  const [level] = await desk.maker.getFees()
  const of = (value: number, rate: string) => `${(value * Number(rate)).toFixed(2)} USD`
  const { taker_fee_rate, maker_fee_rate } = level!
  await chooseKind(page, 'TWAP')
  await field(page, 'Size').fill('0.5')
  await figure(page, 'Order value').getByText('50,000.00 USD').waitFor()
  const feeIs = (text: string) => figure(page, 'Max fee').getByText(text, { exact: true }).waitFor()
  await feeIs(of(50_000, taker_fee_rate))
  // It would rest now, but may fill on arrival unless it is post-only.
  await chooseKind(page, 'Limit')
  await field(page, 'Price').fill('90000')
  await feeIs(of(45_000, taker_fee_rate))
  await page.getByLabel('Post only').check()
  await feeIs(of(45_000, maker_fee_rate))
})

test('the order history has the trigger price of an untriggered stop', async () => {
  const page = await desk.visit()
  await order(page, 'Stop', { 'Trigger at mark': '101500', Size: '0.02' })
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByRole('button', { name: /Cancel order/ }).click()
  await tab(page, /Order history/).click()
  await page.getByRole('columnheader', { name: 'Trigger' }).waitFor()
  await page.getByRole('row', { name: /Buy Stop market 101,500 market.*Cancelled/ }).waitFor()
  await page.getByRole('button', { name: 'Events' }).first().click()
  await page
    .getByRole('dialog')
    .getByText(/101500/)
    .first()
    .waitFor()
})

test('after a change of side the slider is a share of the maximum of that side', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.4' })
  await positions(page).getByText('long').waitFor()
  const form = ticket(page)
  const slider = form.getByRole('slider', { name: /Percentage/ })
  await form.getByText(/max 0\.[0-9]*[1-9]/).waitFor()
  await slider.fill('100')
  const buys = Number(await field(page, 'Size').inputValue())
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/orders/preview', async (route) => {
    await held
    await route.continue()
  })
  await form.getByRole('radio', { name: 'Sell / Short' }).click()
  // The maximum of the other side is not known yet, and no other value is shown for it.
  await form.getByText('max – BTC').waitFor()
  assert.ok(await slider.isDisabled())
  release()
  await form.getByText(/max 1\.[0-9]+ BTC/).waitFor()
  const sells = Number(/max ([0-9.]+)/.exec(await form.innerText())?.[1])
  assert.ok(sells > buys + 0.7, `${sells} closes the long and opens a short, ${buys} does not`)
  const share = Math.round((buys / sells) * 100)
  await form.getByText(`${share}%`, { exact: true }).waitFor()
  assert.equal(await slider.inputValue(), String(share))
  assert.equal(Number(await field(page, 'Size').inputValue()), buys)
})

test('lines beyond the chart are marked at its edge', async () => {
  const page = await desk.visit()
  await buyNearlyAll(page)
  await order(page, 'Limit', { Price: '130000', Size: '0.01' }, 'Sell / Short')
  const box = (await page.locator('.chart-lines').boundingBox())!
  const tag = (line: string) => page.locator(`[data-line^=${line}]`)
  const liquidation = tag('liquidation-BTC')
  await liquidation.and(page.locator('.beyond.below')).waitFor()
  await liquidation.getByText(/Liquidation 9\d,\d{3}/).waitFor()
  const low = (await liquidation.locator('span').boundingBox())!
  assert.ok(low.y > box.y + box.height / 2 && low.y + low.height <= box.y + box.height)
  await tag('order-').and(page.locator('.beyond.above')).waitFor()
  const high = (await tag('order-').locator('span').boundingBox())!
  assert.ok(high.y >= box.y && high.y < box.y + box.height / 2)
  await tag('entry-BTC').and(page.locator(':not(.beyond)')).waitFor()
  const row = positions(page).getByRole('row', { name: /BTC/ })
  await row.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close at market' }).click()
  await page.getByText('No open positions').waitFor()
})

test('sizes of millions are shortened, with all their digits in the hover text', async () => {
  await desk.maker.sandboxSetOracle({ symbol: 'PEPE', price: '0.0000112' })
  await offer('PEPE', '0.000011205', '123456000')
  const page = await desk.visit()
  await page.keyboard.press('m')
  await page.keyboard.type('pepe')
  await page.keyboard.press('Enter')
  const asks = page.getByRole('region', { name: 'Asks' })
  await asks.getByText('123.456M').first().waitFor()
  const wide = (what: 'scrollWidth' | 'clientWidth') =>
    page.evaluate(`document.querySelector('.book-sides').${what}`) as Promise<number>
  assert.equal(await wide('scrollWidth'), await wide('clientWidth'), 'no amount is cut off')
  await order(page, 'Market', { Size: '12,345,000' })
  const size = positions(page).locator('td[data-name=Size] span')
  await size.getByText('12.345M').waitFor()
  assert.equal(await size.getAttribute('title'), '12345000')
  await page.getByRole('region', { name: 'Trades' }).getByText('12.345M').waitFor()
  await page
    .locator('[data-line=entry-PEPE]')
    .getByText(/Long 12\.345M/)
    .waitFor()
  await tab(page, /Fills/).click()
  await page.getByRole('row', { name: /PEPE Open long.*12\.345M/ }).waitFor()
})

test("histories use the reader's time zone, CSV uses ISO times and plain decimals", async () => {
  const page = await desk.visit(desktop, async (fresh) => {
    const session = await fresh.context().newCDPSession(fresh)
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kathmandu' })
  })
  await order(page, 'Market', { Size: '0.01' })
  await positions(page).getByText('long').waitFor()
  const { rows } = await desk.maker.getTradeHistory({ account: await addressOf(page), limit: 1 })
  const { created_at, price, fee } = rows[0]!
  const quarter = 15 * 60_000
  // Five hours and three quarters ahead of UTC.
  const there = new Date(created_at + 23 * quarter).toISOString()
  const shown = `${there.slice(5, 10)} ${there.slice(11, 19)}`
  await tab(page, /Fills/).click()
  const time = page.getByRole('row', { name: /BTC Open long/ }).locator('time')
  await time.getByText(shown).waitFor()
  assert.match((await time.getAttribute('title')) ?? '', /UTC\+05:45/)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as CSV' }).click()
  const table = await text(await (await download).createReadStream())
  const [head, first] = table.split('\r\n')
  const names = head!.split(',')
  const cells = first!.split(',')
  const cell = (name: string) => cells[names.indexOf(name)]
  assert.equal(cell('created_at'), new Date(created_at).toISOString())
  assert.deepEqual([cell('amount'), cell('price'), cell('fee')], ['0.01', price, fee])
  for (const name of ['amount', 'price', 'entry_price', 'fee', 'pnl'])
    assert.match(cell(name) ?? '', /^-?[0-9]+(\.[0-9]+)?$/, name)
})

test('a liquidation during an absence is announced on return, until it is dismissed', async () => {
  const page = await desk.visit()
  await buyNearlyAll(page)
  const account = await addressOf(page)
  await page.goto('about:blank')
  await desk.setIndex(97_000)
  for (let tries = 0; tries < 150; tries++) {
    if ((await desk.maker.getPositions({ account })).length === 0) break
    await page.waitForTimeout(100)
  }
  await desk.setIndex(index)
  await page.goto(desk.url)
  const notice = page
    .getByRole('status')
    .filter({ hasText: 'Liquidation while you were away, BTC' })
  await notice
    .getByText(/Close long [0-9.]+ by force at [0-9,.]+ on .* profit -[0-9,.]+ USD/)
    .waitFor()
  // A page that was left before the notice was dismissed shows it again.
  await page.reload()
  await notice.waitFor()
  await notice.getByRole('button', { name: 'Why' }).click()
  await page
    .getByRole('dialog', { name: 'Liquidation' })
    .getByText('when', { exact: true })
    .waitFor()
  await page.reload()
  await page.locator('.account-facts').waitFor()
  await tab(page, /Fills/).click()
  await page
    .getByRole('row', { name: /Close long/ })
    .first()
    .waitFor()
  assert.equal(await notice.count(), 0)
  assert.deepEqual(desk.complaints, [])
})

test('the ticket sets expiry and self-trade prevention of an order', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  const account = await addressOf(page)
  const ends = form.getByLabel('When it ends')
  await ends.selectOption('Ends in 10 minutes')
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await tab(page, /Orders \(1\)/).click()
  // Others see it once it is released.
  let [placed] = (await desk.maker.getOpenOrders({ account })).rows
  while (!placed) [placed] = (await desk.maker.getOpenOrders({ account })).rows
  const length = Number(placed?.expire_time) - Number(placed?.created_at)
  assert.ok(Math.abs(length - 600_000) < 30_000, `${length} ms`)
  const shown = page.getByRole('table', { name: 'Open orders' })
  const time = new Date(placed!.expire_time!).toISOString()
  await shown.locator(`td[data-name="Ends"] time[datetime="${time}"]`).waitFor()
  // The next order has its own expiry; a past time is rejected at its field.
  const now = page.locator('select[aria-label="When it ends"] option:checked')
  await now.and(page.locator('[value=never]')).waitFor({ state: 'attached' })
  await ends.selectOption('Ends at a time')
  await field(page, 'Ends at').fill('2020-01-01T12:00')
  await field(page, 'Price').fill('99000')
  await field(page, 'Size').fill('0.01')
  await form.getByText(/^The order would have ended: on the exchange it is /).waitFor()
  await form.getByLabel('Time in force').selectOption('IOC')
  assert.equal(await ends.count(), 0, 'an immediate order has no expiry')
  await form.getByLabel('Time in force').selectOption('GTC')
  await ends.selectOption('No end time')
  // Her own bid is in the way of her ask.
  await form.getByText('Advanced').click()
  await form.getByLabel('Self-trade prevention').selectOption('this one is cancelled')
  await order(page, 'Limit', { Price: '100005', Size: '0.01' })
  await order(page, 'Limit', { Price: '100005', Size: '0.01' }, 'Sell / Short')
  await tab(page, /Order history/).click()
  await page.getByRole('row', { name: /BTC Sell Limit.*with your own order/i }).waitFor()
  await tab(page, /Orders \(2\)/).waitFor()
})
