import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import {
  focus,
  goToMarket,
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

const positions = (page: Page) => page.getByRole('table', { name: 'Positions' })

test('a first visit: a key, test money, a book, and a fill within one order', async () => {
  const page = await desk.visit()
  await page.getByText('Welcome to the sandbox').waitFor()
  await page.getByRole('region', { name: 'Asks' }).getByText('100,010').waitFor()
  await page.getByRole('region', { name: 'Bids' }).getByText('99,990').waitFor()
  await order(page, 'Market', { Size: '0.05' })
  await page.getByText('Open long BTC').waitFor()
  const row = positions(page).getByRole('row', { name: /BTC long/ })
  await row.waitFor()
  assert.match(await row.innerText(), /0\.05\s.*100,010/s)
  await page.getByRole('region', { name: 'Trades' }).getByText('100,010').first().waitFor()
  assert.deepEqual(desk.complaints, [])
})

test('the key of a visit is there at the next one, with its positions', async () => {
  const page = await desk.visit()
  await order(page, 'Market', { Size: '0.01' })
  await positions(page)
    .getByRole('row', { name: /BTC long/ })
    .waitFor()
  await page.reload()
  await positions(page)
    .getByRole('row', { name: /BTC long/ })
    .waitFor()
  assert.equal(await page.getByText('Welcome to the sandbox').count(), 0)
})

test('every order type does what it says', async () => {
  const page = await desk.visit()
  const orders = page.getByRole('table', { name: 'Open orders' })
  await order(page, 'Limit', { Price: '99000', Size: '0.1' })
  await tab(page, /Orders \(1\)/).click()
  await orders.getByRole('row', { name: /Buy Limit 99,000 0\.1/ }).waitFor()
  await page.getByRole('button', { name: /Cancel order/ }).click()
  await page.getByText('No open orders').waitFor()

  await ticket(page).getByLabel('Post only').check()
  await order(page, 'Limit', { Price: '99500', Size: '0.1' })
  await orders.getByRole('row', { name: /99,500/ }).waitFor()
  await ticket(page).getByLabel('Post only').uncheck()

  await order(page, 'Stop', { 'Trigger at mark': '101000', Size: '0.02' })
  await tab(page, /Stops & algos/).click()
  await page.getByRole('row', { name: /Buy Stop market ≥ 101,000/ }).waitFor()

  const levels = { Size: '0.02', 'Take profit': '103000', 'Stop loss': '97000' }
  await ticket(page).getByRole('radio', { name: 'Market' }).click()
  await ticket(page).getByLabel('TP / SL').check()
  await order(page, 'Market', levels)
  await page.getByRole('row', { name: /Sell Take profit market.*103,000/ }).waitFor()
  await page.getByRole('row', { name: /Sell Stop loss market.*97,000/ }).waitFor()

  await tab(page, /Orders/)
    .first()
    .click()
  await page.getByRole('button', { name: 'Cancel all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel all orders' })
  await dialog.getByText(/^Ends 1 order, 1 stop, 2 TP\/SL levels, on all markets/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel all orders' }).click()
  await page.getByText('No open orders').waitFor()
})

test('the size can be dollars or a share of what margin allows', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await form.getByRole('radio', { name: 'Market' }).click()
  await form.getByRole('button', { name: /Size in BTC/ }).click()
  await form.getByLabel('Size', { exact: true }).fill('1000')
  // In the preview too, as soon as there is one.
  await form.getByText('0.01 BTC', { exact: true }).first().waitFor()
  await form.getByRole('button', { name: /Size in USD/ }).click()
  assert.equal(await form.getByLabel('Size', { exact: true }).inputValue(), '0.01')
  await form.getByText(/max 0\.[0-9]*[1-9]/).waitFor()
  await form.getByRole('slider', { name: /Percentage/ }).fill('50')
  const half = Number(await form.getByLabel('Size', { exact: true }).inputValue())
  const most = Number(/max ([0-9.]+)/.exec(await form.innerText())?.[1])
  assert.ok(Math.abs(half - most / 2) < 0.001, `${half} is not half of ${most}`)
  await form.locator('.figures dd', { hasNotText: '–' }).first().waitFor()
})

test('a TWAP is executed while the clock runs, and stops when it is cancelled', async () => {
  const page = await desk.visit()
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await order(page, 'TWAP', { Size: '0.05', Duration: '0.5' })
  const refusal = ticket(page).locator('#refusal-duration')
  await refusal.getByText('0.5 is not a number of minutes from 1 to 1440').waitFor()
  assert.ok(!requests.some((path) => path.includes('/twap/create')), 'nothing was sent')
  await refusal.getByRole('button', { name: 'use 1' }).click()
  await ticket(page).locator('button[type=submit]').click()
  await tab(page, /Stops & algos \(1\)/).click()
  const row = page.getByRole('table', { name: 'Stops and algos' }).getByRole('row', { name: /BTC/ })
  await row.getByText('slice 1 of 3').waitFor()
  await desk.maker.sandboxSetClock({ advance_ms: 31_000 })
  await row.getByText('slice 2 of 3').waitFor()
  await row.getByRole('button', { name: /Cancel TWAP/ }).click()
  await page.getByText('No open stops or algos').waitFor()
  const past = page.getByRole('table', { name: 'Past algos' })
  await past.getByRole('row', { name: /0\.03333 \/ 0\.05.*Cancelled/ }).waitFor()
})

test('a TWAP with too small slices is rejected, and the suggestion is accepted', async () => {
  const page = await desk.visit()
  await order(page, 'TWAP', { Size: '0.001', Duration: '5' })
  const refusal = ticket(page).locator('#refusal-duration')
  await refusal.getByText('Each of 11 slices would be worth 9.00 USD').waitFor()
  await refusal.getByRole('button', { name: 'use 4.5' }).click()
  await ticket(page).locator('button[type=submit]').click()
  await tab(page, /Stops & algos \(1\)/).click()
  await page.getByText('slice 1 of 10').waitFor()
})

test('a withdrawal is requested, and is pending', async () => {
  const page = await desk.visit()
  await tab(page, /Balance/).click()
  await page.getByRole('button', { name: 'Withdraw' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw' })
  await dialog.getByLabel('USD').fill('2,500')
  await page.keyboard.press('Enter')
  await page.getByText(/Withdrawal \d+ requested/).waitFor()
  await page.getByRole('row', { name: /-2,500\.0000.*2,500\.00/ }).waitFor()
})

test('a rejection is shown at its field, and a click applies the accepted value', async () => {
  const page = await desk.visit()
  const form = ticket(page)
  await form.getByLabel('Price', { exact: true }).fill('99000.5')
  await form.getByLabel('Size', { exact: true }).fill('0.01')
  const refusal = form.locator('#refusal-price')
  await refusal.getByText(/not a multiple of the tick size 1/).waitFor()
  assert.equal(await form.getByLabel('Price', { exact: true }).getAttribute('aria-invalid'), 'true')
  await refusal.getByRole('button', { name: /use 99000/ }).click()
  assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '99000')
  await refusal.waitFor({ state: 'detached' })

  await form.getByLabel('Size', { exact: true }).fill('90')
  const much = form.locator('#refusal-amount')
  await much.getByRole('button', { name: /use [0-9.]+/ }).click()
  await much.waitFor({ state: 'detached' })
  assert.ok(Number(await form.getByLabel('Size', { exact: true }).inputValue()) < 90)
  await form.locator('button[type=submit]').click()
  await page.getByText(/Order \d+ accepted/).waitFor()
})

/** From the end of the price's text to the start of the equity's, whatever their boxes are. */
const gapInHeader = `(() => {
  const boxOf = (selector) => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(selector))
    return range.getBoundingClientRect()
  }
  return boxOf('.account-facts').left - boxOf('.last-price').right
})()`

test('on a phone one view at a time, and an order from the book to the position', async () => {
  const page = await desk.visit(phone)
  const views = page.getByRole('navigation', { name: 'Views' })
  const wide = () => page.evaluate('document.documentElement.scrollWidth') as Promise<number>
  assert.equal(await wide(), phone.width)
  for (const width of [360, phone.width]) {
    await page.setViewportSize({ ...phone, width })
    const between = (await page.evaluate(gapInHeader)) as number
    assert.ok(between >= 4, `price and equity are ${between} px apart at ${width}`)
  }
  await views.getByRole('button', { name: 'Book' }).click()
  await page.getByRole('region', { name: 'Asks' }).getByText('100,010').click()
  await views.getByRole('button', { name: 'Trade' }).click()
  assert.equal(await ticket(page).getByLabel('Price', { exact: true }).inputValue(), '100010')
  await order(page, 'Limit', { Size: '0.02' })
  await views.getByRole('button', { name: 'Account' }).click()
  await positions(page)
    .getByRole('row', { name: /BTC long/ })
    .waitFor()
  assert.equal(await wide(), phone.width)
})

test('by keyboard alone: palette, market, ticket, cancel', async () => {
  const page = await desk.visit()
  await page.keyboard.press('/')
  await focus(page.getByRole('combobox', { name: 'Command' }))
  await page.keyboard.type('limit order')
  await page.keyboard.press('Enter')
  const price = ticket(page).getByLabel('Price', { exact: true })
  await focus(price)
  await page.keyboard.type('98000')
  await page.keyboard.press('b')
  assert.equal(await price.inputValue(), '98000b', 'a letter in a field is text')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await page.keyboard.press('b')
  await focus(ticket(page).getByLabel('Size', { exact: true }))
  await page.keyboard.type('0.03')
  await page.keyboard.press('Enter')
  await tab(page, /Orders \(1\)/).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await page.getByRole('dialog', { name: 'Cancel all orders' }).waitFor()
  await page.keyboard.press('Enter')
  await tab(page, /^Orders$/).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const size = ticket(page).getByLabel('Size', { exact: true })
  await page.keyboard.press('2')
  await focus(size)
  await page.keyboard.press('s')
  await ticket(page).getByRole('button', { name: 'Sell BTC' }).waitFor()
  await page.keyboard.type('0.5s')
  assert.equal(await size.inputValue(), '0.5s', 'the side key works in an empty field only')
  await page.keyboard.press('Escape')
  await goToMarket(page, 'ETH')
})

test('an opened list keeps the keyboard focus, however late the page is drawn', async () => {
  const page = await desk.visit()
  await page.evaluate(`{
    const soon = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (draw) => setTimeout(() => soon(draw), 300)
  }`)
  const size = ticket(page).getByLabel('Size', { exact: true })
  await page.keyboard.press('/')
  await page.keyboard.type('market order')
  await page.keyboard.press('Enter')
  await page.keyboard.type('0.5')
  assert.equal(await size.inputValue(), '0.5', 'a command focuses its field before the next key')
  await page.keyboard.press('Escape')
  await page.keyboard.press('m')
  const search = page.getByRole('combobox', { name: 'Search markets' })
  await focus(search)
  await page.waitForTimeout(1_000)
  await page.keyboard.type('eth')
  assert.deepEqual([await search.inputValue(), await size.inputValue()], ['eth', '0.5'])
})

test('the shortcuts on the page are the documented ones', async () => {
  const page = await desk.visit()
  await page.keyboard.press('?')
  const shown = await page.getByRole('dialog').locator('kbd').allInnerTexts()
  const text = readFileSync(new URL('../../../docs/terminal.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/`([^`]|Ctrl K|Esc)`/g)].map(([, key]) => key)
  assert.deepEqual([...new Set(documented)].toSorted(), shown.toSorted())
})
