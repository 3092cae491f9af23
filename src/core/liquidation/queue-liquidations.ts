// Queues scopes that must be liquidated at a new mark (LIQ-1). The index names candidates; the
// exact sums decide.

import { divFloor } from '../../units/rounding.ts'
import { ratioFloor } from '../../units/wide.ts'
import { Health, sumScope } from '../margin/equity.ts'
import { findRow } from '../margin/position-row.ts'
import { scopeNumber, scopeOfRow } from '../solvency/scope.ts'
import { indexAccount, updateIndexes } from '../solvency/update-index.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

type Candidate = Readonly<{ number: number; account: number; ratio: number }>

/** Recomputes all triggers of accounts whose trigger in this market is reached. A loss here reduces
 *  the slack in their other markets too, even if no account is liquidated in this market. */
export function reindexReached(state: State, market: Market): Int32Array {
  updateIndexes(state)
  const { longs, shorts, mark } = market
  const found = [...longs.reached(mark), ...shorts.reached(mark)]
  // Sorted by memory position: thousands of rows in heap order would cause a cache miss each.
  const rows = Int32Array.from(found).sort()
  for (const row of rows) indexAccount(state, state.positions.account[row]!)
  return rows
}

const sums = new Health()

export function queueLiquidations(state: State, market: Market, reached: Int32Array): void {
  const unhealthy: Candidate[] = []
  for (const row of reached) {
    sumScope(state, row, sums)
    if (sums.equity >= sums.maintenance) continue
    const scope = scopeOfRow(state, row)
    const ratio = ratioPpb(sums.equity, sums.maintenance)
    unhealthy.push({ number: scopeNumber(scope), account: scope.account, ratio })
  }
  unhealthy.sort((one, other) => one.ratio - other.ratio || one.account - other.account)
  for (const { number } of unhealthy) queueScope(state, number)
  if (state.positions.lots[findRow(market, market.backstop)] !== 0)
    queueScope(state, scopeNumber({ account: market.backstop, market: 0 }))
}

/** A scope that is queued for takeover or deleveraging would only lose its place by another
 *  turn. */
function queueScope({ liquidationQueue, takeoverQueue, deleverageQueue }: State, number: number) {
  if (!takeoverQueue.has(number) && !deleverageQueue.has(number)) liquidationQueue.add(number)
}

/** A remainder below this, times a thousand, is a safe integer. */
const divisibleMax = 2 ** 43

/** ⌊equity × 10^9 ÷ maintenance⌋, which orders the liquidations. A long division, three digits at a
 *  time, keeps every product a safe integer without BigInt: in a crash one command divides for
 *  thousands of accounts. */
export function ratioPpb(equity: number, maintenance: number): number {
  if (maintenance > divisibleMax) return ratioFloor([equity, 1_000_000_000], [maintenance])
  let quotient = divFloor(equity, maintenance)
  let rest = equity - quotient * maintenance
  for (let thousands = 0; thousands < 3; thousands++) {
    const digits = divFloor(rest * 1_000, maintenance)
    rest = rest * 1_000 - digits * maintenance
    quotient = quotient * 1_000 + digits
  }
  return quotient
}
