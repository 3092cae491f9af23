// Property 1, from the journal alone: what each group of accounts under one mind brought, took away
// and owes to whom. A group's wealth is its money and its positions at the newest outside price, as
// that price came. Everything that changes it has one name here, and at the end the names add up to
// the wealth, to the micro-dollar.

import type { Event, EventOf } from '../../../src/core/index.ts'
import type { Liveness } from '../differential/audit/liveness.ts'
import type { Plain } from '../venue/commands.ts'
import { movedReserve } from '../venue/edition.ts'
import { type Ledger, signOf } from './ledger.ts'

export class Account {
  brought = 0
  withdrawn = 0
  /** What others lost to it by trades, against the outside price; below zero it lost to them. */
  book = 0
  funding = 0
  /** Of book and funding: from the backstop of a market in which nobody else has ever traded. */
  alone = 0
  /** What the price moved on what it held. */
  moves = 0
  /** Takeovers, deleveragings and settlements, against the outside price, and their margin. */
  forced = 0
  /** Paid for it by the fund, or left to the deficit. */
  insured = 0
  /** Of what others carried for it: what a gap explains (docs/rules/adversary.md). */
  excused = 0
  /** Of what was forced: by how far the mark of a market that does not catch up was from the
   *  outside price, in takeovers and in deleveragings. */
  takenOver = 0
  deleveraged = 0
  fees = 0
}

/** A payment of fund, deficit or deleveraged traders that no gap explains. */
export type Unexplained = Readonly<{ seq: number; account: number; amount: number; why: string }>

export class Purse {
  readonly groups = new Map<number, Account>()
  /** By account; those of nobody are groups of their own, below zero. */
  readonly groupOf: number[] = []
  readonly raw: number[] = []
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
  /** By market and account: what the price and others took since the market could last act. */
  private readonly window: number[][] = []
  /** By account: what a gap excuses of a debt that waits with positions out of reach (LIQ-6). */
  private readonly waiting = new Map<number, number>()
  /** Who was deleveraged by the present command. */
  private readonly deleveraged = new Set<number>()
  /** By market and account: signed lots that were opened while the market was not live. */
  private readonly late: number[][] = []
  /** By market: the groups that ever traded in it. */
  private readonly guests: Set<number>[] = []
  private readonly ledger: Ledger
  private seq = 0

