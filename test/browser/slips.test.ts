// Slips cost no money: a wrong key, a second click or a number in a local format.

import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  drawn,
  index,
  order,
  phone,
  setLeverage,
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
const send = (page: Page) => ticket(page).locator('button[type=submit]').click()
const kind = (page: Page, name: string) => ticket(page).getByRole('radio', { name }).click()
const positions = (page: Page) => page.getByRole('table', { name: 'Positions' })
const figure = (page: Page, name: string) =>
  page.locator('.figures dt', { hasText: name }).locator('+ dd')

const addressOf = async (page: Page) =>
  (await page.locator('.status .mono').getAttribute('title')) ?? ''

const ordersOf = async (page: Page) =>
  (await desk.maker.getOpenOrders({ account: await addressOf(page) })).rows

/** The first order of the account, once it is released: until then only its owner sees it. */
async function released(page: Page) {
  for (;;) {
    const [order] = await ordersOf(page)
    if (order) return order
  }
}

const setting = async (page: Page, symbol: string) => {
  const rows = await desk.maker.getAccountSettings({ account: await addressOf(page), chosen: true })
  return rows.find((row) => row.symbol === symbol)
}

test('a decimal comma is understood or rejected, never dropped', async () => {
  const page = await desk.visit()
  const size = field(page, 'Size')
  const refusal = ticket(page).locator('#refusal-amount')
  await field(page, 'Price').fill('99000')
  const understood = [
    ['0,05', '0.05'],
    ['1.234,5', '1234.5'],
    ['1,234.5', '1234.5'],
    ['1 234,5', '1234.5'],
  ]
  for (const [typed, meant] of understood) {
    await size.fill('')
    await page.keyboard.insertText(typed!)
    await ticket(page).getByText(`read as ${meant}`, { exact: true }).waitFor()
  }
  for (const typed of ['1e3', '1..5', '1,5,2', '-0.05', '1 5', '0.05 BTC']) {
    await size.fill('')
    await page.keyboard.insertText(typed)
    await refusal.getByText('The size is not a number').waitFor()
    await size.press('Enter')
    await refusal.getByText('The size is not a number').waitFor()
  }
  await size.fill('1,234')
  await refusal.getByText('The size may be 1234 or 1.234: write it so').waitFor()
  await size.press('Enter')
  assert.deepEqual(await ordersOf(page), [])

  await field(page, 'Price').fill('')
  await field(page, 'Price').pressSequentially('99,000')
  await size.fill('')
  await size.pressSequentially('0,05')
  await figure(page, 'Position after').getByText('0.05 BTC').waitFor()
  await size.press('Enter')
  await tab(page, /Orders \(1\)/).waitFor()
  const placed = await released(page)
  assert.deepEqual([placed?.price, placed?.initial_amount], ['99000', '0.05'])
})

test('a comma in a dialog is not dropped either', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0,02' })
  await positions(page).getByText('long').waitFor()
  await page.getByRole('button', { name: 'Limit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Price').fill('100500')
  await dialog.getByLabel('Size').fill('1e-2')
  await page.keyboard.press('Enter')
  await dialog.getByText('This is not a number').waitFor()
  await dialog.getByLabel('Size').fill('0,01')
  await dialog.getByText('read as 0.01').waitFor()
  await page.keyboard.press('Enter')
  await tab(page, /Orders \(1\)/).waitFor()
  const placed = await released(page)
  assert.equal(placed?.initial_amount, '0.01')
  await tab(page, /Balance/).click()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByLabel('USD').fill('1,5')
  await page.keyboard.press('Enter')
  await page.getByText(/Withdrawal \d+ requested/).waitFor()
  await page.getByRole('row', { name: /-1\.5000.*1\.50/ }).waitFor()
})

test('the ticket is empty after sending, and a second Enter sends nothing', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await form.getByLabel('TP / SL').check()
  await form.getByLabel('Post only').check()
  const levels = { 'Take profit': '103000', 'Stop loss': '97000' }
  await order(page, 'Limit', { Price: '99000', Size: '0.01', ...levels })
  await tab(page, /Orders \(1\)/).waitFor()
  await page.waitForFunction(`document.querySelector('#ticket-size').value === ''`)
  assert.equal(await field(page, 'Price').inputValue(), '')
  assert.equal(await form.getByLabel('TP / SL').isChecked(), false)
  assert.equal(await form.getByLabel('Reduce only').isChecked(), false)
  assert.equal(await form.getByLabel('Post only').isChecked(), true, 'order options stay')
  await field(page, 'Size').press('Enter')
  await form.getByText('The price is missing').waitFor()
  assert.equal((await ordersOf(page)).filter(({ stop_price }) => stop_price === null).length, 1)
})

