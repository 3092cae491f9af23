// Reads every command of a world and its events, and reports at the end what is wrong: money that
// was created, sums that differ, positions that open below maintenance, and rings that profit.

import type { EventLog, EventOf, EventType } from '../../../src/core/index.ts'
import type { Quote } from '../../../src/units/units.ts'
import type { Plain } from '../../support/venue/commands.ts'
import type { Venue } from '../../support/venue/venue.ts'
import { Liveness } from '../differential/audit/liveness.ts'
import { Lawful } from './lawful.ts'
import { Ledger } from './ledger.ts'
import { Timely } from './outside/timely.ts'
import { Payments } from './paid.ts'
import { Purse, type Unexplained } from './purse.ts'
import { Served } from './served.ts'
import { Shown } from './shown.ts'

export type RingResult = Readonly<{
  ring: number
  brought: number
  /** Taken away, and what could be at the end. */
  withdrawable: number
  /** Property 1: what it may have gained, by its three sources. */
  fromOthers: number
  moves: number
  excused: number
  /** Of `excused`: by a price under way, and the age of the oldest one. */
  latency: number
  lagMs: number
  /** From sales of a backstop at an old price, which is not allowed. */
  stale: number
  fees: number
  /** What forced transfers at a mark that was off brought against the price outside;
   *  takeovers, as far as they made a loss smaller. */
  marked: number
  /** Beyond all that. Above zero: the ring pays. */
  profit: number
}>

export type Verdict = Readonly<{
  commands: number
  rings: readonly RingResult[]
  /** What must never be, whatever the edition. */
  faults: readonly string[]
  /** Payments of fund, deficit and deleveraged traders. */
  paid: number
  explained: number
  unexplained: readonly Unexplained[]
  /** The most that one takeover at a last mark moved between a scope and a backstop. */
  lastMark: number
}>

/** Less than a dollar is what roundings leave. */
export const PAYS_FROM = 1_000_000

const heard = [
  'AccountOpened',
  'MarketListed',
  'MarkUpdated',
  'FeedHealthChanged',
  'MarketModeSet',
  'ExchangeModeSet',
  'MarketChanged',
  'MarginModeSet',
  'Deposited',
  'WithdrawalCompleted',
  'Transferred',
  'OrderPlaced',
  'OrderRested',
  'Traded',
  'Filled',
  'FundingPaid',
  'FundingClosed',
  'LiquidationFeePaid',
  'BackstopTookOver',
  'InsurancePaid',
  'DeficitBooked',
  'ReserveMoved',
  'FeesShared',
  'StopTriggered',
  'LiquidationStepped',
  'Deleveraged',
  'LiquidationStarted',
] as const

export class Referee {
  readonly ledger = new Ledger()
  private readonly liveness = new Liveness()
  readonly purse: Purse
  private readonly lawful = new Lawful(this.liveness)
  private readonly payments: Payments
  private readonly served: Served
  private readonly shown: Shown
  private readonly timely: Timely
  private readonly venue: Venue
  private readonly isHeard: boolean[]
  private readonly faults: string[] = []
  private commands = 0

  constructor(venue: Venue) {
    this.venue = venue
    this.purse = new Purse(this.ledger, this.liveness, venue)
    this.payments = new Payments(this.ledger, this.purse)
    this.served = new Served(venue, this.ledger, this.purse)
    this.shown = new Shown(venue)
    this.timely = new Timely(venue)
    const { kindOfEvent } = venue.edition.core
    this.isHeard = []
    // An edition does not know every type.
    for (const type of heard) this.isHeard[kindOfEvent(type as EventType) ?? -1] = true
    for (const account of [1, 2, 3]) {
      this.ledger.cash[account] = 0
      this.purse.groupOf[account] = -account
    }
    venue.listeners.push((command, log, atMs) => this.hear(command, log, atMs))
    venue.worldListeners.push((...moved) => this.purse.world(...moved))
  }

