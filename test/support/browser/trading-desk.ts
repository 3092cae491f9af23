// A visitor at the terminal: a real exchange with one quiet market maker, a real browser, one page.
// Prices stand still unless a test moves them, so that nothing depends on chance or speed.

import type { Locator, Page } from 'playwright-core'
import { Client } from '../../../src/client/client.ts'
import { keyOfSeed } from '../../../src/client/key.ts'
import { LiveExchange } from '../streams/live-exchange.ts'
import { launchBrowser, type RunningBrowser } from './chromium.ts'

export type Size = Readonly<{ width: number; height: number }>

export const desktop: Size = { width: 1440, height: 900 }
export const phone: Size = { width: 390, height: 844 }

/** Where the index of BTC stands, and how far from it the maker quotes. */
export const index = 100_000
const quotes = [10, 20, 50, 100]

export class TradingDesk {
  readonly url: string
  readonly maker: Client
  private readonly running: RunningBrowser
  /** What the page complained about. */
  readonly complaints: string[] = []
  private readonly exchange: LiveExchange | null

  private constructor(url: string, running: RunningBrowser, exchange: LiveExchange | null) {
    this.url = url
    this.running = running
    this.exchange = exchange
    this.maker = new Client({ url, signer: keyOfSeed(new Uint8Array(32).fill(77)) })
  }

  static async open(flags: readonly string[] = []): Promise<TradingDesk> {
    const [exchange, browser] = await Promise.all([LiveExchange.start(flags), launchBrowser()])
    const desk = new TradingDesk(exchange.url, browser, exchange)
    await desk.makeMarket()
    return desk
  }

  /** With an exchange that the test runs itself. */
  static async at(url: string): Promise<TradingDesk> {
    const desk = new TradingDesk(url, await launchBrowser(), null)
    await desk.makeMarket()
    return desk
  }

  async close(): Promise<void> {
    await this.running.end()
    await this.exchange?.close()
  }

  private async makeMarket(): Promise<void> {
    await this.maker.sandboxFaucet({ amount: '100000000' })
    await this.setIndex(index)
    await this.quote(index)
  }

  async setIndex(price: number): Promise<void> {
    await this.maker.sandboxSetOracle({ symbol: 'BTC', price: String(price) })
  }

  async quote(around: number): Promise<void> {
    for (const away of quotes)
      for (const side of ['bid', 'ask'] as const)
        await this.maker.createOrder({
          symbol: 'BTC',
          side,
          price: String(side === 'bid' ? around - away : around + away),
          amount: '2',
          tif: 'ALO',
          reduce_only: false,
        })
  }

  /** A new visitor with a clean browser; the page is there when its key has money. What `prepare`
   *  does is done before the page is loaded. */
  async visit(viewport: Size = desktop, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await this.arrive(viewport, prepare)
    await page.getByText('Equity', { exact: true }).first().waitFor({ state: 'attached' })
    await page.locator('.account-facts').waitFor()
    return page
  }

  /** The same, without waiting for the account to be shown. */
  async arrive(viewport: Size = desktop, prepare?: (page: Page) => Promise<unknown>) {
    const context = await this.running.browser.newContext({ viewport, reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    page.on('pageerror', (error) => this.complaints.push(`${error.message} ${error.stack ?? ''}`))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text())
    })
    await prepare?.(page)
    await page.goto(this.url)
    return page
  }
}

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

export const tab = (page: Page, name: RegExp): Locator =>
  page.getByRole('tablist', { name: 'Account' }).getByRole('tab', { name })

/** Fills the ticket and sends it. */
export async function order(
  page: Page,
  kind: 'Limit' | 'Market' | 'Stop' | 'TWAP',
  fields: Readonly<Record<string, string>>,
  side: 'Buy / Long' | 'Sell / Short' = 'Buy / Long',
): Promise<void> {
  const form = ticket(page)
  await form.getByRole('radio', { name: side }).click()
  await form.getByRole('radio', { name: kind }).click()
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.locator('button[type=submit]').click()
}

/** Buys so much that a small fall of the price liquidates it. */
export async function buyNearlyAll(page: Page): Promise<void> {
  const form = ticket(page)
  await form.getByRole('radio', { name: 'Market' }).click()
  await form.getByText(/max [1-9]/).waitFor()
  await form.getByRole('slider', { name: /Percentage/ }).fill('95')
  await form.locator('button[type=submit]').click()
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
}