test('text typed while sending stays; an order without a reply is not placed twice', async () => {
  const page = await desk.visit()
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/orders/create', async (route) => {
    await held
    await route.continue()
  })
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await ticket(page).getByText('Sending…').waitFor()
  await field(page, 'Size').fill('0.02')
  release()
  await tab(page, /Orders \(1\)/).waitFor()
  await page.waitForFunction(`document.querySelector('#ticket-price').value === ''`)
  assert.equal(await field(page, 'Size').inputValue(), '0.02')
  await page.unroute('**/orders/create')

  await page.route('**/orders/create', (route) => route.abort())
  await order(page, 'Limit', { Price: '99000', Size: '0.03' })
  await page.getByText(/It may have been carried out/).waitFor()
  await page.waitForFunction(`document.querySelector('#ticket-size').value === ''`)
})

test('Reverse, Close all and large market orders ask for confirmation', async () => {
  const page = await desk.visit()
  const row = positions(page).getByRole('row', { name: /BTC/ })
  const dialog = page.getByRole('dialog')
  await setLeverage(page, 50)
  // The maker offers eight bitcoins within one percent.
  await order(page, 'Market', { Size: '2.1' })
  await dialog.getByText(/It takes 2\d% of what the book offers/).waitFor()
  await dialog.getByText('Of the depth up to there').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  assert.equal(await field(page, 'Size').inputValue(), '2.1')
  assert.deepEqual(await desk.maker.getPositions({ account: await addressOf(page) }), [])
  await order(page, 'Market', { Size: '0.2' })
  await row.getByText('long').waitFor()

  await row.getByRole('button', { name: 'Reverse' }).click()
  const reverse = page.getByRole('dialog', { name: 'Reverse' })
  await reverse.getByText(/Long 0\.2 BTC becomes short 0\.2\. Sells 0\.4 BTC at market/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close all' }).click()
  const all = page.getByRole('dialog', { name: 'Close all positions' })
  await all.getByText(/1 at market.*long 0\.2 BTC/).waitFor()
  await page.keyboard.press('Escape')
  await row.getByText('long').waitFor()

  await page.keyboard.press(',')
  await page.getByLabel(/Ask before Reverse, Close all/).uncheck()
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Reverse' }).click()
  await row.getByText('short').waitFor()
  await page.getByRole('button', { name: 'Close all' }).click()
  await page.getByText('No open positions').waitFor()
  await order(page, 'Market', { Size: '2.1' })
  await row.getByText('long').waitFor()
  assert.equal(await dialog.count(), 0)
  await row.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('No open positions').waitFor()
})

test('a double click cancels one order, and names what is cancelled with it', async () => {
  const page = await desk.visit()
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await tab(page, /Orders \(1\)/).click()
  await ticket(page).getByLabel('TP / SL').check()
  await order(page, 'Limit', { Price: '99100', Size: '0.01', 'Stop loss': '97000' })
  await tab(page, /Orders \(2\)/).waitFor()
  const first = page.getByRole('row', { name: /Buy Limit 99,100/ }).getByText('Cancel with TP/SL')
  const { x, y, width, height } = (await first.boundingBox())!
  const click = async (clickCount: number) => {
    await page.mouse.move(x + width - 8, y + height / 2)
    await page.mouse.down({ clickCount })
    await page.mouse.up({ clickCount })
  }
  await click(1)
  await page.getByText('Buy 0.01 BTC, Limit at 99,100. With it its level ends.').waitFor()
  await tab(page, /Orders \(1\)/).waitFor()
  // The other one moves to the place of the first.
  await click(2)
  await drawn(page)
  await page
    .getByRole('row', { name: /Buy Limit 99,000/ })
    .getByText('Cancel')
    .click()
  await page.getByText('Buy 0.01 BTC, Limit at 99,000.').waitFor()
  await page.getByText('No open orders').waitFor()
})

test('Enter in the list of markets activates nothing else', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.02' })
  await positions(page).getByText('long').waitFor()
  // The focus stays on the button, and comes back to it from the list.
  await page.getByRole('button', { name: 'Reverse' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  await page.keyboard.type('eth')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Market ETH/ }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
})

test('Cancel all includes TWAPs, and shows what stays', async () => {
  const page = await desk.visit()
  await order(page, 'TWAP', { Size: '0.05', Duration: '10' })
  await tab(page, /Stops & algos \(1\)/).waitFor()
  await positions(page).getByText('long').waitFor()
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await tab(page, /Orders \(1\)/).waitFor()
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByRole('button', { name: 'Cancel all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel all orders' })
  await dialog.getByText('Ends 1 order, 1 TWAP, on all markets.').waitFor()
  await dialog.getByText(/1 open position stays, without protection/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel all orders' }).click()
  await page.getByText('1 on all markets, and 1 of 1 TWAPs. Nothing is left.').waitFor()
  await page.getByText('No open stops or algos').waitFor()
  await tab(page, /^Orders$/).waitFor()
})

test('the first order in a market sets leverage 10, or the maximum if that is lower', async () => {
  const page = await desk.visit()
  const leverage = (times: number) =>
    ticket(page).getByRole('button', { name: `${times}× leverage` })
  await leverage(10).waitFor()
  assert.equal(await setting(page, 'BTC'), undefined, 'a preview sets nothing')
  await kind(page, 'Market')
  await field(page, 'Size').fill('0.01')
  // A tenth of 1,000 and the fee, not a fiftieth.
  await figure(page, 'Margin needed')
    .getByText(/^100\.\d\d USD$/)
    .waitFor()
  await send(page)
  await positions(page).getByText('long').waitFor()
  assert.equal((await setting(page, 'BTC'))?.leverage, 10)
  await positions(page).getByText('10× cross').waitFor()

  await desk.maker.sandboxSetOracle({ symbol: 'WIF', price: '0.9' })
  await page.locator('body').press('Escape')
  await page.keyboard.press('m')
  await page.keyboard.type('wif')
  await page.keyboard.press('Enter')
  await leverage(5).waitFor()
  await order(page, 'Limit', { Price: '0.85', Size: '100' })
  await tab(page, /Orders \(1\)/).waitFor()
  const wif = await setting(page, 'WIF')
  assert.deepEqual([wif?.leverage, wif?.leverage_set], [5, true])
})

test('a chosen leverage stays, also the maximum', async () => {
  const page = await desk.visit()
  await setLeverage(page, 50)
  await order(page, 'Limit', { Price: '99000', Size: '0.01' })
  await tab(page, /Orders \(1\)/).waitFor()
  assert.equal((await setting(page, 'BTC'))?.leverage, 50)
  await page.reload()
  await page.locator('.account-facts').waitFor()
  await ticket(page).getByRole('button', { name: '50× leverage' }).waitFor()
  await page.getByRole('button', { name: /Market BTC/ }).click()
  await page.keyboard.type('eth')
  await page.keyboard.press('Enter')
  await ticket(page).getByRole('button', { name: '10× leverage' }).waitFor()
  await setLeverage(page, 7)
  await order(page, 'Limit', { Price: '1000', Size: '0.1' })
  while ((await setting(page, 'ETH'))?.leverage !== 7) await page.waitForTimeout(100)
})

test('levels of a market order are compared with the mark', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await kind(page, 'Market')
  await form.getByLabel('TP / SL').check()
  await field(page, 'Size').fill('0.01')
  await field(page, 'Take profit').fill('100500')
  await form.getByText('+0.50%').waitFor()
  await field(page, 'Stop loss').fill('100200')
  await form.getByText('+0.20%').waitFor()
  // A stop loss above the mark is rejected at its field; a click puts it below.
  const refusal = form.locator('#refusal-stop_loss')
  await refusal.getByRole('button', { name: /use/ }).click()
  await refusal.waitFor({ state: 'detached' })
  assert.ok(Number(await field(page, 'Stop loss').inputValue()) < 100_000)
  // Within the slippage of one percent, and above the mark: that is a take profit.
  await figure(page, 'Margin needed').getByText(/\d/).waitFor()
  await send(page)
  await tab(page, /Stops & algos \(2\)/).click()
  await page.getByRole('row', { name: /Take profit market.*100,500/ }).waitFor()
})

/** Whether an element is visible: inside the window, and not covered. A chart line lets the pointer
 *  through and is not covered either. */
const inSight = (page: Page, selector: string) =>
  page.evaluate(`(() => {
    const node = document.querySelector('${selector}')
    const { left, right, top, bottom } = node.getBoundingClientRect()
    if (right === left || left < 0 || top < 0) return false
    if (right > innerWidth || bottom > innerHeight) return false
    if (getComputedStyle(node).pointerEvents === 'none') return true
    return [left + 1, (left + right) / 2, right - 1].every((x) => {
      const found = document.elementFromPoint(x, (top + bottom) / 2)
      return found !== null && (node.contains(found) || found.contains(node))
    })
  })()`) as Promise<boolean>

async function waitInSight(page: Page, selector: string, where: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await inSight(page, selector)) return
    await page.waitForTimeout(100)
  }
  assert.fail(`${selector} is not visible at ${where}`)
}

