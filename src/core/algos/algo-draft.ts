// The order that an algo wants next, as a draft (ALGO-1).

import { broken } from '../../units/invariant.ts'
import { type Draft, FROM_ALGO } from '../drafts/draft.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'

/** What the orders of all kinds have in common. */
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

/** With a new order: what it has filled and what is open do not exceed its size (ALGO-1). */
export function checkPlan({ orders }: State, algo: Algo): void {
  let planned = algo.filled
  for (const id of algo.orders) planned += orders.remaining(orders.slotOf(id))
  if (planned > algo.size) broken('an algo has more filled and open than its size', planned)
}

/** The lots that the position can close of the given ones, if the algo only reduces. */
export function closableOf(state: State, algo: Algo, lots: number): number {
  if (!algo.reduceOnly) return lots
  const opposed = -state.positions.lots[algo.position]! * (algo.side === 0 ? 1 : -1)
  return Math.max(0, Math.min(lots, opposed))
}
