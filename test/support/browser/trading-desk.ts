// A visitor at the terminal: a real exchange with one quiet market maker, a real browser, one page.
// Prices stand still unless a test moves them, so that nothing depends on chance or speed.

import type { Locator, Page } from 'playwright-core'
import { Client } from '../../../src/client/client.ts'
import { keyOfSeed } from '../../../src/client/key.ts'
import { LiveExchange } from '../streams/live-exchange.ts'
import { whenTestEnds } from './browser-tests.ts'
import { launchBrowser, type RunningBrowser } from './chromium.ts'

/** How long a page may take to come to a state. Only a test that fails waits so long, and a machine
 *  that is busy with other things must not make one fail. */
const waitMs = 120_000

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
  private left: Page | null = null

  private constructor(url: string, running: RunningBrowser, exchange: LiveExchange | null) {
    this.url = url
    this.running = running
    this.exchange = exchange
    this.maker = new Client({ url, signer: keyOfSeed(new Uint8Array(32).fill(77)) })
  }

  static open(flags: readonly string[] = []): Promise<TradingDesk> {
    return TradingDesk.over(() => LiveExchange.start(flags))
  }

  /** With an exchange that the test runs itself. */
  static at(url: string): Promise<TradingDesk> {
    return TradingDesk.over(async () => url)
  }

  /** The browser first, and nothing left open when a step fails: a browser that does not start must
   *  not leave an exchange behind that keeps the file of tests from ever ending. */
  private static async over(place: () => Promise<LiveExchange | string>): Promise<TradingDesk> {
    const running = await launchBrowser()
    let exchange: LiveExchange | null = null
    try {
      const at = await place()
      if (typeof at !== 'string') exchange = at
      const desk = new TradingDesk(exchange?.url ?? String(at), running, exchange)
      await desk.makeMarket()
      return desk
    } catch (error) {
      await running.end()
      await exchange?.close()
      throw error
    }
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
    const page =
      prepare === undefined ? await this.usedPage(viewport) : await this.newPage(viewport)
    // A page that is no longer used would go on drawing, and slow the next test down.
    whenTestEnds(() => (prepare === undefined ? this.leave(page) : page.context().close()))
    await prepare?.(page)
    await page.goto(this.url)
    return page
  }

  private async newPage(viewport: Size): Promise<Page> {
    const context = await this.running.browser.newContext({ viewport, reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(waitMs)
    page.on('pageerror', (error) => this.complaints.push(`${error.message} ${error.stack ?? ''}`))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text())
    })
    return page
  }

  /** The page of an earlier visitor, if there is one: a new page is most of the cost of a visit. */
  private async usedPage(viewport: Size): Promise<Page> {
    const page = this.left
    this.left = null
    if (page === null) return this.newPage(viewport)
    await page.setViewportSize(viewport)
    return page
  }

  /** Nothing of this visitor stays in the page; otherwise the page is not used again. */
  private async leave(page: Page): Promise<void> {
    const context = page.context()
    try {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Cleared by the page itself, where no program of ours runs: the browser clears storage in
      // its own time, and the next visitor may arrive before.
      await page.goto(`${this.url}/health`)
      await page.evaluate('localStorage.clear(); sessionStorage.clear()')
      await page.goto('about:blank')
      await page.mouse.move(0, 0)
      if (this.left !== null || context.pages().length > 1) await context.close()
      else this.left = page
    } catch {
      await context.close()
    }
  }
}

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

export const tab = (page: Page, name: RegExp): Locator =>
  page.getByRole('tablist', { name: 'Account' }).getByRole('tab', { name })

/** Until what is typed goes there. */
export const focus = (what: Locator): Promise<void> =>
  what.and(what.page().locator(':focus')).waitFor()

/** Opens the list of markets by its key and goes to one, by keyboard alone. */
export async function goToMarket(page: Page, symbol: string): Promise<void> {
  await page.keyboard.press('m')
  await focus(page.getByRole('combobox', { name: 'Search markets' }))
  await page.keyboard.type(symbol.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Market ${symbol}` }).waitFor()
}

/** Until the page has drawn the latest update. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
}

const mainKinds = ['Limit', 'Market', 'Stop'] as const
export type Kind = (typeof mainKinds)[number] | 'OCO' | 'Iceberg' | 'Chase' | 'Scale' | 'TWAP'

/** Chooses a kind of order in the ticket. */
export async function chooseKind(page: Page, kind: Kind): Promise<void> {
  const form = ticket(page)
  if (mainKinds.some((main) => main === kind)) await form.getByRole('radio', { name: kind }).click()
  else await form.getByLabel('More order types').selectOption({ label: kind })
}

/** Fills the ticket and sends it. */
export async function order(
  page: Page,
  kind: Kind,
  fields: Readonly<Record<string, string>>,
  side: 'Buy / Long' | 'Sell / Short' = 'Buy / Long',
): Promise<void> {
  const form = ticket(page)
  await form.getByRole('radio', { name: side }).click()
  await chooseKind(page, kind)
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).fill(value)
  await form.locator('button[type=submit]').click()
}

/** Chooses the leverage of the market that is looked at. */
export async function setLeverage(page: Page, leverage: number): Promise<void> {
  await ticket(page)
    .getByRole('button', { name: /leverage/ })
    .click()
  const dialog = page.getByRole('dialog', { name: /^Margin of/ })
  await dialog.getByRole('slider').fill(String(leverage))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await ticket(page)
    .getByRole('button', { name: `${leverage}× leverage` })
    .waitFor()
}

/** Buys an amount that a small fall of the price liquidates. */
export async function buyNearlyAll(page: Page): Promise<void> {
  const form = ticket(page)
  await setLeverage(page, 50)
  await form.getByRole('radio', { name: 'Market' }).click()
  await form.getByText(/max [1-9]/).waitFor()
  await form.getByRole('slider', { name: /Percentage/ }).fill('95')
  await form.locator('button[type=submit]').click()
  // It takes more of the book than one would by accident.
  await page.getByRole('dialog', { name: 'Buy BTC' }).getByRole('button', { name: 'Send' }).click()
  await page.getByRole('table', { name: 'Positions' }).getByText('long').waitFor()
}
