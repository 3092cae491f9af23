// Builds the draft of the next order of an algo (ALGO-1).

import { broken } from '../../units/invariant.ts'
import { type Draft, FROM_ALGO } from '../drafts/draft.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'

/** Fills in the fields that the orders of all algo kinds share. */
export function draftFor(state: State, algo: Algo, lots: number, draft: Draft): void {
  draft.market = state.markets[algo.market]!
  draft.account = algo.account
  draft.agent = algo.agent
  draft.row = algo.position
  draft.side = algo.side
  draft.sign = algo.side === 0 ? 1 : -1
  draft.size = lots
  draft.reduceOnly = algo.reduceOnly
  draft.origin = FROM_ALGO
  draft.parent = algo.id
}

/** Checks, after a new order, that filled and open lots together do not exceed the size of the algo
 *  (ALGO-1). */
export function checkPlan({ orders }: State, algo: Algo): void {
  let planned = algo.filled
  for (const id of algo.orders) planned += orders.remaining(orders.slotOf(id))
  if (planned > algo.size) broken('an algo has more filled and open than its size', planned)
}

/** Limits the given lots to those that close the position if the algo is reduce-only. */
export function closableOf(state: State, algo: Algo, lots: number): number {
  if (!algo.reduceOnly) return lots
  const opposed = -state.positions.lots[algo.position]! * (algo.side === 0 ? 1 : -1)
  return Math.max(0, Math.min(lots, opposed))
}
