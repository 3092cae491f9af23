// Property 1, from the journal alone: what each group of accounts under one mind brought, took away
// and owes to whom. A group's wealth is its money and its positions at the world's price, wherever
// the newest tick is. Everything that changes it has one name here, and at the end the names add up
// to the wealth, to the micro-dollar.

import type { Event, EventOf } from '../../../src/core/index.ts'
import { clockMs } from '../../../src/sources/prices/observation.ts'
import type { Plain } from '../../support/venue/commands.ts'
import { movedReserve } from '../../support/venue/edition.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Liveness } from '../differential/audit/liveness.ts'
import { type Ledger, signOf } from './ledger.ts'
import { Gaps } from './outside/gaps.ts'
import { passesOver, staleGain } from './outside/stale-sales.ts'
import { Account } from './wealth.ts'

/** A payment of fund, deficit or deleveraged traders that no gap explains. */
export type Unexplained = Readonly<{ seq: number; account: number; amount: number; why: string }>

export class Purse {
  readonly groups = new Map<number, Account>()
  /** By account. Accounts that belong to no group have one of their own, numbered below zero. */
  readonly groupOf: number[] = []
  readonly gaps: Gaps
  readonly mark: number[] = []
  readonly unexplained: Unexplained[] = []
  /** What the fund and the deficit paid, and how much of it gaps explain. */
  paid = 0
  explained = 0
  /** The most that one takeover in a market that could not be acted in moved between the scope and
   *  the backstop, against the outside price. */
  lastMark = 0
  private readonly liveness: Liveness
  /** Since a tick it is lively and does not catch up: liquidation could act in it. */
  readonly reachable: boolean[] = []
  /** Accounts and markets in which they are isolated. */
  private readonly isolated = new Set<string>()
  /** By account: what a gap excuses of a debt that waits with positions out of reach (LIQ-6). */
  private readonly waiting = new Map<number, number>()
  /** Accounts that the present command deleveraged. */
  private readonly deleveraged = new Set<number>()
  /** When an order arrived or took its place, by its id. */
  private readonly since: number[] = []
  /** By market: the groups that ever traded in it. */
  private readonly guests: Set<number>[] = []
  private readonly ledger: Ledger
  private readonly venue: Venue
  private seq = 0
  private now = 0

  constructor(ledger: Ledger, liveness: Liveness, venue: Venue) {
    this.ledger = ledger
    this.venue = venue
    this.gaps = new Gaps(ledger)
    this.liveness = liveness
  }

  /** A group's account book. */
  of(group: number): Account {
    const found = this.groups.get(group) ?? new Account()
    this.groups.set(group, found)
    return found
  }

  /** Before the ledger has heard it. */
  hear(event: Event, command: Plain): void {
    switch (event.type) {
      case 'AccountOpened':
        this.open(event)
        break
      case 'MarketListed':
        this.gaps.list(event.market, Number(command.oracle) / 1_000_000, this.now)
        this.reachable[event.market] = true
        this.guests[event.market] = new Set()
        break
      case 'MarkUpdated':
        this.mark[event.market] = event.mark
        if (command.type === 'OracleTick') this.tick(event, command.observedAtMs)
        break
      case 'FeedHealthChanged':
      case 'MarketModeSet':
      case 'ExchangeModeSet':
        for (const market of this.mark.keys())
          if (market !== 0 && !this.liveness.isLively(market)) this.becomeStale(market)
        break
      case 'MarginModeSet':
        if (event.isolated) this.isolated.add(`${event.account} ${event.market}`)
        else this.isolated.delete(`${event.account} ${event.market}`)
        break
      case 'Deposited':
        this.ofAccount(event.account).brought += event.amount
        break
      case 'WithdrawalCompleted':
        this.ofAccount(event.account).withdrawn += event.amount
        break
      case 'FundingPaid':
        this.ofAccount(event.account).funding += event.payment
        this.noteAlone(event.market, event.account, event.payment)
        this.gaps.lose(event.market, event.account, -event.payment)
        break
      case 'OrderPlaced':
      case 'OrderRested':
        this.since[event.order] = this.now
        break
      default:
        this.hearTrades(event)
    }
  }

  /** Another command. */
  next(now: number): void {
    this.seq += 1
    this.now = now
    for (const account of this.deleveraged) this.keepExcuse(account)
    this.deleveraged.clear()
  }

  /** A debt is split over all positions of a scope, and the parts of those out of reach wait with
   *  them; what explains them does too. */
  private keepExcuse(account: number): void {
    const { cash, lots, cost, unitValue } = this.ledger
    let worth = cash[account]!
    let excuse = this.waiting.get(account) ?? 0
    let isOutOfReach = false
    for (const [market, mark] of this.mark.entries()) {
      const held = lots[market]?.[account] ?? 0
      if (mark === undefined) continue
      worth += held * mark * unitValue[market]! - cost[market]![account]!
      excuse += this.reachable[market] ? this.gaps.windowOf(market, account) : 0
      if (held !== 0 && !this.reachable[market]) isOutOfReach = true
    }
    if (isOutOfReach) this.waiting.set(account, Math.min(excuse, Math.max(0, -worth)))
    else this.waiting.delete(account)
  }

