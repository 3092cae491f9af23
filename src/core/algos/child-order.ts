// The resting order of an algo: its size, whether it may be placed, and what happens when it is
// rejected (ALGO-1).

import { type Rejection, rejections } from '../commands/rejections.ts'
import { Draft } from '../drafts/draft.ts'
import { ALO } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { NEW, orderRefusal } from '../orders/check-order.ts'
import { moveRefusal, replaceOrder } from '../orders/edit-order.ts'
import { enterOrder, runOrder } from '../orders/run-order.ts'
import { expiredKeyRefusal } from '../policies/check-policy.ts'
import type { Algo } from '../state/algo.ts'
import type { State } from '../state/state.ts'
import { checkPlan, draftFor } from './algo-draft.ts'
import { stopAlgo } from './stop-algo.ts'

const draft = new Draft()
// An edit sets fields that a new order does not set, so each has its own draft.
const moved = new Draft()

/** Places the next order of an algo if the order checks allow it. */
export function placeChild(
  state: State,
  log: EventLog,
  algo: Algo,
  price: number,
  lots: number,
): void {
  draftFor(state, algo, lots, draft)
  draft.price = price
  draft.tif = ALO
  draft.expireTime = algo.expireTime
  const refusal =
    expiredKeyRefusal(state, algo.account, algo.agent) ?? orderRefusal(state, draft, NEW)
  logStep(state, log, algo, { lots, price, refusal })
  if (refusal !== null) return countRefusal(state, log, algo, refusal)
  const { market, onlyReduces } = draft
  const slot = enterOrder(state, log, draft)
  algo.orders.push(state.orders.id(slot))
  checkPlan(state, algo)
  runOrder(state, log, market, slot, onlyReduces)
  // A post-only order that would have taken is cancelled, which counts as a rejection too.
  if (algo.orders.length === 0) countRefusal(state, log, algo, null)
  else settle(algo)
}

/** Moves the order of an algo to another price by an edit (ORDER-9). If the edit is rejected, the
 *  old order stays. */
export function moveChild(
  state: State,
  log: EventLog,
  algo: Algo,
  price: number,
  lots: number,
): void {
  const slot = state.orders.slotOf(algo.orders[0]!)
  const refusal =
    expiredKeyRefusal(state, algo.account, algo.agent) ??
    moveRefusal(state, moved, slot, algo, price, lots)
  // For a reduce-only order the checks may change the limit to the price that the order already
  // has.
  if (refusal === null && moved.price === state.orders.price(slot)) return settle(algo)
  logStep(state, log, algo, { lots, price, refusal })
  if (refusal !== null) return countRefusal(state, log, algo, refusal)
  algo.orders.push(replaceOrder(state, log, moved, slot))
  checkPlan(state, algo)
  settle(algo)
}

/** Called when the order is where it should be: resets the count of rejections. */
export function settle(algo: Algo): void {
  algo.refusals = 0
}

type Step = Readonly<{ lots: number; price: number; refusal: Rejection | null }>

export function logStep(
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

/** Counts a rejected step, and ends the algo after too many in a row. `refusal` is `null` if the
 *  step's post-only order was cancelled because it would have taken liquidity. */
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
