// What an order would take from the book now, without writing (ORDER-2).

import type { Market } from '../markets/market.ts'
import { REDUCE_ONLY } from '../orders/order-pool.ts'
import { grown } from '../pools/growing.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { interestAfter } from './match.ts'

/** What the walk took. Reused. */
export class Taking {
  lots = 0
  value = 0
  openLots = 0
  openValue = 0
  /** Open interest after the first match; 0 when there is none. */
  firstInterest = 0
  /** There is more within the limit than is looked at. */
  cut = false
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
    this.cut = false
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

export function dryRun(
  state: State,
  market: Market,
  row: number,
  side: number,
  limit: number,
  size: number,
  taking: Taking,
): void {
  taking.clear()
  const { orders, levels, accounts, positions } = state
  const sign = side === 0 ? 1 : -1
  const other = side === 0 ? market.asks : market.bids
  const owner = accounts.main[positions.account[row]!]!
  let walked = 0
  for (let level = other.bestLevel; level !== 0; level = levels.worse[level]!) {
    const price = levels.price[level]!
    if ((price - limit) * sign > 0 || taking.lots >= size || taking.cut) break
    for (let slot = levels.head[level]!; slot !== 0; slot = orders.levelNext(slot)) {
      taking.cut = walked++ === limits.ordersWalked
      if (taking.cut) break
      if (accounts.main[orders.account(slot)] === owner) continue
      const most = givable(state, slot)
      const lots = Math.min(size - taking.lots, most)
      if (lots <= 0) continue
      if (taking.count === 0)
        taking.firstInterest = interestAfter(state, market, row, orders.position(slot), sign * lots)
      taking.add(slot, lots)
      const maker = orders.position(slot)
      positions.walked[maker] = positions.walked[maker]! + lots
      taking.lots += lots
      taking.value += lots * price * market.unitValue
      if (taking.lots >= size) break
    }
  }
  for (let at = 0; at < taking.count; at++) positions.walked[orders.position(taking.slots[at]!)] = 0
  splitOpening(state, market, row, sign, taking)
}

/** A reduce-only maker gives at most what the walk has left of its account's position. */
function givable(state: State, slot: number): number {
  const { orders, positions } = state
  const remaining = orders.remaining(slot)
  if ((orders.flags(slot) & REDUCE_ONLY) === 0) return remaining
  const row = orders.position(slot)
  return Math.min(remaining, Math.abs(positions.lots[row]!) - positions.walked[row]!)
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
