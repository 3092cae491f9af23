// An operator at the console: a venue with a market, prices and two traders, whose admin port a
// real browser visits.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type Key, newKey } from '../../../src/client/key.ts'
import { adminScopes } from '../../../src/protocol/admin/admin-row.ts'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import { AdminClient } from '../http/admin-client.ts'
import { dataOf, type Row } from '../http/api-client.ts'
import { type Live, liveExchange } from '../http/live-exchange.ts'
import { Custody } from '../treasury/treasury-rounds.ts'
import { hurriedTime } from '../webhooks/hurried-time.ts'
import { type RefusingHook, refusingHook, secret } from '../webhooks/receiver.ts'
import { launchBrowser, type RunningBrowser } from './chromium.ts'
import { desktop, type Size } from './trading-desk.ts'

/** Only a test that fails waits so long. */
const waitMs = 60_000
/** Pushing this often keeps the market's prices fresh. */
const pushMs = 2_000

export const everyScope = adminScopes.join('+')
export const tokenOf = (name: string) => `the-token-of-${name}-alone`
const holders = [
  ['ann', everyScope],
  ['bob', everyScope],
  ...adminScopes.map((scope) => [scope, scope]),
  ...adminScopes.map((scope) => [`reads-${scope}`, `read+${scope}`]),
  ['one', 'prices'],
  ['two', 'prices'],
]
const tokens = [
  `root:the-token-of-every-scope:${everyScope}`,
  ...holders.map(([name, scopes]) => `${name}:${tokenOf(name!)}:${scopes}`),
].join(',')

export const listing = {
  symbol: 'BTC',
  base_asset: 'BTC',
  tick_size: '1',
  lot_size: '0.00001',
  min_tick: '1',
  max_tick: '1000000',
  isolated_only: false,
  oracle: '100000',
  backstop_address: ownerlessAddress('backstop of the console'),
  max_leverage: 50,
  min_order_size: '10',
  max_order_size: '5000000',
  band_near_percent: '5',
  band_far_percent: '30',
  speedbump_ms: 0,
  open_interest_cap: '1000',
  open_interest_lower: '0',
  open_interest_upper: '0',
  impact_notional: '10000',
  backstop_value_max: '1000000',
  backstop_daily_loss_max: '100000',
  risk_tiers: [{ from_value: '1000000', max_leverage: 20 }],
} as const

/** The other services of the venue. */
type Around = Readonly<{ hook: RefusingHook; custody: Custody }>

const leave = ({ folder }: Custody) => rmSync(folder, { recursive: true, force: true })

export class ConsoleDesk {
  readonly live: Live
  readonly hook: RefusingHook
  readonly admin: AdminClient
  /** Its folder is the treasury. */
  readonly custody: Custody
  readonly long: Key = newKey()
  readonly short: Key = newKey()
  /** What pages complained about. */
  readonly complaints: string[] = []
  private readonly running: RunningBrowser
  private readonly pushing: NodeJS.Timeout

  private constructor(live: Live, running: RunningBrowser, around: Around) {
    this.live = live
    this.hook = around.hook
    this.custody = around.custody
    this.running = running
    this.admin = new AdminClient(live)
    this.pushing = setInterval(() => void this.push().catch(() => undefined), pushMs)
  }

  static async open(): Promise<ConsoleDesk> {
    const running = await launchBrowser()
    let live: Live | null = null
    const custody = new Custody(mkdtempSync(join(tmpdir(), 'openperp-custody-')))
    let hook: RefusingHook | null = null
    try {
      hook = await refusingHook()
      const treasury = JSON.stringify({ kind: 'files', folder: custody.folder })
      const webhooks = JSON.stringify([{ name: 'payments', url: hook.url, secret, tryMinutes: 1 }])
      const flags = [
        ...['--mode', 'venue', '--admin-tokens', tokens],
        ...['--webhooks', webhooks, '--treasury', treasury],
      ]
      live = await liveExchange(flags, undefined, { webhookTime: hurriedTime() })
      const desk = new ConsoleDesk(live, running, { hook, custody })
      await desk.furnish()
      return desk
    } catch (error) {
      await running.end()
      await live?.close()
      await hook?.close()
      leave(custody)
      throw error
    }
  }

