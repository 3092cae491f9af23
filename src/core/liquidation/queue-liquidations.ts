// Who must be liquidated at a new mark (LIQ-1): the index names candidates, the exact sums decide.

import { ratioFloor } from '../../units/wide.ts'
import type { Market } from '../markets/market.ts'
import type { State } from '../state.ts'
import { findRow } from '../accounts/position-row.ts'
import { healthOf, scopeNumber, scopeOfRow } from './scope.ts'
import { indexAccount, updateIndexes } from './update-index.ts'

type Candidate = Readonly<{ number: number; account: number; ratio: number }>

export function queueLiquidations(state: State, market: Market): void {
  updateIndexes(state)
  const unhealthy: Candidate[] = []
  for (const row of [...market.longs.reached(market.mark), ...market.shorts.reached(market.mark)]) {
    const scope = scopeOfRow(state, row)
    const { equity, maintenance } = healthOf(state, scope)
    if (equity >= maintenance) {
      indexAccount(state, scope.account)
      continue
    }
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