  private hearTrades(event: Event): void {
    switch (event.type) {
      case 'Traded':
        this.trade(event)
        break
      case 'Filled':
        this.force(event)
        break
      case 'Deleveraged':
        this.deleveraged.add(event.account)
        this.ofAccount(event.account).forced -= event.margin
        break
      case 'BackstopTookOver':
        this.ofAccount(event.account).forced -= event.margin
        this.ofAccount(event.backstop).forced += event.margin
        break
      case 'InsurancePaid':
        this.carry(event.account, event.scope, event.amount, 'insurance')
        break
      case 'DeficitBooked':
        this.carry(event.account, event.scope, event.amount, 'deficit')
        break
      default: {
        const moved = movedReserve(event, (market) => this.ledger.backstops[market]!)
        if (moved === null) return
        this.ofAccount(moved.from).brought -= moved.amount
        this.ofAccount(moved.to).brought += moved.amount
      }
    }
  }

  private open({ account, main, address }: EventOf<'AccountOpened'>): void {
    const own = /^ring-(\d+)-/.exec(address ?? '')
    this.groupOf[account] = own !== null ? Number(own[1]) : (this.groupOf[main] ?? -account)
  }

  private ofAccount(account: number): Account {
    return this.of(this.groupOf[account]!)
  }

  private becomeStale(market: number): void {
    if (this.reachable[market]) this.gaps.close(market)
    this.reachable[market] = false
  }

  /** The outside price has moved: every account with a position gains or loses. */
  world(market: number, price: number, now: number, isAway: boolean): void {
    const moved = (price - this.gaps.priceOf(market)) * this.ledger.unitValue[market]!
    for (const [account, held] of this.ledger.lots[market]!.entries())
      if (held !== undefined && held !== 0) this.ofAccount(account).moves += held * moved
    this.gaps.move(market, price, now, isAway)
  }

  /** `observedAt` null: the price stands, and is as new as its tick. */
  private tick({ market, catchingUp }: EventOf<'MarkUpdated'>, observedAt: unknown): void {
    const at = typeof observedAt === 'number' ? observedAt + clockMs : this.now
    this.gaps.tick(market, Math.min(at, this.now), this.reachable[market]!)
    this.reachable[market] = !catchingUp && this.liveness.isLively(market)
  }

  private trade(event: EventOf<'Traded'>): void {
    const { market, taker, maker } = event
    const fair = event.lots * this.gaps.priceOf(market) * this.ledger.unitValue[market]!
    const gained = (event.side === 'bid' ? 1 : -1) * (fair - event.value)
    const [of, by] = [this.ofAccount(taker), this.ofAccount(maker)]
    this.noteAdded(event)
    of.fees += event.takerFee
    by.fees += event.makerFee
    const backstop = this.ledger.backstops[market]!
    for (const account of [taker, maker])
      if (account !== backstop) this.guests[market]!.add(this.groupOf[account]!)
    if (of === by) return
    of.book += gained
    by.book -= gained
    this.noteAlone(market, taker, gained)
    this.noteAlone(market, maker, -gained)
    if (taker === backstop) this.noteStale(event, -gained)
    this.gaps.lose(market, taker, event.takerFee - gained)
    this.gaps.lose(market, maker, event.makerFee + gained)
  }

  /** At a wrong index the backstop may trade with the best quote that there is. */
  private noteStale(event: EventOf<'Traded'>, gained: number): void {
    const { market, maker, makerOrder } = event
    const { gaps } = this
    if (this.guests[market]!.size === 1) return
    if (gaps.isAstray(market) && !passesOver(this.venue, event)) return
    const since = this.since[makerOrder] ?? this.now
    const unitValue = this.ledger.unitValue[market]!
    this.ofAccount(maker).stale += staleGain(event, gained, { gaps, since, unitValue })
  }

  /** Where a group has been alone, all that it gets is from what it left to the backstop. */
  private noteAlone(market: number, account: number, gained: number): void {
    const guests = this.guests[market]!
    const group = this.groupOf[account]!
    if (guests.size === 1 && guests.has(group)) this.of(group).alone += gained
  }

