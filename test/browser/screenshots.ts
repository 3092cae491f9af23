import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { Client } from '../../src/client/client.ts'
import { newKey } from '../../src/client/key.ts'
import { launchBrowser } from '../support/browser/chromium.ts'
import { desktop, order, phone, tab } from '../support/browser/trading-desk.ts'
import { programOptions } from '../support/program/program.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { settle, setUpWork, takeKinds, takeLevels, takeSmall, takeWork } from './kind-pictures.ts'

programOptions({
  name: 'screenshots',
  about:
    'Takes the pictures of README.md and docs/terminal.md from the running product: a new ' +
    'sandbox runs for some hours, a visitor trades a little, and the page is photographed.',
})

const images = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
/** Simulated history before the visitor arrives. */
const minutes = 400
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** In small steps, so that the bots trade throughout. */
async function live(client: Client, minutes: number): Promise<void> {
  const stepMs = 15_000
  for (let step = 0; step < (minutes * 60_000) / stepMs; step++)
    await client.sandboxSetClock({ advance_ms: stepMs })
}

async function markOf(page: Page): Promise<number> {
  return Number((await page.locator('.last-price').innerText()).replaceAll(',', ''))
}

async function choose(page: Page, symbol: string): Promise<void> {
  await page.locator('body').press('Escape')
  await page.keyboard.press('m')
  await page.keyboard.type(symbol)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: new RegExp(`Market ${symbol}`, 'i') }).waitFor()
  await page.locator('.asks .book-row').first().waitFor()
}

/** Positions, levels and orders for the pictures. */
async function trade(page: Page): Promise<void> {
  await page.getByRole('radio', { name: '5m', exact: true }).click()
  await choose(page, 'SOL')
  await order(page, 'Market', { Size: '12' })
  await choose(page, 'ETH')
  await order(page, 'Market', { Size: '1.5' }, 'Sell / Short')
  await choose(page, 'BTC')
  await order(page, 'Market', { Size: '0.12' })
  const levels = page.getByRole('button', { name: 'Take profit and stop loss of BTC' })
  await levels.click()
  const mark = await markOf(page)
  await page.getByLabel('Take profit at mark').fill(String(mark + 160))
  await page.getByLabel('Stop loss at mark').fill(String(mark - 160))
  await page.getByRole('button', { name: 'Save' }).click()
  await order(page, 'Limit', { Price: String(mark - 90), Size: '0.08' })
  await tab(page, /Orders \(1\)/).waitFor()
  await page.locator('.toast').first().waitFor({ state: 'detached', timeout: 30_000 })
}

async function takeDesktop(browser: Browser, url: string): Promise<string> {
  const context = await browser.newContext({ viewport: desktop, deviceScaleFactor: 1.5 })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('.account-facts').waitFor()
  await trade(page)
  await page.locator('#ticket-size').fill('0.05')
  await page.locator('#ticket-price').fill(String((await markOf(page)) - 40))
  await page.mouse.move(700, 860)
  await wait(1_500)
  await page.screenshot({ path: join(images, 'terminal-dark.png') })
  await page.locator('body').press('Escape')
  await page.keyboard.press('d')
  await wait(1_000)
  await page.screenshot({ path: join(images, 'terminal-light.png') })
  await takeKeys(page, 'light')
  await page.keyboard.press('d')
  await takeKeys(page, 'dark')
  await takeOrderKinds(page)
  await takePages(page)
  return JSON.stringify(await context.storageState())
}

/** The pages other than the trade page, in both themes. */
async function takePages(page: Page): Promise<void> {
  const links = page.getByRole('navigation', { name: 'Pages', exact: true })
  for (const look of ['dark', 'light'] as const) {
    for (const name of ['Markets', 'Portfolio', 'Leaderboard']) {
      await links.getByRole('link', { name }).click()
      await page.getByRole('main').getByRole('table').first().waitFor()
      await wait(1_500)
      await page.screenshot({ path: join(images, `terminal-${name.toLowerCase()}-${look}.png`) })
    }
    await page.locator('body').press('d')
  }
  await links.getByRole('link', { name: 'Trade' }).click()
}

/** The order kinds, in both themes. */
async function takeOrderKinds(page: Page): Promise<void> {
  await setUpWork(page, await markOf(page))
  for (const look of ['dark', 'light'] as const) {
    const scene = { images, look, mark: await markOf(page) }
    await takeKinds(page, scene)
    await takeLevels(page, scene)
    await takeWork(page, scene)
    await page.locator('body').press('Escape')
    await page.keyboard.press('d')
  }
}

/** A trailing stop in the ticket and on the chart, and the keys of bots. */
async function takeKeys(page: Page, look: 'light' | 'dark'): Promise<void> {
  await page.locator('body').press('Escape')
  await page.keyboard.press('3')
  await page.getByLabel('Trailing').check()
  const fields = { 'Trail by': '0.1', Size: '0.05' }
  await order(page, 'Stop', fields, 'Sell / Short')
  await page.locator('.line-tag', { hasText: 'Trailing sell' }).first().waitFor()
  await page.getByLabel('Trailing').check()
  await page.getByLabel('Trail by').fill('0.25')
  await wait(1_500)
  await page.screenshot({ path: join(images, `terminal-trailing-${look}.png`) })
  await page.locator('body').press('Escape')
  await page.keyboard.press('k')
  await page.getByRole('tab', { name: 'Agents' }).click()
  for (const markets of ['BTC ETH', 'SOL']) {
    await page.getByRole('button', { name: 'Bind a key with a policy' }).click()
    await page.getByLabel('Address of the key').fill(newKey().address)
    await page.getByLabel('Markets; empty: all').fill(markets)
    if (markets === 'SOL') break
    await page.getByRole('button', { name: 'Bind it' }).click()
    await page
      .getByText(/positions to 5,000/)
      .first()
      .waitFor()
  }
  await wait(1_000)
  await page.screenshot({ path: join(images, `terminal-keys-${look}.png`) })
  await page.keyboard.press('Escape')
  await page.locator('body').press('Escape')
}

/** The same visitor, on a phone. */
async function takePhone(browser: Browser, url: string, visitor: string): Promise<void> {
  const storageState = JSON.parse(visitor)
  const context = await browser.newContext({ viewport: phone, deviceScaleFactor: 2, storageState })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('.account-facts').waitFor()
  await settle(page)
  await page.screenshot({ path: join(images, 'terminal-phone.png') })
  for (const name of ['Markets', 'Portfolio', 'Trade']) {
    await page.getByRole('button', { name: 'Pages' }).click()
    await page.getByRole('menuitemradio', { name }).click()
    if (name === 'Trade') continue
    await page.getByRole('main').getByRole('table').first().waitFor()
    await wait(1_500)
    await page.screenshot({ path: join(images, `terminal-phone-${name.toLowerCase()}.png`) })
  }
  await takeSmall(page, { images, mark: await markOf(page) })
}

const folder = mkdtempSync(join(tmpdir(), 'openperp-pictures-'))
mkdirSync(images, { recursive: true })
const exchange = new ChildExchange(folder)
const { browser, end } = await launchBrowser()
try {
  const { port } = await exchange.ready
  const url = `http://127.0.0.1:${port}`
  await live(new Client({ url }), minutes)
  await takePhone(browser, url, await takeDesktop(browser, url))
} finally {
  await end()
  exchange.kill('SIGTERM')
  await exchange.ended
  rmSync(folder, { recursive: true, force: true })
}
