// The order of an algo that rests in the book: how large it is, whether it may be made, and what
// follows from a refusal (ALGO-1).

import { type Rejection, rejections } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { NEW, orderRefusal } from '../orders/check-order.ts'
import { Draft, FROM_ALGO } from '../orders/draft.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import { ALO } from '../orders/times-in-force.ts'
import { deadKeyRefusal } from '../policies/check-policy.ts'
import type { State } from '../state/state.ts'
import type { Algo } from './algo.ts'
import { stopAlgo } from './stop-algo.ts'

const draft = new Draft()

/** So many of these lots as the position has to close, if it only reduces. */
export function closableOf(state: State, algo: Algo, lots: number): number {
  if (!algo.reduceOnly) return lots
  const opposed = -state.positions.lots[algo.position]! * (algo.side === 0 ? 1 : -1)
  return Math.max(0, Math.min(lots, opposed))
}

/** Makes an order for what it wants, where the checks of an order let it. */
export function placeChild(
  state: State,
  log: EventLog,
  algo: Algo,
  price: number,
  lots: number,
): void {
  fillDraft(state, algo, price, lots)
  const refusal = deadKeyRefusal(state, algo.account, algo.agent) ?? orderRefusal(state, draft, NEW)
  tellStep(state, log, algo, { lots, price, refusal })
  if (refusal !== null) return countRefusal(state, log, algo, refusal)
  const { market, onlyReduces } = draft
  const slot = enterOrder(state, log, draft)
  algo.orders.push(state.orders.id(slot))
  runOrder(state, log, market, slot, onlyReduces)
  // One that would have taken is over, and is a refusal as well.
  if (algo.orders.length === 0) countRefusal(state, log, algo, null)
  else algo.refusals = 0
}

function fillDraft(state: State, algo: Algo, price: number, lots: number): void {
  draft.market = state.markets[algo.market]!
  draft.account = algo.account
  draft.agent = algo.agent
  draft.row = algo.position
  draft.side = algo.side
  draft.sign = algo.side === 0 ? 1 : -1
  draft.price = price
  draft.size = lots
  draft.tif = ALO
  draft.reduceOnly = algo.reduceOnly
  draft.origin = FROM_ALGO
  draft.parent = algo.id
  draft.expireTime = algo.expireTime
}

type Step = Readonly<{ lots: number; price: number; refusal: Rejection | null }>

export function tellStep(
  state: State,
  log: EventLog,
  algo: Algo,
  { lots, price, refusal }: Step,
): void {
  algo.steps += 1
  algo.steppedAt = state.commandAtMs
  const { id, account, market, steps } = algo
  const rejection = refusal === null ? 0 : rejections[refusal.name].code
  log.write({ type: 'AlgoStepped', algo: id, account, market, step: steps, lots, price, rejection })
}

/** After so many in a row it is over; null: its order would have taken. */
export function countRefusal(
  state: State,
  log: EventLog,
  algo: Algo,
  refusal: Rejection | null,
): void {
  algo.refusals += 1
  const code = refusal === null ? 0 : rejections[refusal.name].code
  if (algo.refusals >= state.rules.limits.algoRefusals) stopAlgo(state, log, algo, 'refused', code)
}
