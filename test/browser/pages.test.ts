import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { focus, order, phone, TradingDesk } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
// Accounts are private, so there is no leaderboard; the portfolio is read with the key of the page.
before(async () => {
  desk = await TradingDesk.open(['--reads', 'owner'])
})
after(() => desk?.close())

const links = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true })
const main = (page: Page) => page.getByRole('main')
const title = (page: Page, name: string) =>
  main(page).getByRole('heading', { name, exact: true }).waitFor()
const path = (page: Page) => new URL(page.url()).pathname

test('markets are sorted by each column, made favourites, and open at their address', async () => {
  const page = await desk.visit()
  await links(page).getByRole('link', { name: 'Markets' }).click()
  await title(page, 'Markets')
  assert.equal(path(page), '/markets')
  assert.equal(await page.title(), 'Markets · openperp')
  const table = main(page).getByRole('table', { name: 'Markets' })
  const cells = (at: number) => table.locator(`tbody td:nth-child(${at})`).allInnerTexts()
  for (const [name, at] of [
    ['Price', 2],
    ['24 h change', 3],
    ['24 h volume', 4],
    ['Open interest', 5],
    ['Funding, 1 h', 6],
    ['Annualised', 7],
  ] as const) {
    await table.getByRole('button', { name }).click()
    await table.getByRole('columnheader', { name }).and(page.locator('[aria-sort]')).waitFor()
    assert.ok((await cells(at)).length > 1, name)
  }
  const name = table.getByRole('button', { name: 'Market' })
  await name.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const symbols = (await table.getByRole('link').allInnerTexts()).join()
  assert.equal(symbols, symbols.split(',').toSorted().join())
  await table.getByRole('button', { name: 'ETH is a favourite' }).click()
  await page.getByRole('radio', { name: 'Favourites' }).click()
  assert.deepEqual(await table.getByRole('link').allInnerTexts(), ['ETH'])
  await table.getByRole('row').last().click()
  await page.getByRole('button', { name: 'Market ETH' }).waitFor()
  assert.equal(path(page), '/trade/ETH')
  assert.deepEqual(desk.complaints, [])
})

test('back and forward lead through pages and markets, and addresses open them', async () => {
  const page = await desk.visit()
  await page.locator('body').press('/')
  await page.keyboard.type('markets page')
  await page.keyboard.press('Enter')
  await title(page, 'Markets')
  const eth = main(page).getByRole('link', { name: 'ETH' })
  await eth.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Market ETH' }).waitFor()
  await page.goBack()
  await title(page, 'Markets')
  await page.goBack()
  await page.getByRole('button', { name: 'Market BTC' }).waitFor()
  assert.equal(path(page), '/trade/BTC')
  await page.goForward()
  await page.goForward()
  await page.getByRole('button', { name: 'Market ETH' }).waitFor()
  await page.goto(`${desk.url}/markets`)
  await title(page, 'Markets')
  // The keys of the ticket work on each page.
  await eth.waitFor()
  await page.locator('body').press('b')
  await focus(page.locator('#ticket-size'))
  assert.equal(path(page), '/trade/ETH')
})

const numberIn = (text: string) => Number(text.replaceAll(/[^\d.+-]/g, ''))

/** The numbers of a column, without those of other names in its row. */
async function column(page: Page, table: string, name: string): Promise<readonly number[]> {
  const cells = main(page).getByRole('table', { name: table }).locator(`[data-name="${name}"]`)
  return (await cells.allInnerTexts()).map(numberIn)
}

test('the portfolio has profit by kind and market, and the closed position', async () => {
  const page = await desk.visit()
  await links(page).getByRole('link', { name: 'Portfolio' }).click()
  await main(page).getByRole('link', { name: 'Trade BTC' }).click()
  await order(page, 'Market', { Size: '0.5' })
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
  await order(page, 'Market', { Size: '0.5' }, 'Sell / Short')
  await page.getByRole('table', { name: 'Positions' }).waitFor({ state: 'detached' })
  await links(page).getByRole('link', { name: 'Portfolio' }).click()
  const closed = main(page).getByRole('table', { name: 'Closed positions' })
  await closed.getByText('long').waitFor()
  // Bought at 100,010, sold at 99,990: a loss of 10, and the fees.
  const [profit] = await column(page, 'Closed positions', 'Net')
  const [fees] = await column(page, 'Closed positions', 'Fees')
  assert.ok(Math.abs(profit! + fees! + 10) < 0.02 && fees! > 0, `${profit} ${fees}`)
  assert.deepEqual(await column(page, 'Profit by market', 'Profit'), [profit])
  assert.deepEqual(await column(page, 'Profit by market', 'Fills'), [2])
  const kinds = main(page).getByRole('table', { name: 'Profit by kind' }).locator('td.num')
  await kinds.getByText(String(profit)).waitFor()
  const values = (await kinds.allInnerTexts()).map(numberIn)
  const sum = values.slice(0, -1).reduce((total, value) => total + value, 0)
  assert.ok(Math.abs(sum - profit!) < 0.03, String(values))
  await main(page).getByRole('table', { name: 'Fee levels' }).getByRole('row').nth(1).waitFor()
  await main(page).getByRole('radio', { name: '7d' }).press('ArrowRight')
  await main(page).getByRole('radio', { name: '30d', checked: true }).waitFor()
  for (const name of ['Drawdown', 'Equity', 'Profit']) {
    await main(page).getByRole('radio', { name }).click()
    await main(page)
      .getByRole('img', { name: new RegExp(`^${name}:`) })
      .waitFor()
  }
  assert.deepEqual(desk.complaints, [])
})

test('where accounts are private, the leaderboard says so', async () => {
  const page = await desk.visit()
  await page.goto(`${desk.url}/leaderboard`)
  await main(page).getByText('shows an account to its owner only').waitFor()
  await main(page).getByRole('link', { name: 'portfolio' }).click()
  await title(page, 'Portfolio')
})

test('on a phone the menu leads to each page, and none scrolls sideways', async () => {
  const page = await desk.visit(phone)
  for (const name of ['Markets', 'Portfolio', 'Leaderboard', 'Trade']) {
    await page.getByRole('button', { name: 'Pages' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    if (name === 'Trade') continue
    await title(page, name)
    await main(page).locator('.card').first().waitFor()
    const wide = "[...document.querySelectorAll('html, .page')].map((e) => e.scrollWidth)"
    assert.deepEqual(await page.evaluate(wide), [phone.width, phone.width], name)
  }
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
})
