// The whole state of the terminal. The page is a function of this object, and all user actions go
// through it. It uses neither document nor window, so that it also runs in tests.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { Client } from '../../client/client.ts'
import { Account } from './account/account.ts'
import { Seen } from './account/seen.ts'
import { KeyRing, type Trader } from './account/trader.ts'
import { Trading } from './account/trading.ts'
import { type Alert, Alerts, alertSources } from './alerts.ts'
import { Drawings } from './chart/drawings.ts'
import type { BottomTab, Desk, Explained, Overlay } from './desk.ts'
import { farPercent, muchOfDepth, percentBeyond, type Taking, takingOf } from './market/depth.ts'
import { LiveMarket } from './market/live-market.ts'
import { Markets } from './market/markets.ts'
import { type NewNotice, Notices } from './notices.ts'
import { fixed } from './number-text.ts'
import type { Page } from './pages/pages.ts'
import { createPreferences, type PreferenceStore, type Storage } from './preferences.ts'
import { Sandbox } from './sandbox.ts'
import { Streams } from './streams.ts'
import { refusalBy } from './ticket/draft-problems.ts'
import { orderKinds } from './ticket/order-kinds.ts'
import type { Request } from './ticket/order-request.ts'
import { Ticket } from './ticket/ticket.ts'
import { checkVenue, notifyImported, notifyReplaced } from './venues/venue-notices.ts'
import type { PreviewRequest } from './wire.ts'
import { ownNeed } from './words/own-need.ts'

export type TerminalOptions = Readonly<{
  url: string
  storage: Storage
  /** Token for a sandbox that other machines can reach. */
  sandboxToken?: string | undefined
}>

const firstMoney = '10000'

export class Terminal implements Desk {
  readonly url: string
  readonly preferences: PreferenceStore
  readonly notices = new Notices((work, ms) => setTimeout(work, ms))
  private readonly keyNotices = {
    show: (notice: NewNotice) => this.notices.show(notice),
    openKeys: () => this.open({ show: 'keys' }),
  }
  readonly keyRing: KeyRing
  readonly trader: ReadonlySignal<Trader | null>
  readonly address: ReadonlySignal<string | null>
  readonly markets: Markets
  readonly account = new Account()
  readonly seen: Seen
  /** Client for reads that need no key. */
  readonly visitor: Client
  /** Client for reads of the account, authenticated as its owner if possible. */
  readonly reader: ReadonlySignal<Client>
  readonly live: LiveMarket
  readonly streams: Streams
  readonly sandbox: Sandbox
  readonly ticket: Ticket
  readonly trading: Trading
  readonly alerts: Alerts
  readonly drawings: Drawings
  readonly overlay: Signal<Overlay | null> = signal(null)
  readonly drawer: Signal<boolean> = signal(false)
  readonly tab: Signal<BottomTab> = signal('positions')
  readonly page: Signal<Page> = signal('trade')
  /** Selected view on a phone. */
  readonly view: Signal<'chart' | 'book' | 'trade' | 'account'> = signal('chart')
  /** Why nothing can be shown yet; `null` if everything is loaded. */
  readonly trouble: Signal<string | null> = signal(null)

  constructor({ url, storage, sandboxToken }: TerminalOptions) {
    this.url = url
    this.preferences = createPreferences(storage)
    this.keyRing = new KeyRing(url, storage, () => notifyReplaced(this.keyNotices))
    this.seen = new Seen(storage)
    this.trader = this.keyRing.now
    this.address = computed(() => this.trader.value?.address ?? null)
    this.visitor = new Client({ url, sandboxToken })
    this.reader = computed(() => this.trader.value?.client ?? this.visitor)
    this.markets = new Markets(this.preferences)
    this.drawings = new Drawings(storage, this.markets.symbol)
    this.alerts = new Alerts(storage, (alert, value) => this.notifyAlert(alert, value))
    this.live = new LiveMarket(this.visitor)
    this.sandbox = new Sandbox(this)
    this.trading = new Trading(this)
    const { markets, account, preferences, address } = this
    const ask = (request: PreviewRequest) => this.askPreview(request)
    const now = () => this.streams.engineNow()
    this.ticket = new Ticket({ markets, account, preferences, address, ask, now })
    this.streams = new Streams(this)
    effect(() => this.alerts.check(this.markets.prices.value))
    effect(() => {
      if (this.trader.value !== null) void checkVenue(this.trader.value, this.keyNotices)
    })
  }

  private notifyAlert({ symbol, source, level, above }: Alert, value: number): void {
    const unit = source === 'funding' ? '%' : ''
    const reached = `${above ? 'at or above' : 'at or below'} ${level}${unit}`
    this.notices.show({
      kind: 'warning',
      title: `${symbol} alert`,
      text: `${alertSources[source]} is ${value}${unit}, ${reached}.`,
      stays: true,
      link: { label: `Go to ${symbol}`, open: () => this.trade(symbol) },
    })
  }

