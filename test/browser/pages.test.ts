import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { after, before, test } from '../support/browser/browser-tests.ts'
import { focus, phone, TradingDesk } from '../support/browser/trading-desk.ts'

let desk: TradingDesk
before(async () => {
  desk = await TradingDesk.open()
})
after(() => desk?.close())

const links = (page: Page) => page.getByRole('navigation', { name: 'Pages', exact: true })
const title = (page: Page, name: string) =>
  page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor()
const path = (page: Page) => new URL(page.url()).pathname

test('markets are sorted by each column, made favourites, and open at their address', async () => {
  const page = await desk.visit()
  await links(page).getByRole('link', { name: 'Markets' }).click()
  await title(page, 'Markets')
  assert.equal(path(page), '/markets')
  assert.equal(await page.title(), 'Markets · openperp')
  const table = page.getByRole('main').getByRole('table', { name: 'Markets' })
  const column = (at: number) => table.locator(`tbody td:nth-child(${at})`).allInnerTexts()
  for (const [name, at] of [
    ['Price', 3],
    ['24 h change', 4],
    ['24 h volume', 5],
    ['Open interest', 6],
    ['Funding, 1 h', 7],
    ['Annualised', 8],
  ] as const) {
    await table.getByRole('button', { name, exact: true }).click()
    await table.getByRole('columnheader', { name }).and(page.locator('[aria-sort]')).waitFor()
    assert.ok((await column(at)).length > 1, name)
  }
  const name = table.getByRole('button', { name: 'Market', exact: true })
  await name.focus()
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
  const eth = page.getByRole('main').getByRole('link', { name: 'ETH' })
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

test('on a phone the menu leads to each page, and none scrolls sideways', async () => {
  const page = await desk.visit(phone)
  for (const name of ['Markets', 'Trade']) {
    await page.getByRole('button', { name: 'Pages' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    if (name === 'Trade') continue
    await title(page, name)
    const wide = "[...document.querySelectorAll('html, .page')].map((e) => e.scrollWidth)"
    assert.deepEqual(await page.evaluate(wide), [phone.width, phone.width], name)
  }
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
})