const ofPosition = 'table[aria-label=Positions] td[data-name=Liquidation] > span'
const ofOrder = '.liquidation dd'
const onChart = '[data-line=liquidation-BTC] .line-label > span'

test('notices never cover the send button; a corrected rejection disappears', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.05' })
  const levels = page.getByRole('button', { name: 'Take profit and stop loss of BTC' })
  const dialog = page.getByRole('dialog')
  const save = async (takeProfit: string) => {
    await dialog.getByLabel('Take profit at mark').fill(takeProfit)
    await dialog.getByRole('button', { name: 'Save' }).click()
  }
  await levels.click()
  await save('99999999999')
  const refused = page.locator('.toast', { hasText: 'TP/SL refused' })
  await refused.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  for (const size of [{ width: 1440, height: 900 }, { width: 1280, height: 700 }, phone]) {
    await page.setViewportSize(size)
    if (size === phone) await page.getByRole('button', { name: 'Trade', exact: true }).click()
    await drawn(page)
    await refused.waitFor()
    assert.ok(await inSight(page, 'button.send'), `${size.width} × ${size.height}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await levels.click()
  await save('101000')
  await refused.waitFor({ state: 'detached' })
})

test('the liquidation price is visible at every width, of position and order', async () => {
  await desk.quote(index)
  const page = await desk.visit()
  await setLeverage(page, 50)
  await order(page, 'Market', { Size: '1.5' })
  await positions(page).getByText('long').waitFor()
  await page
    .locator(ofPosition)
    .getByText(/^9\d,\d{3}$/)
    .waitFor()
  await kind(page, 'Market')
  await ticket(page).getByLabel('TP / SL').check()
  await field(page, 'Size').fill('0.1')
  await page
    .locator(ofOrder)
    .getByText(/^9\d,\d{3}$/)
    .waitFor()
  const notices = page.getByRole('button', { name: 'Dismiss' })
  while ((await notices.count()) > 0) await notices.first().click()
  for (const width of [1920, 1440, 1280, 1180, 1024, 900, 861])
    for (const height of [1080, 700]) {
      await page.setViewportSize({ width, height })
      await waitInSight(page, ofPosition, `${width} × ${height}`)
      await waitInSight(page, ofOrder, `${width} × ${height}`)
    }
  const view = (name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()
  for (const size of [phone, { width: 320, height: 568 }, { width: 860, height: 600 }]) {
    await page.setViewportSize(size)
    await view('Account')
    await waitInSight(page, ofPosition, `${size.width}`)
    await view('Trade')
    await waitInSight(page, ofOrder, `${size.width}`)
    await view('Chart')
    await waitInSight(page, onChart, `${size.width}`)
  }
})

test('a reduce-only order suggests the position size, the slider a share of it', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.08' })
  await positions(page).getByText('long').waitFor()
  const form = ticket(page)
  await kind(page, 'Stop')
  await form.getByLabel('Reduce only').check()
  // Also from the side that would not close it.
  await form.getByRole('button', { name: 'all of the long: 0.08' }).click()
  assert.equal(await field(page, 'Size').inputValue(), '0.08')
  assert.ok(await form.getByRole('radio', { name: 'Sell / Short' }).isChecked())
  await form.getByRole('slider', { name: 'Percentage of the position' }).fill('25')
  assert.equal(await field(page, 'Size').inputValue(), '0.02')
  await kind(page, 'Market')
  await form.getByRole('button', { name: 'all of the long: 0.08' }).click()
  await send(page)
  await page.getByText('No open positions').waitFor()
})