  /** Loads constant data, then follows changing data. */
  async start(): Promise<void> {
    const known = this.keyRing.resume()
    const [prices] = await Promise.all([
      this.visitor.getPrices(),
      this.loadMarkets(),
      this.sandbox.refresh(),
    ])
    this.markets.updatePrices(prices)
    // A sandbox's clock may be hours ahead of ours, and history is requested by the sandbox's
    // clock.
    if (prices[0] !== undefined) this.streams.updateTime(prices[0].timestamp)
    this.streams.start()
    if (!this.sandbox.is.peek()) return
    if (known) await this.welcomeBack()
    else await this.welcome(this.keyRing.create(), 'A key was made in this browser.')
  }

  async loadMarkets(): Promise<void> {
    const [list, risk, fees] = await Promise.all([
      this.visitor.getInfo(),
      this.visitor.getRisk(),
      this.visitor.getFees(),
    ])
    this.markets.list.value = list
    this.markets.fees.value = fees
    this.markets.limits.value = risk.limits
    this.markets.updateRisk(risk.markets)
  }

  /** Funds a new key with test money, so that a new visitor of a sandbox can trade immediately. */
  private async welcome(account: string, text: string): Promise<void> {
    const money = `${fixed(firstMoney, 0)} USD of test money`
    const done = await this.sandbox.fund(firstMoney)
    if (!done || account !== this.address.peek()) return
    this.notices.show({
      kind: 'good',
      title: 'Welcome to the sandbox',
      text: `${text} It has ${money}.`,
      link: { label: 'Your key', open: () => this.open({ show: 'keys' }) },
    })
  }

  /** Funds the key of an earlier visit if this exchange does not know it. */
  private async welcomeBack(): Promise<void> {
    const trader = this.trader.peek()
    const history = await trader?.client.getBalanceHistory({ limit: 1 }).catch(() => null)
    if (trader !== null && history?.rows.length === 0)
      await this.welcome(trader.address, 'The key of this browser is new here.')
  }

  /** Requests a preview, as the key that would sign the order. */
  private async askPreview(request: PreviewRequest) {
    const agent = this.trader.peek()?.agent ?? null
    const signed = agent === null ? request : { ...request, agent_wallet: agent }
    const preview = await this.reader.peek().previewOrder(signed)
    const { error } = preview
    if (error === undefined) return preview
    return { ...preview, error: ownNeed(error, this.account.numbers.peek()) }
  }

  /** Imports a secret; throws if it is invalid. */
  importKey(secret: string): void {
    this.keyRing.import(secret)
    notifyImported(this.keyNotices)
  }

  open(overlay: Overlay): void {
    this.overlay.value = overlay
  }

  close(): void {
    this.overlay.value = null
  }

  explain(what: Explained): void {
    this.overlay.value = { show: 'why', what }
  }

  /** Opens the trade page of a market. */
  trade(symbol: string): void {
    batch(() => {
      this.page.value = 'trade'
      this.markets.choose(symbol)
    })
  }

  showTab(tab: BottomTab): void {
    this.page.value = 'trade'
    this.tab.value = tab
    this.view.value = 'account'
  }

  showSandbox(): void {
    this.drawer.value = this.sandbox.is.peek()
  }

  /** Sends the order immediately, or after a confirmation if the user has chosen that. Returns
   *  `false` if a refusal is shown at its field. A plain order is sent in spite of a refusal,
   *  because the market may have moved. An order with a confirmation, or several orders, can be
   *  corrected first. */
  submit(): boolean {
    if (this.ticket.sending.peek()) return true
    const { request, problem } = this.ticket.builtNow()
    if (problem !== null) {
      this.ticket.refusal.value = refusalBy(problem)
      return false
    }
    const { confirm, caution } = this.preferences.now.peek()
    const asks =
      confirm ||
      (caution && (this.takesMuch(this.takingOf(request)) || this.farBeyond(request) !== null))
    if ((asks || orderKinds[request.kind].checked) && this.ticket.isRefused()) return false
    if (asks) this.open({ show: 'order', request })
    else void this.trading.send(request)
    return true
  }

  /** The part of the selected book that a market order would take; `null` for another market, or if
   *  it would take nothing. */
  takingOf({ kind, body }: Request): Taking | null {
    if (kind !== 'market' || body.symbol !== this.markets.symbol.peek()) return null
    const { side, amount, slippage_percent } = body
    return takingOf(this.live.levels(side === 'bid' ? 'ask' : 'bid'), {
      side,
      amount: Number(amount),
      mark: this.markets.mark.peek(),
      slippagePercent: Number(slippage_percent),
    })
  }

  /** Distance in percent beyond the mark at which a limit order would take; `null` if it is small,
   *  or if the order would not take. */
  farBeyond({ kind, body }: Request): number | null {
    if (kind !== 'limit' || body.tif === 'ALO' || body.tif === 'TOB') return null
    if (body.symbol !== this.markets.symbol.peek()) return null
    const percent = percentBeyond(body.side, Number(body.price), this.markets.mark.peek())
    return percent > farPercent ? percent : null
  }

  takesMuch(taking: Taking | null): boolean {
    return taking !== null && taking.share > muchOfDepth
  }

  /** Confirms an irreversible action if the user has chosen that. `costly` actions are confirmed
   *  unless the user has disabled it. */
  confirm(title: string, text: string, act: () => void, costly = false): void {
    const { confirm, caution } = this.preferences.now.peek()
    if (confirm || (costly && caution)) this.open({ show: 'confirm', title, text, act })
    else act()
  }
}
