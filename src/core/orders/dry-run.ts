// What an order would take from the book now, without writing (ORDER-2), and whether a FOK order
// could be filled completely (ORDER-4).

import { makerPpmOf } from '../accounts/fee-tier.ts'
import { sumScope } from '../accounts/margin.ts'
import { Change, carryRefusal, closing, mayClose, scope } from '../accounts/margin-checks.ts'
import type { Market } from '../markets/market.ts'
import { grown } from '../pools/growing.ts'
import type { State } from '../state.ts'
import { interestAfter } from './match.ts'
import { REDUCE_ONLY } from './order-pool.ts'

/** What the walk took. Reused. */
export class Taking {
  lots = 0
  value = 0
  openLots = 0
  openValue = 0
  /** Open interest after the first match; 0 when there is none. */
  firstInterest = 0
  /** Makers of the walk and what each gave, in order. */
  slots = new Int32Array(8)
  given = new Float64Array(8)
  count = 0

  clear(): void {
    this.lots = 0
    this.value = 0
    this.openLots = 0
    this.openValue = 0
    this.firstInterest = 0
    this.count = 0
  }

  add(slot: number, lots: number): void {
    if (this.count === this.slots.length) {
      this.slots = grown(this.slots, this.count + 1)
      this.given = grown(this.given, this.count + 1)
    }
    this.slots[this.count] = slot
    this.given[this.count] = lots
    this.count += 1
  }
}

/** `checked`: a maker whose account could not carry its part is passed over, as matching would. */
export function dryRun(
  state: State,
  market: Market,
  row: number,
  side: number,
  limit: number,
  size: number,
  taking: Taking,
  checked: boolean,
): void {
  taking.clear()
  const { orders, levels, accounts, positions } = state
  const sign = side === 0 ? 1 : -1
  const other = side === 0 ? market.asks : market.bids
  const owner = accounts.main[positions.account[row]!]!
  for (let at = other.count - 1; at >= 0 && taking.lots < size; at--) {
    const level = other.levels[at]!
    const price = levels.price[level]!
    if ((price - limit) * sign > 0) break
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      if (accounts.main[orders.account(slot)] === owner) continue
      const most = givable(state, slot, taking)
      const lots = Math.min(size - taking.lots, most)
      if (lots <= 0) continue
      if (taking.count === 0)
        taking.firstInterest = interestAfter(state, market, row, orders.position(slot), sign * lots)
      taking.add(slot, lots)
      if (checked && !makerCarries(state, market, taking, -sign)) {
        taking.count -= 1
        continue
      }
      taking.lots += lots
      taking.value += lots * price * market.unitValue
      if (taking.lots >= size) break
    }
  }
  splitOpening(state, market, row, sign, taking)
}

/** A reduce-only maker gives at most what the walk has left of its account's position. */
function givable(state: State, slot: number, taking: Taking): number {
  const { orders, positions } = state
  const remaining = orders.remaining(slot)
  if ((orders.flags(slot) & REDUCE_ONLY) === 0) return remaining
  let held = Math.abs(positions.lots[orders.position(slot)]!)
  for (let at = 0; at < taking.count; at++)
    if (orders.position(taking.slots[at]!) === orders.position(slot)) held -= taking.given[at]!
  return Math.min(remaining, held)
}

/** The first |position| lots close when the position has the other sign; the rest opens. */
function splitOpening(
  state: State,
  market: Market,
  row: number,
  sign: number,
  taking: Taking,
): void {
  const position = state.positions.lots[row]! * sign
  if (position >= 0 || taking.lots <= -position) {
    taking.openLots = position >= 0 ? taking.lots : 0
    taking.openValue = position >= 0 ? taking.value : 0
    return
  }
  let closing = -position
  let closingValue = 0
  for (let at = 0; at < taking.count && closing > 0; at++) {
    const lots = Math.min(closing, taking.given[at]!)
    closingValue += lots * state.orders.price(taking.slots[at]!) * market.unitValue
    closing -= lots
  }
  taking.openLots = taking.lots + position
  taking.openValue = taking.value - closingValue
}

/** Would running it fill all of it? Makers are checked with all they give in this walk, and open
 *  interest may not pass its cap on the way. */
export function canFillAll(
  state: State,
  market: Market,
  row: number,
  side: number,
  limit: number,
  size: number,
  taking: Taking,
): boolean {
  dryRun(state, market, row, side, limit, size, taking, true)
  if (taking.lots < size) return false
  const sign = side === 0 ? 1 : -1
  let taker = state.positions.lots[row]!
  let interest = market.openInterest
  for (let at = 0; at < taking.count; at++) {
    const lots = taking.given[at]! * sign
    const maker = positionBefore(state, taking, at, sign)
    const before = interest
    interest += Math.max(0, taker + lots) - Math.max(0, taker)
    interest += Math.max(0, maker - lots) - Math.max(0, maker)
    taker += lots
    if (interest > market.params.openInterestMax && interest > before) return false
  }
  return true
}

/** The maker's position before its `at`-th gift of the walk. */
function positionBefore(state: State, taking: Taking, at: number, sign: number): number {
  const { orders, positions } = state
  const row = orders.position(taking.slots[at]!)
  let lots = positions.lots[row]!
  for (let earlier = 0; earlier < at; earlier++)
    if (orders.position(taking.slots[earlier]!) === row) lots -= taking.given[earlier]! * sign
  return lots
}

const change = new Change()

/** The account of the last maker can carry all it gives in this walk, as one fill. */
function makerCarries(state: State, market: Market, taking: Taking, sign: number): boolean {
  const { orders, positions } = state
  const upTo = taking.count - 1
  const row = orders.position(taking.slots[upTo]!)
  change.lots = 0
  change.value = 0
  change.freed = 0
  change.freedLosses = 0
  change.openLots = 0
  change.openValue = 0
  let opposed = Math.max(0, -positions.lots[row]! * sign)
  for (let at = 0; at <= upTo; at++) {
    const slot = taking.slots[at]!
    if (orders.position(slot) !== row) continue
    const lots = taking.given[at]!
    const lotValue = orders.price(slot) * market.unitValue
    const opens = Math.max(0, lots - opposed)
    opposed = Math.max(0, opposed - lots)
    change.lots += lots
    change.value += lots * lotValue
    change.openLots += opens
    change.openValue += opens * lotValue
    if ((orders.flags(slot) & REDUCE_ONLY) !== 0) continue
    change.freed += lots
    change.freedLosses += lots * orders.lossTicks(slot)
  }
  change.sign = sign
  change.rest = 0
  change.restLosses = 0
  change.feePpm = makerPpmOf(state, positions.account[row]!)
  if (change.openLots > 0) return carryRefusal(state, market, row, change) === null
  sumScope(state, row, scope)
  closing.lots = change.lots
  closing.value = change.value
  closing.feePpm = change.feePpm
  return mayClose(state, market, row, sign)
}
