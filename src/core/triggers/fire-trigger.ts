// Triggers wake: the evaluation that queues them, and the turn that turns one into an order
// (TRIG-3).

import { type Rejection, refuse, rejections } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import type { Market } from '../markets/market.ts'
import { isLively } from '../markets/trading.ts'
import { cancelLeg, endOther } from '../oco/end-leg.ts'
import { otherLeg } from '../oco/links.ts'
import { worstPrice } from '../orders/check-order.ts'
import { Draft, FROM_TRIGGER, noLevels } from '../orders/draft.ts'
import { isOver } from '../orders/expiry.ts'
import { EXPIRED } from '../orders/order-life.ts'
import { placeDraft, releaseTime } from '../orders/place-order.ts'
import { GTC, IOC } from '../orders/times-in-force.ts'
import { broughtWithin, deadKeyRefusal } from '../policies/check-policy.ts'
import type { State } from '../state/state.ts'
import { tellEnded } from './end-trigger.ts'
import { BY_LAST, BY_MARK, BY_MID, type Trigger } from './trigger.ts'
import { TriggerHeap } from './trigger-heap.ts'
import { dropTrigger, extremeOf, watch } from './trigger-life.ts'
import { doubledPrice, wholePrice } from './trigger-price.ts'

/** Queues the market's triggers of this price that are reached; nearest to the old price first. */
export function evaluateTriggers(state: State, market: Market, triggerBy: number): void {
  const doubled = doubledPrice(market, triggerBy)
  if (doubled === 0) return
  const old = market.evaluated[triggerBy]!
  market.evaluated[triggerBy] = doubled
  const up = market.triggers[triggerBy * 2]!
  const down = market.triggers[triggerBy * 2 + 1]!
  const trailing = triggerBy === BY_MARK ? market.trailing.follow(market.mark) : []
  if (trailing.length === 0 && !up.reaches(doubled) && !down.reaches(-doubled)) return
  const wave = new TriggerHeap()
  const distanceOf = (key: number) => Math.abs(Math.abs(key) - old)
  up.moveUpTo(doubled, wave, distanceOf)
  down.moveUpTo(-doubled, wave, distanceOf)
  for (const trigger of trailing)
    wave.append(distanceOf(2 * trigger.trail!.stop), trigger.id, trigger)
  state.triggerQueue.add(wave)
}

/** Last-price and mid-price triggers of all markets; nothing to do while there are none. */
export function evaluateBookTriggers(state: State): void {
  if (state.bookTriggers === 0) return
  for (const market of state.markets) {
    if (market === undefined || !isLively(state, market)) continue
    evaluateTriggers(state, market, BY_LAST)
    evaluateTriggers(state, market, BY_MID)
  }
}

const draft = new Draft()

/** The turn of a trigger that has left the queue. */
export function fireTrigger(state: State, log: EventLog, trigger: Trigger): void {
  if (isOver(state, trigger.expireTime)) return cancelLeg(state, log, trigger.id, EXPIRED)
  const market = state.markets[trigger.market]!
  if (!isLively(state, market)) {
    // Its queue place is gone; it watches its price again, without counting twice.
    if (trigger.triggerBy !== BY_MARK) state.bookTriggers -= 1
    watch(state, trigger)
    return
  }
  const price = wholePrice(market, trigger.triggerBy) || trigger.stopPrice
  const { id, account } = trigger
  const extreme = extremeOf(trigger)
  log.write({ type: 'StopTriggered', order: id, account, market: market.id, price, extreme })
  settleFunding(state, log, account)
  const other = otherLeg(state, id)
  dropTrigger(state, trigger)
  endOther(state, log, other)
  const refusal = makeOrder(state, log, market, trigger)
  if (refusal === null) return
  tellEnded(state, log, trigger, 'refused', rejections[refusal.name].code)
}

function makeOrder(
  state: State,
  log: EventLog,
  market: Market,
  trigger: Trigger,
): Rejection | null {
  const { account, agent, reduceOnly } = trigger
  // Protection does not lapse with the key that set it.
  const dead = reduceOnly ? null : deadKeyRefusal(state, account, agent)
  if (dead !== null) return dead
  const sign = trigger.side === 0 ? 1 : -1
  const size = sizeOf(state, trigger, sign)
  if (typeof size !== 'number') return size
  draft.market = market
  draft.account = trigger.account
  draft.agent = trigger.agent
  draft.row = trigger.position
  draft.side = trigger.side
  draft.sign = sign
  draft.size = size
  draft.isMarket = trigger.limitPrice === 0
  draft.tif = draft.isMarket ? IOC : GTC
  draft.price = draft.isMarket
    ? worstPrice(market, sign, market.rules.triggers.stopSlippagePpm)
    : trigger.limitPrice
  if (reduceOnly) draft.price = broughtWithin(state, draft, trigger.lastSlippagePpm)
  draft.slippagePpm = 0
  draft.reduceOnly = reduceOnly
  draft.origin = FROM_TRIGGER
  draft.parent = trigger.id
  draft.clientOrderId = trigger.clientOrderId
  draft.takeProfits = noLevels
  draft.stopLosses = noLevels
  draft.expireTime = trigger.expireTime
  draft.releaseAt = releaseTime(state, market)
  return placeDraft(state, log, draft)
}

/** Lots of the order, or why it cannot be made. */
function sizeOf(state: State, trigger: Trigger, sign: number): number | Rejection {
  if (!trigger.reduceOnly) return trigger.size
  const opposed = -state.positions.lots[trigger.position]! * sign
  if (opposed === 0) return refuse('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  if (opposed < 0) return refuse('INVALID_REDUCE_ONLY_ORDER_SIDE')
  return trigger.size === 0 ? opposed : Math.min(trigger.size, opposed)
}
