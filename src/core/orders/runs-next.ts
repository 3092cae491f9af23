// Orders that are the first releases of the next command (CORE-5). They are due at time 0, so they
// precede all other releases that were left over.

import { type Draft, RUNS_NEXT, RUNS_NOW, WAITS_FOR_TICK } from '../drafts/draft.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { stands } from '../prices/trading.ts'
import { DUE_RELEASE } from '../queues/due-queue.ts'
import type { State } from '../state/state.ts'
import { hasUnits } from '../timing/command-units.ts'
import { schedule } from '../timing/schedule.ts'
import { crosses } from './order-life.ts'

const FIRST = 0

export function leaveFirst(state: State, id: number): void {
  state.leftReleases.set(id, FIRST)
  schedule(state, { at: FIRST, kind: DUE_RELEASE, id })
}

export function runsNext({ leftReleases }: State, id: number): boolean {
  return leftReleases.get(id) === FIRST
}

/** When an order without a speed bump may match: not at a price that was observed before the order
 *  arrived (ORDER-3), and not after the units of the command are used up. */
export function matchTime(state: State, { market, side, price, tif }: Draft): number {
  if (!timeInForceOf(tif).takes || !crosses(market, side, price)) return RUNS_NOW
  if (!stands(market)) return WAITS_FOR_TICK
  return hasUnits(state) ? RUNS_NOW : RUNS_NEXT
}
