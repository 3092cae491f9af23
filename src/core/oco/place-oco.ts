// Places two linked legs of which only one executes (TRIG-14): two stops, or a resting order and a
// stop. Two resting legs are not allowed, because a fill of a small leg would make a large leg
// disappear.

import { marketAdmissionRefusal } from '../admission/admit.ts'
import type { PlaceOco, PlaceOrder, PlaceStop, RestingLeg, StopLeg } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { Draft, RUNS_NOW } from '../drafts/draft.ts'
import { type StandingLeg, standing } from '../drafts/standing-leg.ts'
import type { EventLog } from '../events/event-log.ts'
import { type Asking, askingOf } from '../margin/position-row.ts'
import { NEW, orderRefusal } from '../orders/check-order.ts'
import { restOrder } from '../orders/order-life.ts'
import { fillDraft } from '../orders/place-order.ts'
import { enterOrder } from '../orders/run-order.ts'
import type { State } from '../state/state.ts'
import { settingOf, settingRefusal, stopRefusal } from '../triggers/place-stop.ts'
import { addTrigger } from '../triggers/trigger-life.ts'
import { linkLegs } from './links.ts'

type Leg = PlaceOrder | PlaceStop

const draft = new Draft()
draft.mustRest = true

export function placeOco(state: State, log: EventLog, command: PlaceOco): Rejection | null {
  const refusal =
    marketAdmissionRefusal(state, log, command, 'trade') ??
    ocoRefusal(state, command, askingOf(state, command))
  if (refusal !== null) return refusal
  const market = state.markets[command.market]!
  const [first, second] = legsOf(command)
  const ids = [enterLeg(state, log, first!), enterLeg(state, log, second!)] as const
  linkLegs(state, ...ids)
  const { account } = command
  log.write({ type: 'OcoLinked', account, market: market.id, first: ids[0], second: ids[1] })
  for (const id of ids) {
    const slot = state.orders.slotOf(id)
    if (slot !== 0) restOrder(state, log, market, slot)
  }
  return null
}

/** The account and the market exist. */
export function ocoRefusal(state: State, command: PlaceOco, by: Asking): Rejection | null {
  const [first, second] = legsOf(command)
  return (
    settingRefusal(state, command.account, state.markets[command.market]!) ??
    pairRefusal(command.legs) ??
    legRefusal(state, first!, by, null) ??
    legRefusal(state, second!, by, standing(first!))
  )
}

/** The separate commands that place its legs. */
export function legsOf(command: PlaceOco): readonly Leg[] {
  return command.legs.map((leg) => legOf(command, leg))
}

function isStopLeg(leg: RestingLeg | StopLeg): leg is StopLeg {
  return 'level' in leg
}

function legOf(command: PlaceOco, leg: RestingLeg | StopLeg): Leg {
  const { account, proof, market } = command
  const own = { account, proof, market, expireTime: command.expireTime ?? null }
  const bare = { takeProfit: null, stopLoss: null }
  if (isStopLeg(leg)) return { type: 'PlaceStop', ...own, ...leg, ...bare }
  return { type: 'PlaceOrder', ...own, ...leg, tif: 'ALO', ...bare }
}

/** Two stops may differ in everything. An order and a stop must have the same side, size and
 *  reduce-only flag. */
function pairRefusal(legs: PlaceOco['legs']): Rejection | null {
  const stops = legs.filter(isStopLeg)
  if (legs.length !== 2 || stops.length === 0) return refuse('INVALID_ORDER_TYPE')
  const order = legs.find((leg) => !isStopLeg(leg)) as RestingLeg | undefined
  if (order === undefined) return null
  const stop = stops[0]!
  if (stop.side !== order.side) return refuse('INVALID_STOP_ORDER_SIDE')
  const { size } = stop.level
  if (size !== order.size)
    return refuse('INVALID_STOP_ORDER_AMOUNT', whole(size), whole(order.size))
  if (stop.reduceOnly === order.reduceOnly) return null
  return refuse('INVALID_STOP_ORDER_REDUCE_ONLY')
}

function whole(size: number | null): number {
  return Number.isSafeInteger(size) ? size! : 0
}

function legRefusal(
  state: State,
  leg: Leg,
  by: Asking,
  otherLeg: StandingLeg | null,
): Rejection | null {
  if (leg.type === 'PlaceStop') return stopRefusal(state, leg, by, otherLeg)
  draft.row = by.row()
  fillDraft(state, draft, leg, RUNS_NOW)
  draft.agent = by.agent
  draft.otherLeg = otherLeg
  return orderRefusal(state, draft, NEW)
}

/** Returns the id of the leg. An order does not rest yet. */
function enterLeg(state: State, log: EventLog, leg: Leg): number {
  if (leg.type === 'PlaceStop') return addTrigger(state, log, leg.level, settingOf(state, leg)).id
  return state.orders.id(enterOrder(state, log, draft))
}
