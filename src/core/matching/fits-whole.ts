// Decides whether a FOK order would be filled completely (ORDER-4). Its fills are settled on copies
// of the accounts involved, because one fill changes what the same account may do in the next.

import { CANCEL_MAKER } from '../drafts/order-options.ts'
import { EventLog } from '../events/event-log.ts'
import { makerPpmOf, takerPpmOf } from '../margin/fee-tier.ts'
import { Fill } from '../margin/fill.ts'
import { uncountIn } from '../orders/order-life.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { AccountCopies } from './account-copies.ts'
import { type Sink, walkBook } from './book-walk.ts'
import {
  checkFill,
  FITS,
  interestAdded,
  MAKER_FAILS,
  normalTerms,
  type Terms,
  uncheckedTerms,
} from './check-fill.ts'
import { settleSide } from './settle-fill.ts'

/** Discards the events of the copies. */
const unread = new EventLog()
const fill = new Fill()

/** The sink that writes to copies. */
class WholeFill implements Sink {
  readonly writes = false
  readonly placesUntil = Number.POSITIVE_INFINITY
  readonly most: number
  left: number
  private readonly market: Market
  private readonly copies: AccountCopies
  /** The taker's account, its row among the copies and its direction. */
  private readonly account: number
  private readonly row: number
  private readonly sign: number
  private readonly terms: Terms
  private readonly stp: number

  constructor(state: State, market: Market, wish: Wish) {
    const { account, side, size, checked } = wish
    this.left = size
    this.most = wish.most
    this.stp = wish.stp
    this.market = market
    this.copies = new AccountCopies(state, market)
    this.account = account
    this.row = this.copies.bring(account, state, wish.row)
    this.sign = side === 0 ? 1 : -1
    this.terms = checked ? normalTerms : uncheckedTerms
  }

  /** The real match would close this order, so it reserves nothing. */
  meetEnded({ orders }: State, maker: number): void {
    this.drop(this.copies.rowOf(orders.account(maker)), maker)
  }

  /** The real match would cancel this order, unless the incoming order yields to it (ORDER-15). */
  meetOwn({ orders }: State, maker: number): boolean {
    if (this.stp !== CANCEL_MAKER) return false
    if (orders.account(maker) === this.account) this.drop(this.row, maker)
    return true
  }

  meet(_: State, market: Market, maker: number, price: number): boolean {
    const { copies, row, sign } = this
    const { state } = copies
    const makerRow = copies.rowOf(state.orders.account(maker))
    const lots = Math.min(this.left, this.givable(maker, makerRow))
    if (lots <= 0) return true
    fill.lots = lots
    fill.price = price
    fill.value = lots * price * market.unitValue
    fill.openInterest = copies.openInterest
    const verdict = checkFill(state, market, row, makerRow, maker, sign, this.terms, fill)
    if (verdict === MAKER_FAILS) this.drop(makerRow, maker)
    if (verdict !== FITS) return verdict === MAKER_FAILS
    this.settle(maker, makerRow)
    this.left -= lots
    return this.left > 0
  }

  private drop(row: number, maker: number): void {
    const { state } = this.copies
    uncountIn(state, row, maker, state.orders.remaining(maker))
  }

  /** A reduce-only maker gives at most the position its account still has on the other side. */
  private givable(maker: number, row: number): number {
    const { orders, positions } = this.copies.state
    const remaining = orders.remaining(maker)
    if ((orders.flags(maker) & REDUCE_ONLY) === 0) return remaining
    return Math.min(remaining, positions.lots[row]! * this.sign)
  }

  private settle(maker: number, makerRow: number): void {
    const { copies, market, row, sign } = this
    const { state } = copies
    const { account } = state.positions
    copies.openInterest += interestAdded(state, row, makerRow, sign * fill.lots)
    uncountIn(state, makerRow, maker, fill.lots)
    fill.feePpm = takerPpmOf(state, account[row]!)
    settleSide(state, unread, market, row, sign, fill)
    fill.feePpm = makerPpmOf(state, account[makerRow]!)
    settleSide(state, unread, market, makerRow, -sign, fill)
    unread.clear()
  }
}

/** `row`: the account's row in the given state. `most`: maximum orders to visit. `checked` false
 *  skips the order's own margin check, so that an account that cannot pay is rejected for that
 *  reason and not for lack of depth. */
export type Wish = Readonly<{
  account: number
  row: number
  side: number
  price: number
  size: number
  most: number
  stp: number
  checked: boolean
}>

/** For an order whose collected fills cover its whole size. The walk never fills more than the
 *  collected fills: a maker that cannot pay gives nothing, and lots that other orders of its
 *  account give instead are already counted. */
export function fitsWhole(state: State, market: Market, wish: Wish): boolean {
  const { accounts, positions, exchange } = state
  const owner = accounts.main[positions.account[wish.row]!]!
  const wholeFill = new WholeFill(state, market, wish)
  // The collected fills have already paid for these units (CORE-5).
  const { unitsUsed } = exchange
  walkBook(exchange, market, owner, wish.side, wish.price, wholeFill)
  exchange.unitsUsed = unitsUsed
  return wholeFill.left === 0
}