  private hear(command: Plain, log: EventLog, atMs: number): void {
    const { kindAt, nextAfter } = this.venue.edition.core
    this.commands += 1
    this.purse.next(atMs)
    this.lawful.next()
    this.timely.next(atMs)
    this.served.begin()
    this.shown.begin(command)
    const { rows, end } = log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      if (this.isHeard[kindAt(rows, at)] !== true) continue
      const event = log.read(at)
      this.liveness.hear(event)
      this.purse.hear(event, command)
      this.ledger.hear(event)
      this.lawful.hear(event)
      this.timely.hear(event, command)
      this.served.hear(event)
      this.payments.hear(event)
      // What was carried a moment ago may be too much for the new rules.
      if (event.type === 'MarketChanged') this.added.length = 0
      if (event.type === 'Traded') this.shown.hear(event)
      if (event.type === 'Traded') this.noteAdded(event)
    }
    if (this.added.length > 0) this.checkAdded()
    if (!this.venue.edition.isSecond) return
    this.served.next(command)
    this.payments.next()
    this.shown.next()
  }

  /** Accounts that added by this command, with the market. */
  private readonly added: (readonly [account: number, market: number])[] = []

  private noteAdded(trade: EventOf<'Traded'>): void {
    if (!this.venue.edition.isSecond) return
    if (trade.takerClosed < trade.lots) this.added.push([trade.taker, trade.market])
    if (trade.makerClosed < trade.lots) this.added.push([trade.maker, trade.market])
  }

  /** An account that added to a position is not below maintenance at the end of the command. A
   *  tick's trades come after its mark. */
  private checkAdded(): void {
    const { accounts, markets, positions } = this.venue.view
    for (const [account, market] of this.added) {
      const holding = positions.holdingOf(account, market)
      const numbers = accounts.numbersOf(account)
      let [equity, maintenance] = [numbers.crossEquity, numbers.crossMaintenance]
      if (holding?.isolated === true) {
        const { lotValue } = markets.get(market)!
        const value = (Math.abs(holding.lots) * lotValue) as Quote
        maintenance = markets.get(market)!.maintenanceOf(value)
        equity = (holding.wallet + holding.lots * lotValue - holding.cost) as Quote
      }
      if (equity < maintenance)
        this.faults.push(
          `${this.commands}: account ${account} opens below maintenance in ${market}`,
        )
    }
    this.added.length = 0
  }

  verdict(): Verdict {
    const { purse, venue, ledger } = this
    const rings = [...purse.groups.keys()].filter((group) => group >= 0).sort((a, b) => a - b)
    const results = rings.map((ring) => this.resultOf(ring))
    const parted = [...purse.groups.keys()]
      .filter((group) => group >= 0 || group < -3)
      .filter((group) => purse.remainderOf(group) !== 0)
      .map((group) => `the wealth of group ${group} parts by ${purse.remainderOf(group)}`)
    return {
      commands: this.commands,
      rings: results,
      faults: [
        ...this.faults,
        ...this.served.faults,
        ...this.payments.faults,
        ...this.shown.faults,
        ...this.lawfulFaults(),
        ...(venue.edition.releasesByTick ? this.timely.faults : []),
        ...ledger.differences(venue),
        ...parted,
      ],
      paid: purse.paid,
      explained: purse.explained,
      unexplained: purse.unexplained,
      lastMark: purse.lastMark,
    }
  }

  /** The first edition matches in a stale market, as its rules say. */
  private lawfulFaults(): readonly string[] {
    return this.venue.edition.isQuietWhenStale ? this.lawful.faults : []
  }

  private resultOf(ring: number): RingResult {
    const { purse, venue, ledger } = this
    const book = purse.of(ring)
    let withdrawable = book.withdrawn
    let unpaid = 0
    for (let account = 1; account < ledger.cash.length; account++)
      if (purse.groupOf[account] === ring) {
        const numbers = venue.view.accounts.numbersOf(account)
        withdrawable += numbers.withdrawable + numbers.pending
        // A debt that is not paid yet is carried by others all the same, also one that the exchange
        // does not know because its price has left the grid.
        const worth = Math.min(numbers.crossEquity, purse.worthOf(account))
        if (worth >= 0) continue
        unpaid -= worth
        purse.excuse(account, 0, -worth, 'debt')
      }
    const unearned = Math.max(0, book.alone) + book.stale
    const fromOthers = Math.max(0, book.book + book.funding - unearned)
    const gained = withdrawable - book.brought
    // A takeover at a mark that is off may make a loss smaller; it never makes a gain.
    const marked = Math.max(0, book.deleveraged + Math.min(book.takenOver, Math.max(0, -gained)))
    // What it lost by other forced transfers does not hide a gain that nothing explains.
    const carried = Math.max(0, book.forced + book.insured + unpaid)
    const explained = Math.min(book.excused + marked, carried)
    const profit = gained - (fromOthers + book.moves + explained)
    const { brought, moves, lagMs, stale, fees } = book
    const excused = Math.min(book.excused, carried)
    const latency = Math.min(book.latency, carried)
    const sources = { fromOthers, moves, excused, latency, lagMs, stale, fees }
    return { ring, brought, withdrawable, ...sources, marked: explained - excused, profit }
  }
}