  constructor(ledger: Ledger, liveness: Liveness) {
    this.ledger = ledger
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
        this.raw[event.market] = Number(command.oracle) / 1_000_000
        this.reachable[event.market] = true
        this.window[event.market] = []
        this.late[event.market] = []
        this.guests[event.market] = new Set()
        break
      case 'MarkUpdated':
        this.mark[event.market] = event.mark
        if (command.type === 'OracleTick') this.tick(event, Number(command.price) / 1_000_000)
        break
      case 'FeedHealthChanged':
      case 'MarketModeSet':
      case 'ExchangeModeSet':
        for (const market of this.mark.keys())
          if (market !== 0 && !this.liveness.isLively(market)) this.fallSilent(market)
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
        this.lose(event.market, event.account, -event.payment)
        break
      default:
        this.hearTrades(event)
    }
  }

  /** Another command. */
  next(): void {
    this.seq += 1
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
      excuse += this.reachable[market] ? Math.max(0, this.window[market]![account] ?? 0) : 0
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

  /** Until now liquidation could act in it: what was lost before is no excuse for what follows. */
  private fallSilent(market: number): void {
    if (this.reachable[market]) this.window[market]!.length = 0
    this.reachable[market] = false
  }

  /** The price has come: what it moved is everyone's who held then. */
  private tick({ market, catchingUp }: EventOf<'MarkUpdated'>, raw: number): void {
    const moved = (raw - this.raw[market]!) * this.ledger.unitValue[market]!
    const lots = this.ledger.lots[market]!
    const window = this.window[market]!
    const late = this.late[market]!
    for (let account = 1; account < lots.length; account++) {
      if (this.reachable[market]) window[account] = 0
      const held = lots[account] ?? 0
      if (held === 0) continue
      this.ofAccount(account).moves += held * moved
      window[account] = (window[account] ?? 0) - (held - (late[account] ?? 0)) * moved
    }
    late.length = 0
    this.raw[market] = raw
    this.reachable[market] = !catchingUp && this.liveness.isLively(market)
  }

  private lose(market: number, account: number, amount: number): void {
    const window = this.window[market]!
    window[account] = (window[account] ?? 0) + Math.max(0, amount)
  }

  private trade(event: EventOf<'Traded'>): void {
    const { market, taker, maker } = event
    const fair = event.lots * this.raw[market]! * this.ledger.unitValue[market]!
    const gained = (event.side === 'bid' ? 1 : -1) * (fair - event.value)
    const [of, by] = [this.ofAccount(taker), this.ofAccount(maker)]
    if (!this.liveness.isLively(market)) this.noteLate(event)
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
    this.lose(market, taker, event.takerFee - gained)
    this.lose(market, maker, event.makerFee + gained)
  }

  /** Where a group has been alone, all that it gets is from what it left to the backstop. */
  private noteAlone(market: number, account: number, gained: number): void {
    const guests = this.guests[market]!
    const group = this.groupOf[account]!
    if (guests.size === 1 && guests.has(group)) this.of(group).alone += gained
  }

  /** Who adds at a price that is known to be old has no excuse for what the next one brings. */
  private noteLate({ market, side, lots, taker, maker, ...trade }: EventOf<'Traded'>): void {
    const late = this.late[market]!
    const sign = side === 'bid' ? 1 : -1
    late[taker] = (late[taker] ?? 0) + sign * (lots - trade.takerClosed)
    late[maker] = (late[maker] ?? 0) - sign * (lots - trade.makerClosed)
  }

  private force(event: EventOf<'Filled'>): void {
    const { market, account, counterparty } = event
    const fair = event.lots * this.raw[market]! * this.ledger.unitValue[market]!
    const gained = signOf(event.kind) * (fair - event.value)
    const of = this.ofAccount(account)
    if (of === this.ofAccount(counterparty)) return
    of.forced += gained
    const atMark = event.lots * this.mark[market]! * this.ledger.unitValue[market]!
    const byMark = this.reachable[market] ? signOf(event.kind) * (fair - atMark) : 0
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
    } else if (event.cause === 'deleverage') this.lose(market, account, byMark - gained)
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
    for (const [market, window] of this.window.entries()) {
      if (window === undefined || (scope !== 0 && scope !== market)) continue
      const open = Math.max(0, window[account] ?? 0)
      const used = Math.min(left, open)
      window[account] = open - used
      left -= used
    }
    if (scope === 0) {
      const kept = this.waiting.get(account) ?? 0
      const used = Math.min(left, kept)
      if (kept > 0) this.waiting.set(account, kept - used)
      left -= used
    }
    this.ofAccount(account).excused += amount - left
    return amount - left
  }

  /** Money and positions of a group at the outside price. */
  wealthOf(group: number): number {
    const { cash, lots, cost, unitValue } = this.ledger
    let wealth = 0
    for (let account = 1; account < cash.length; account++) {
      if (this.groupOf[account] !== group) continue
      wealth += cash[account]!
      for (let market = 1; market < lots.length; market++)
        wealth +=
          lots[market]![account]! * this.raw[market]! * unitValue[market]! - cost[market]![account]!
    }
    return wealth
  }

  /** What the names of a group do not add up to; 0, unless this bookkeeping is wrong. */
  remainderOf(group: number): number {
    const book = this.of(group)
    const named = book.brought + book.book + book.funding + book.moves + book.forced + book.insured
    return this.wealthOf(group) - (named - book.fees - book.withdrawn)
  }
}
