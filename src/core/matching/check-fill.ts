// Checks a fill before its first write (ORDER-5, steps 4 to 6): the fill that match.ts is about to
// write, or a fill that fits-whole.ts settles on copies.

import { sumGuardedScope } from '../margin/equity.ts'
import { makerPpmOf, takerPpmOf } from '../margin/fee-tier.ts'
import type { Fill } from '../margin/fill.ts'
import { Change, Close, carryRefusal, mayClose } from '../margin/margin-checks.ts'
import * as sureness from '../margin/quick-checks.ts'
import { surelyFills } from '../margin/quick-checks.ts'
import * as pool from '../pools/order-pool.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { REDUCE_ONLY } = pool
const { AMPLE, UNSURE } = sureness

/** How the taker is treated. `liquidationPpm`: the taker of a liquidation pays this fee to the
 *  fund, and its margin is not checked; −1: the usual fee. `ample`: margin is not checked, because
 *  its account has ample margin for the whole order. */
export type Terms = Readonly<{ checked: boolean; ample: boolean; liquidationPpm: number }>
export const normalTerms: Terms = { checked: true, ample: false, liquidationPpm: -1 }
export const uncheckedTerms: Terms = { checked: false, ample: false, liquidationPpm: -1 }
export const ampleTerms: Terms = { checked: false, ample: true, liquidationPpm: -1 }

export const FITS = 0
export const MAKER_FAILS = 1
export const INTEREST_FAILS = 2
export const TAKER_FAILS = 3

// Exported constants are looked up at each use, too.
const fits = FITS

const change = new Change()
const close = new Close()

/** Checks `fill`, which has lots, price, value and open interest, and sets the taker's fee and the
 *  sides with ample margin. Rows belong to `state`: the exchange, or copied accounts. */
export function checkFill(
  state: State,
  market: Market,
  row: number,
  makerRow: number,
  maker: number,
  sign: number,
  terms: Terms,
  fill: Fill,
): number {
  const { positions } = state
  const { openInterest } = fill
  fill.feePpm = makerPpmOf(state, positions.account[makerRow]!)
  if (!mayFill(state, market, makerRow, -sign, maker, fill)) return MAKER_FAILS
  const { openInterestMax } = market.params
  // A match adds at most its own lots, so nothing is computed far from the limit.
  if (openInterest + fill.lots > openInterestMax) {
    const added = interestAdded(state, row, makerRow, sign * fill.lots)
    if (added > 0 && openInterest + added > openInterestMax) return INTEREST_FAILS
  }
  fill.feePpm =
    terms.liquidationPpm >= 0 ? terms.liquidationPpm : takerPpmOf(state, positions.account[row]!)
  if (terms.checked) return mayFill(state, market, row, sign, 0, fill) ? fits : TAKER_FAILS
  fill.takerAmple = terms.ample
  return fits
}

/** Change of open interest if the taker's row trades these signed lots with the maker's row. */
export function interestAdded(state: State, row: number, makerRow: number, lots: number): number {
  const { positions } = state
  return longsAdded(positions.lots[row]!, lots) + longsAdded(positions.lots[makerRow]!, -lots)
}

/** Change of the long lots of a position. */
export function longsAdded(held: number, lots: number): number {
  return Math.max(0, held + lots) - Math.max(0, held)
}

/** Checks one side of a fill (MARGIN-5). `makerSlot` is 0 for the taker. */
export function mayFill(
  state: State,
  market: Market,
  row: number,
  sign: number,
  makerSlot: number,
  fill: Fill,
): boolean {
  const { orders, positions } = state
  const { lots } = fill
  const counted = makerSlot !== 0 && (orders.flags(makerSlot) & REDUCE_ONLY) === 0
  const lossTicks = counted ? orders.lossTicks(makerSlot) : 0
  const sure = surelyFills(state, market, row, sign, counted ? lots : 0, lossTicks, fill)
  if (makerSlot === 0) fill.takerAmple = sure === AMPLE
  else fill.makerAmple = sure === AMPLE
  if (sure !== UNSURE) return true
  const position = positions.lots[row]! * sign
  if (position < 0 && lots <= -position) {
    state.counters.marginChecks += 1
    sumGuardedScope(state, row, close.scope)
    close.lots = lots
    close.value = fill.value
    close.feePpm = fill.feePpm
    return mayClose(state, market, row, sign, close)
  }
  change.sign = sign
  change.lots = lots
  change.value = fill.value
  change.openLots = position < 0 ? lots + position : lots
  change.openValue = change.openLots * fill.price * market.unitValue
  change.freed = counted ? lots : 0
  change.freedLosses = change.freed * lossTicks
  change.feePpm = fill.feePpm
  change.tested = makerSlot === 0
  return carryRefusal(state, market, row, change) === null
}
