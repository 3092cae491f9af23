// An exchange in process for scenarios of many accounts: the core alone, its clock, the feeds of
// its markets, and listeners to the events of each command. Only the commands that every client has
// change it.

import type { ClosedState, Command, EventLog, ExchangeView } from '../../../src/core/index.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { type OrderPlan, orderCommand, type Plain, takingCommand } from './commands.ts'
import { DOLLAR, type Edition, type MarketPlan, reserveCommand, START_TICKS } from './edition.ts'
import { Feed } from './feed.ts'

export type Listener = (command: Plain, log: EventLog, atMs: number) => void
/** `isAway`: the sources see another price (Feed.away). */
export type WorldListener = (market: number, price: number, atMs: number, isAway: boolean) => void

export const VENUE_START = 1_700_002_800_000 // a full hour

const tiers = [{ volumeDollars: 0, makerPpm: 150, takerPpm: 400 }]
export const venueGenesis = {
  feesAddress: 'fees',
  insuranceAddress: 'insurance',
  deficitAddress: 'deficit',
  feeTiers: tiers,
  // As in a venue: takers wait for a price that was observed after they arrived.
  pricesMayStand: false,
} as never

export class Venue {
  readonly edition: Edition
  readonly state: ClosedState
  readonly view: ExchangeView
  readonly feeds: Feed[] = []
  readonly listeners: Listener[] = []
  /** They hear the price outside when it moves, in whole ticks. */
  readonly worldListeners: WorldListener[] = []
  now = VENUE_START
  /** When the process was last started. */
  startedAt = 0
  seq = 0
  private readonly log: EventLog

  constructor(edition: Edition) {
    this.edition = edition
    this.state = edition.core.createState(venueGenesis)
    this.view = edition.core.viewOf(this.state)
    this.log = new edition.core.EventLog()
  }

  run(plain: Plain): void {
    this.seq += 1
    const command = plain as unknown as Command
    this.log.clear()
    const sequenced = { seq: this.seq, atMs: this.now as TimeMs, command }
    this.edition.core.apply(this.state, sequenced, this.log)
    for (const hear of this.listeners) hear(plain, this.log, this.now)
  }

  list(plan: MarketPlan, startTicks = START_TICKS): Feed {
    const params = this.edition.paramsOf(plan, startTicks)
    this.run({ type: 'ListMarket', params, oracle: startTicks * 1_000_000 })
    const market = this.view.markets.count
    const feed = new Feed(this.edition.cadence, market, startTicks, this.now)
    this.feeds.push(feed)
    return feed
  }

  /** Gives the account's id. */
  deposit(address: string, dollars: number): number {
    const reference = `${address}-${this.seq}`
    this.run({ type: 'Deposit', address, amount: Math.floor(dollars * DOLLAR), reference })
    return this.view.accounts.idOf(address)
  }

  /** From the fund to the backstop of the market. */
  moveReserve(market: number, dollars: number): void {
    const { backstop } = this.view.markets.get(market)!
    this.run(reserveCommand(market, backstop, dollars))
  }

  /** Time advances by `ms`; feeds send what they have to. Returns whether one did. */
  step(ms: number): boolean {
    this.publishWorld()
    this.now += ms
    let ticked = false
    // Orders whose speed bump is over wait for a tick from now on, and the feed knows of them.
    if (this.now >= this.view.nextDueAt) this.run({ type: 'Tick' })
    for (const feed of this.feeds)
      if (this.isDue(feed)) {
        this.run(feed.tick(this.now))
        ticked = true
      }
    if (!ticked) this.run({ type: 'Tick' })
    this.workOff()
    return ticked
  }

  /** The same as on a real clock: every feed sends when it has heard something, and what falls due
   *  in between runs at its own time. */
  walk(ms: number): boolean {
    const until = this.now + ms
    let ticked = false
    this.publishWorld()
    while (this.now < until) {
      const due = this.view.nextDueAt
      const looks = this.feeds.map((feed) => feed.nextLookAt(this.now))
      this.now = Math.min(until, due > this.now ? due : until, ...looks)
      if (this.now >= this.view.nextDueAt || this.now === until) this.run({ type: 'Tick' })
      for (const [at, feed] of this.feeds.entries()) {
        const isAwaited = this.edition.awaitedSince(this.view, feed.market) !== null
        if (this.now < looks[at]! && this.now < until && !isAwaited) continue
        if (!this.isDue(feed)) continue
        this.run(feed.tick(this.now))
        ticked = true
      }
      this.workOff()
    }
    return ticked
  }

  private isDue(feed: Feed): boolean {
    feed.awaitedSince = this.edition.awaitedSince(this.view, feed.market)
    return feed.isDue(this.now)
  }

  /** Sources and listeners hear where the price outside is now. */
  publishWorld(): void {
    for (const feed of this.feeds) {
      const price = feed.publish(this.now)
      if (price !== null) this.moveWorld(feed.market, price, feed.away !== 0)
    }
  }

  moveWorld(market: number, price: number, isAway: boolean): void {
    for (const hear of this.worldListeners) hear(market, price, this.now, isAway)
  }

  /** As the clock of an exchange does while work is left undone. That of the first edition does
   *  not, and does not report it. */
  private workOff(): void {
    for (let most = 1_000; this.view.hasWorkLeft && most > 0; most--) this.run({ type: 'Tick' })
  }

  restart(): void {
    this.run({ type: 'EngineStarted' })
    this.startedAt = this.now
    for (const feed of this.feeds) feed.restarted(this.now)
  }

  equityOf(account: number): number {
    return this.view.accounts.numbersOf(account).equity
  }

  markOf(market: number): number {
    return this.view.markets.get(market)!.mark
  }

  place(account: number, order: OrderPlan): void {
    this.run(orderCommand(account, order))
  }

  take(account: number, market: number, lots: number, reduceOnly = false): void {
    if (lots !== 0) this.run(takingCommand(account, { market, lots, reduceOnly }))
  }

  cancelAll(account: number, market: number): void {
    this.run({
      type: 'CancelAllOrders',
      account,
      proof: null,
      market,
      excludeReduceOnly: false,
    })
  }
}
