// Who must be liquidated at a new mark (LIQ-1): the index names candidates, the exact sums decide.

import { ratioFloor } from '../../units/wide.ts'
import { findRow } from '../accounts/position-row.ts'
import type { Market } from '../markets/market.ts'
import type { State } from '../state.ts'
import { healthOf, scopeNumber, scopeOfRow } from './scope.ts'
import { indexAccount, updateIndexes } from './update-index.ts'

type Candidate = Readonly<{ number: number; account: number; ratio: number }>

/** Accounts whose trigger in this market is reached get all their triggers anew: the slack they lost
 *  here is missing in their other markets too, also while nobody is liquidated in this one. */
export function reindexReached(state: State, market: Market): readonly number[] {
  updateIndexes(state)
  const rows = [...market.longs.reached(market.mark), ...market.shorts.reached(market.mark)]
  for (const row of rows) indexAccount(state, state.positions.account[row]!)
  return rows
}

export function queueLiquidations(state: State, market: Market, reached: readonly number[]): void {
  const unhealthy: Candidate[] = []
  for (const row of reached) {
    const scope = scopeOfRow(state, row)
    const { equity, maintenance } = healthOf(state, scope)
    if (equity >= maintenance) continue
    // The health ratio in parts per billion, rounded down, decides who comes first.
    const ratio = ratioFloor([equity, 1_000_000_000], [maintenance])
    unhealthy.push({ number: scopeNumber(scope), account: scope.account, ratio })
  }
  unhealthy.sort((one, other) => one.ratio - other.ratio || one.account - other.account)
  for (const { number } of unhealthy) state.liquidationQueue.add(number)
  const backstop = findRow(market, market.backstop)
  if (backstop !== 0 && state.positions.lots[backstop] !== 0)
    state.liquidationQueue.add(scopeNumber({ account: market.backstop, market: 0 }))
}
