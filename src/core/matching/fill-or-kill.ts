// Would a FOK order be filled completely (ORDER-4)? It is played through for real, with every check
// of the makers in its turn, and taken back: nothing less sees how one fill changes what the same
// account may do in the next.

import { DEFICIT, FEES, INSURANCE } from '../accounts/account-pool.ts'
import { makerPpmOf, takerPpmOf } from '../accounts/fee-tier.ts'
import { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import type { Market } from '../markets/market.ts'
import { uncountOpen } from '../orders/order-life.ts'
import { REDUCE_ONLY } from '../orders/order-pool.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { Fill, settleFill } from './fill.ts'
import { interestAfter, mayFill } from './match.ts'

/** What was changed, to be put back; of an account once, however many of its orders are met. */
class Kept {
  private readonly arrays: Float64Array[] = []
  private readonly places: number[] = []
  private readonly values: number[] = []
  private readonly accounts = new Set<number>()

  keep(array: Float64Array, at: number): void {
    this.arrays.push(array)
    this.places.push(at)
    this.values.push(array[at]!)
  }

  /** Everything a fill or a funding payment may change of an account. */
  keepAccount({ accounts, positions }: State, account: number): void {
    if (this.accounts.has(account)) return
    this.accounts.add(account)
    this.keep(accounts.balance, account)
    for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
      for (const column of [
        positions.lots,
        positions.cost,
        positions.wallet,
        positions.buys,
        positions.sells,
        positions.losses,
        positions.fundingEpoch,
        positions.fundingPaid,
        positions.feesPaid,
        positions.openedAt,
        positions.updatedAt,
      ])
        this.keep(column, row)
  }

  putBack(): void {
    for (let at = this.arrays.length - 1; at >= 0; at--)
      this.arrays[at]![this.places[at]!] = this.values[at]!
  }
}

type Wish = Readonly<{ row: number; side: number; limit: number; size: number; asked: boolean }>

/** Events of the trial run, which nobody reads. */
const unread = new EventLog()
const fill = new Fill()

/** For an order whose dry run takes all of it. None fills more than its dry run takes: a maker that
 *  cannot pay gives nothing, and what its account's other orders give in its place was counted.
 *  `asked` false leaves the order's own check out: an account that cannot pay is to be refused for
 *  that, not for a book that is too thin. */
export function fillsAll(
  state: State,
  market: Market,
  row: number,
  side: number,
  limit: number,
  size: number,
  asked: boolean,
): boolean {
  const { openInterest } = market
  const { nextHistoryId } = state
  const pools = state.markets.map((each) => each?.pool ?? 0)
  const kept = new Kept()
  for (const account of [FEES, INSURANCE, DEFICIT]) kept.keep(state.accounts.balance, account)
  kept.keepAccount(state, state.positions.account[row]!)
  const wish = { row, side, limit, size, asked }
  const filled = play(state, market, wish, kept)
  kept.putBack()
  pools.forEach((pool, id) => {
    const each = state.markets[id]
    if (each !== undefined) each.pool = pool
  })
  market.openInterest = openInterest
  state.nextHistoryId = nextHistoryId
  unread.clear()
  return filled
}

/** The walk of ORDER-5 without the book changing; true when all lots found a maker. */
function play(state: State, market: Market, wish: Wish, kept: Kept): boolean {
  const { row, side, limit, size, asked } = wish
  const { orders, levels, accounts, positions } = state
  const sign = side === 0 ? 1 : -1
  const other = side === 0 ? market.asks : market.bids
  const owner = accounts.main[positions.account[row]!]!
  let left = size
  let walked = 0
  for (let level = other.bestLevel; level !== 0; level = levels.worse[level]!) {
    if ((levels.price[level]! - limit) * sign > 0) return false
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      if (walked++ === limits.ordersWalked) return false
      const account = orders.account(slot)
      kept.keepAccount(state, account)
      // An order that would be cancelled on the way reserves nothing any more.
      if (accounts.main[account] === owner) {
        uncountOpen(state, slot, orders.remaining(slot))
        continue
      }
      settleFunding(state, unread, account)
      fill.lots = Math.min(left, givable(state, slot, sign))
      fill.price = levels.price[level]!
      if (fill.lots <= 0) continue
      if (!makerMay(state, market, slot, sign)) {
        uncountOpen(state, slot, orders.remaining(slot))
        continue
      }
      const interest = interestAfter(state, market, row, orders.position(slot), sign * fill.lots)
      if (interest > market.params.openInterestMax && interest > market.openInterest) return false
      if (asked && !takerMay(state, market, row, sign)) return false
      left -= fill.lots
      settleBoth(state, market, row, slot, sign)
      if (left === 0) return true
    }
  }
  return false
}

/** A reduce-only maker gives at most the position its account still has on the other side. */
function givable(state: State, slot: number, sign: number): number {
  const { orders, positions } = state
  const remaining = orders.remaining(slot)
  if ((orders.flags(slot) & REDUCE_ONLY) === 0) return remaining
  return Math.min(remaining, positions.lots[orders.position(slot)]! * sign)
}

function makerMay(state: State, market: Market, slot: number, sign: number): boolean {
  fill.value = fill.lots * fill.price * market.unitValue
  fill.feePpm = makerPpmOf(state, state.orders.account(slot))
  return mayFill(state, market, state.orders.position(slot), -sign, slot, fill)
}

function takerMay(state: State, market: Market, row: number, sign: number): boolean {
  fill.feePpm = takerPpmOf(state, state.positions.account[row]!)
  return mayFill(state, market, row, sign, 0, fill)
}

function settleBoth(state: State, market: Market, row: number, slot: number, sign: number): void {
  uncountOpen(state, slot, fill.lots)
  fill.feePpm = takerPpmOf(state, state.positions.account[row]!)
  settleFill(state, unread, market, row, sign, fill)
  fill.feePpm = makerPpmOf(state, state.orders.account(slot))
  settleFill(state, unread, market, state.orders.position(slot), -sign, fill)
}
