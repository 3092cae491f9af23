// Collects the fills that an order would get from the book now (ORDER-2), without changing
// anything.

import { CANCEL_MAKER } from '../drafts/order-options.ts'
import { grown } from '../pools/growing.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { type Sink, walkBook } from './book-walk.ts'
import { longsAdded } from './check-fill.ts'

/** The collected fills. Reused. */
export class CollectedFills implements Sink {
  readonly writes = false
  readonly placesUntil = Number.POSITIVE_INFINITY
  most = 0
  lots = 0
  value = 0
  openLots = 0
  openValue = 0
  /** Open interest after the first match, or 0 if there is none. */
  firstInterest = 0
  /** More orders are within the limit than the walk may visit. */
  cut = false
  /** The order met an order of its owner and yielded (ORDER-15), so its remainder does not rest. */
  endsAtOwn = false
  /** Slots of the makers and the lots that each gave, in order. */
  slots = new Int32Array(8)
  given = new Float64Array(8)
  count = 0
  private exchange!: State
  private market!: Market
  /** The order's size, its direction, its self-trade mode, and the position of its account. */
  private size = 0
  private sign = 1
  private stp = CANCEL_MAKER
  private position = 0
  /** Lots given by each row. Kept from the first reduce-only maker on. */
  private byRow: Map<number, number> | null = null

  clear(): void {
    this.lots = 0
    this.value = 0
    this.openLots = 0
    this.openValue = 0
    this.firstInterest = 0
    this.cut = false
    this.endsAtOwn = false
    this.count = 0
    this.byRow = null
  }

  run(
    state: State,
    market: Market,
    row: number,
    side: number,
    limit: number,
    size: number,
    most: number,
    stp: number,
  ): void {
    this.clear()
    this.stp = stp
    this.most = most
    const { accounts, positions, exchange } = state
    this.exchange = exchange
    this.market = market
    this.size = size
    this.sign = side === 0 ? 1 : -1
    this.position = positions.lots[row]!
    const owner = accounts.main[positions.account[row]!]!
    this.cut = walkBook(exchange, market, owner, side, limit, this)
    this.splitOpening()
  }

  meetEnded(): void {}

  /** An order that yields to its owner's orders takes nothing behind them (ORDER-15). */
  meetOwn(): boolean {
    this.endsAtOwn = this.stp !== CANCEL_MAKER
    return !this.endsAtOwn
  }

  meet(_: State, __: Market, maker: number, price: number): boolean {
    const lots = Math.min(this.size - this.lots, this.givable(maker))
    if (lots <= 0) return true
    const { orders, positions } = this.exchange
    if (this.count === 0) {
      const signed = this.sign * lots
      const held = positions.lots[orders.position(maker)]!
      const added = longsAdded(this.position, signed) + longsAdded(held, -signed)
      this.firstInterest = this.market.openInterest + added
    }
    this.add(maker, lots)
    this.lots += lots
    this.value += lots * price * this.market.unitValue
    return this.lots < this.size
  }

  /** A reduce-only maker gives at most the remaining position of its account. */
  private givable(maker: number): number {
    const { orders, positions } = this.exchange
    const remaining = orders.remaining(maker)
    if ((orders.flags(maker) & REDUCE_ONLY) === 0) return remaining
    const row = orders.position(maker)
    return Math.min(remaining, Math.abs(positions.lots[row]!) - this.givenBy(row))
  }

  private givenBy(row: number): number {
    if (this.byRow === null) {
      this.byRow = new Map()
      for (let at = 0; at < this.count; at++) this.remember(this.slots[at]!, this.given[at]!)
    }
    return this.byRow.get(row) ?? 0
  }

  private remember(maker: number, lots: number): void {
    const row = this.exchange.orders.position(maker)
    this.byRow?.set(row, (this.byRow.get(row) ?? 0) + lots)
  }

  private add(maker: number, lots: number): void {
    if (this.count === this.slots.length) {
      this.slots = grown(this.slots, this.count + 1)
      this.given = grown(this.given, this.count + 1)
    }
    this.slots[this.count] = maker
    this.given[this.count] = lots
    this.count += 1
    this.remember(maker, lots)
  }

  /** If the position has the other sign, the first |position| lots close it; all others open. */
  private splitOpening(): void {
    const position = this.position * this.sign
    if (position >= 0 || this.lots <= -position) {
      this.openLots = position >= 0 ? this.lots : 0
      this.openValue = position >= 0 ? this.value : 0
      return
    }
    let closing = -position
    let closingValue = 0
    for (let at = 0; at < this.count && closing > 0; at++) {
      const lots = Math.min(closing, this.given[at]!)
      closingValue += lots * this.exchange.orders.price(this.slots[at]!) * this.market.unitValue
      closing -= lots
    }
    this.openLots = this.lots + position
    this.openValue = this.value - closingValue
  }
}