  /** Lots count as held from now on; where the taker arrived before the newest observation, from
   *  that on; and where the price is known to be old, from the next tick on. */
  private noteAdded(event: EventOf<'Traded'>): void {
    const { market, lots, taker, maker, takerOrder } = event
    const sign = event.side === 'bid' ? 1 : -1
    const added = [
      [taker, sign * (lots - event.takerClosed)],
      [maker, -sign * (lots - event.makerClosed)],
    ] as const
    const isLive = this.liveness.isLively(market)
    const isInTime = (this.since[takerOrder] ?? this.now) <= this.gaps.knownAt(market)
    for (const [account, more] of added)
      if (!isLive) this.gaps.addLate(market, account, more)
      else if (isInTime && more !== 0) this.gaps.addUnderWay(market, account, more, this.now)
  }

  private force(event: EventOf<'Filled'>): void {
    const { market, account, counterparty } = event
    const fair = event.lots * this.gaps.priceOf(market) * this.ledger.unitValue[market]!
    const gained = signOf(event.kind) * (fair - event.value)
    const of = this.ofAccount(account)
    if (of === this.ofAccount(counterparty)) return
    of.forced += gained
    const unit = event.lots * this.ledger.unitValue[market]!
    const known = unit * this.gaps.priceAt(market, this.gaps.knownAt(market))
    const sign = signOf(event.kind)
    const off = this.reachable[market] ? sign * (known - unit * this.mark[market]!) : 0
    // At a wrong index only a trader who is deleveraged had no say in it.
    const given = event.cause === 'deleverage' && event.role === 'maker' ? Math.max(0, off) : 0
    const byMark = this.gaps.isAstray(market) ? given : off
    if (event.cause === 'deleverage') of.deleveraged += byMark
    else of.takenOver += byMark
    if (event.cause === 'backstop_liquidation' && !this.reachable[market])
      this.lastMark = Math.max(this.lastMark, Math.abs(gained))
    // At a mark that lags behind, or beyond it, others carry what the gap has cost the scope, be it
    // in another of its markets.
    const scope = this.isIsolated(account, market) ? market : 0
    if (event.role === 'taker') {
      this.excuse(account, scope, gained - byMark, event.cause)
      // So they do where the mark is off as well.
      const used = this.useWindow(account, scope, byMark)
      if (event.cause === 'deleverage') of.deleveraged -= used
      else of.takenOver -= used
    } else if (event.cause === 'deleverage') {
      this.gaps.lose(market, account, byMark - gained)
      // At a price that was observed it gains what the world's price has moved since.
      const underWay = Math.min(gained - Math.max(0, byMark), sign * (fair - known))
      of.excused += Math.max(0, underWay)
      of.noteLatency(underWay, this.now - this.gaps.knownAt(market))
    }
  }

  isIsolated(account: number, market: number): boolean {
    return this.isolated.has(`${account} ${market}`)
  }

  /** Fund or deficit pays for a scope. */
  private carry(account: number, scope: number, amount: number, why: string): void {
    this.ofAccount(account).insured += amount
    this.paid += amount
    this.explained += this.excuse(account, scope, amount, why)
  }

  /** Gives how much of it the window of the scope explains, which is then used up. */
  excuse(account: number, scope: number, amount: number, why: string): number {
    if (amount <= 0) return 0
    const used = this.useWindow(account, scope, amount)
    if (amount > used) this.unexplained.push({ seq: this.seq, account, amount: amount - used, why })
    return used
  }

  private useWindow(account: number, scope: number, amount: number): number {
    if (amount <= 0) return 0
    let left = amount
    const of = this.ofAccount(account)
    for (const market of this.mark.keys()) {
      if (this.mark[market] === undefined || (scope !== 0 && scope !== market)) continue
      const { used, latency, lagMs } = this.gaps.use(market, account, left)
      left -= used
      of.noteLatency(latency, lagMs)
    }
    if (scope === 0) {
      const kept = this.waiting.get(account) ?? 0
      const used = Math.min(left, kept)
      if (kept > 0) this.waiting.set(account, kept - used)
      left -= used
    }
    of.excused += amount - left
    return amount - left
  }

  /** Money and positions of a group at the world's price. */
  wealthOf(group: number): number {
    return this.groupOf.reduce((sum, of, each) => sum + (of === group ? this.worthOf(each) : 0), 0)
  }

  worthOf(account: number): number {
    const { cash, lots, cost, unitValue } = this.ledger
    let worth = cash[account] ?? 0
    for (let market = 1; market < lots.length; market++) {
      const held = lots[market]![account] ?? 0
      worth += held * this.gaps.priceOf(market) * unitValue[market]! - (cost[market]![account] ?? 0)
    }
    return worth
  }

  /** What the names of a group do not add up to; 0, unless this bookkeeping is wrong. */
  remainderOf(group: number): number {
    const book = this.of(group)
    const named = book.brought + book.book + book.funding + book.moves + book.forced + book.insured
    return this.wealthOf(group) - (named - book.fees - book.withdrawn)
  }
}