  /** The market, both sources, and a long of 50,000 USD against a short of as much. */
  private async furnish(): Promise<void> {
    dataOf(await this.admin.post('/markets/list', listing))
    await this.push()
    await this.fund(this.long, '2000')
    await this.fund(this.short, '50000')
    const deal = { symbol: 'BTC', price: '100000', amount: '0.5' }
    await this.live.trade({ ...deal, buyer: this.long, seller: this.short })
    const resting = { symbol: 'BTC', side: 'ask', price: '104000', amount: '0.01' }
    await this.live.order(this.short, resting)
  }

  async fund({ address: account }: Key, amount: string): Promise<void> {
    const reference = `first-deposit-of-${account}`
    dataOf(await this.admin.post('/deposits', { account, amount, reference }))
  }

  private async push(): Promise<void> {
    for (const name of ['one', 'two']) {
      const source = new AdminClient(this.live, tokenOf(name))
      const price = name === 'one' ? '100010' : '99990'
      dataOf(await source.post('/prices', { prices: [{ symbol: 'BTC', price }] }))
    }
  }

  async withdrawal(key: Key, amount: string): Promise<number> {
    const reply = await this.live.api.signed(key, '/account/withdraw', { amount })
    return dataOf<{ withdrawal_id: number }>(reply).withdrawal_id
  }

  async newest(): Promise<Row> {
    return dataOf<Row[]>(await this.admin.get('/journal', { limit: 1 }))[0]!
  }

  /** A tab of its own, at the door. */
  async arrive(viewport: Size = desktop): Promise<Page> {
    const context = await this.running.browser.newContext({
      ...{ viewport, reducedMotion: 'reduce', colorScheme: 'dark' },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(waitMs)
    page.on('pageerror', (error) => this.complaints.push(`${error.message} ${error.stack ?? ''}`))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.complaints.push(message.text())
    })
    await page.goto(this.live.adminUrl)
    return page
  }

  /** The same, past the door. */
  async visit(name: string, viewport: Size = desktop): Promise<Page> {
    const page = await this.arrive(viewport)
    await enter(page, tokenOf(name))
    return page
  }

  async close(): Promise<void> {
    clearInterval(this.pushing)
    await this.running.end()
    await this.live.close()
    await this.hook.close()
    leave(this.custody)
  }
}

export async function enter(page: Page, token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(token)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
}

export async function goTo(page: Page, title: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByText(title, { exact: true }).click()
  await page.getByRole('main', { name: title }).waitFor()
}

export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** What it says that it would change: name, now, next. */
export async function changesIn(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = dialog(page).getByRole('table', { name: 'What changes' }).locator('tbody tr')
  await rows.first().waitFor()
  return Promise.all((await rows.all()).map((row) => row.locator('td').allInnerTexts()))
}

/** Fills in the fields by label, and opens the preview of the change. */
export async function review(page: Page, fields: Readonly<Record<string, string>> = {}) {
  for (const [label, value] of Object.entries(fields)) {
    const input = dialog(page).getByLabel(label, { exact: true })
    await input.waitFor()
    const isChoice = (await input.and(page.locator('select')).count()) === 1
    if (isChoice) await input.selectOption(value)
    else await input.fill(value)
  }
  if (Object.keys(fields).length > 0)
    await dialog(page).getByRole('button', { name: 'Review' }).click()
  return changesIn(page)
}

/** Enters the reason and confirms; done when the dialog is closed. */
export async function confirm(page: Page, why: string): Promise<void> {
  await dialog(page).getByLabel('Reason').fill(why)
  await dialog(page).locator('.dialog-foot .primary').click()
  const gone = dialog(page).waitFor({ state: 'detached' })
  await gone.catch(async (cause: Error) => {
    throw new Error(`it stays: ${await dialog(page).innerText()}`, { cause })
  })
}
