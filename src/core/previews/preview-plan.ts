// Whether a stop, an OCO, a chase or an iceberg would be accepted now, using the checks of its
// command without placing it; and its first resting order. Margin is checked only when an order is
// placed.

import { chaseRefusal } from '../algos/chase.ts'
import { icebergRefusal } from '../algos/iceberg.ts'
import type {
  PlaceChase,
  PlaceIceberg,
  PlaceOco,
  PlaceOrder,
  PlaceStop,
} from '../commands/commands.ts'
import type { Rejection } from '../commands/rejections.ts'
import { legsOf, ocoRefusal } from '../oco/place-oco.ts'
import type { State } from '../state/state.ts'
import { stopRefusal } from '../triggers/place-stop.ts'
import { type Caller, copyOf, owner } from './preview-order.ts'

export type Plan = PlaceStop | PlaceOco | PlaceChase | PlaceIceberg

/** Leverage and caller are as in `previewOrder`. */
export function planRefusal(
  state: State,
  request: Plan,
  leverage = 0,
  caller: Caller = owner,
): Rejection | null {
  const plan = { ...request, proof: null }
  const tried = copyOf(state, plan, leverage, caller)
  if ('refusal' in tried) return tried.refusal
  const by = { agent: caller.agent, row: () => tried.row }
  switch (plan.type) {
    case 'PlaceStop':
      return stopRefusal(tried.state, plan, by)
    case 'PlaceOco':
      return ocoRefusal(tried.state, plan, by)
    case 'PlaceChase':
      return chaseRefusal(tried.state, plan, by)
    case 'PlaceIceberg':
      return icebergRefusal(tried.state, plan, by)
  }
}

/** The order of an OCO, the first part of an iceberg, or the order of a chase at its price bound.
 *  `null`: the plan has no resting order. */
export function restingOrderOf(plan: Plan): PlaceOrder | null {
  switch (plan.type) {
    case 'PlaceStop':
      return null
    case 'PlaceOco':
      return legsOf(plan).find((leg) => leg.type === 'PlaceOrder') ?? null
    case 'PlaceChase':
      return { ...plan, ...bare, type: 'PlaceOrder', tif: 'TOB' }
    case 'PlaceIceberg':
      return { ...plan, ...bare, type: 'PlaceOrder', tif: 'ALO', size: plan.display }
  }
}

const bare = { takeProfit: null, stopLoss: null }
