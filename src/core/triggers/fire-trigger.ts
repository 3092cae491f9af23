// Fires triggers: the evaluation that queues them, and the turn that converts one into an order
// (TRIG-3).

import { broken } from '../../units/invariant.ts'
import { divFloor, mulPpmFloor } from '../../units/rounding.ts'
import { type Rejection, refuse, rejections } from '../commands/rejections.ts'
import { Draft, FROM_TRIGGER, noLevels, RUNS_NOW, WAITS_FOR_TICK } from '../drafts/draft.ts'
import { GTC, IOC } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { cancelLeg, endOther } from '../oco/end-leg.ts'
import { otherLeg } from '../oco/links.ts'
import { EXPIRED } from '../orders/order-life.ts'
import { placeDraft, releaseTime } from '../orders/place-order.ts'
import { broughtWithin, expiredKeyRefusal } from '../policies/check-policy.ts'
import { worstPrice } from '../prices/order-prices.ts'
import { isLively } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { BY_LAST, BY_MARK, BY_MID, type Trigger } from '../state/trigger.ts'
import { TriggerHeap } from '../state/trigger-heap.ts'
import { DEFAULT_SLIPPAGE, type Watched } from '../state/watched-triggers.ts'
import { isOver } from '../timing/expiry.ts'
import { logEnded } from './end-trigger.ts'
import { dropTrigger, extremeOf, watch } from './trigger-life.ts'
import { doubledPrice, doubledStop, wholePrice } from './trigger-price.ts'

/** After a tick has set the prices of its market, queues the triggers that they reach: first those
 *  of the mark, then of the last price, then of the mid. Within each, the nearest to the previous
 *  price comes first. */
export function evaluateTriggers(state: State, market: Market): void {
  const isEvaluated = isLively(state, market)
  for (const triggerBy of [BY_MARK, BY_LAST, BY_MID]) {
    const doubled = doubledPrice(market, triggerBy)
    if (doubled === 0) continue
    const old = market.evaluated[triggerBy]!
    market.evaluated[triggerBy] = doubled
    if (isEvaluated) queueReached(state, market, triggerBy, doubled, old)
  }
}

function queueReached(
  state: State,
  market: Market,
  triggerBy: number,
  doubled: number,
  old: number,
): void {
  const trailing = triggerBy === BY_MARK ? market.trailing.follow(market.mark) : []
  const watched =
    triggerBy === BY_MARK ? [market.triggers.byMark] : near(market, triggerBy, doubled)
  const reached = watched.filter(({ up, down }) => up.reaches(doubled) || down.reaches(-doubled))
  if (trailing.length === 0 && reached.length === 0) return
  const wave = new TriggerHeap()
  const distanceOf = (key: number) => Math.abs(Math.abs(key) - old)
  for (const { up, down } of reached) {
    up.moveUpTo(doubled, wave, distanceOf)
    down.moveUpTo(-doubled, wave, distanceOf)
  }
  for (const trigger of trailing)
    wave.append(distanceOf(2 * trigger.trail!.stop), trigger.id, trigger)
  state.triggerQueue.add(wave)
}

/** Triggers of the last price or the mid that may fire, because that price is within the reach of
 *  their orders from the mark. */
function near(market: Market, triggerBy: number, doubled: number): Watched[] {
  const away = Math.abs(doubled - doubledStop(triggerBy, market.mark))
  const found: Watched[] = []
  for (const [slippagePpm, watched] of market.triggers.bySlippage(triggerBy)) {
    const ppm = slippagePpm === DEFAULT_SLIPPAGE ? defaultSlippage(market) : slippagePpm
    if (away <= doubledStop(triggerBy, mulPpmFloor(market.mark, ppm))) found.push(watched)
  }
  return found
}

/** The default maximum distance from the mark of a stop's market order. */
export function defaultSlippage({ baseFractionPpm }: Market): number {
  return divFloor(baseFractionPpm, 2)
}

const draft = new Draft()

/** Runs the turn of a trigger that has left the queue. */
export function fireTrigger(state: State, log: EventLog, trigger: Trigger): void {
  if (!state.triggers.has(trigger.id)) broken('a trigger fires that has ended', trigger.id)
  if (!trigger.armed) broken('a trigger fires that is not armed', trigger.id)
  if (isOver(state, trigger.expireTime)) return cancelLeg(state, log, trigger.id, EXPIRED)
  const market = state.markets[trigger.market]!
  if (!isLively(state, market)) {
    // Its place in the queue was used; the trigger watches its price again.
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
  logEnded(state, log, trigger, 'refused', rejections[refusal.name].code)
}

function makeOrder(
  state: State,
  log: EventLog,
  market: Market,
  trigger: Trigger,
): Rejection | null {
  const { account, agent, reduceOnly } = trigger
  // A protective trigger stays valid after the key that set it has expired.
  const expired = reduceOnly ? null : expiredKeyRefusal(state, account, agent)
  if (expired !== null) return expired
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
  const slippagePpm = trigger.slippagePpm ?? defaultSlippage(market)
  draft.price = draft.isMarket ? worstPrice(market, sign, slippagePpm) : trigger.limitPrice
  if (reduceOnly) draft.price = broughtWithin(state, draft, trigger.lastSlippagePpm)
  draft.slippagePpm = slippagePpm
  draft.reduceOnly = reduceOnly
  draft.origin = FROM_TRIGGER
  draft.parent = trigger.id
  draft.clientOrderId = trigger.clientOrderId
  draft.takeProfits = noLevels
  draft.stopLosses = noLevels
  draft.expireTime = trigger.expireTime
  draft.releaseAt = releaseTime(state, market)
  draft.goesOn = null
  if (reduceOnly && draft.isMarket) goOn(state, trigger)
  return placeDraft(state, log, draft)
}

/** Keeps the order executing until its position is closed, but not while an order of an earlier
 *  stop of the position does. */
function goOn(state: State, trigger: Trigger): void {
  const { position: row, agent, lastSlippagePpm, expireTime } = trigger
  const latest = state.atMs + draft.market.rules.triggers.goesOnMs
  draft.goesOn = { row, agent, lastSlippagePpm }
  draft.expireTime = expireTime === null ? latest : Math.min(expireTime, latest)
  if (draft.releaseAt === RUNS_NOW && state.goingOn.firstOf(row) !== 0)
    draft.releaseAt = WAITS_FOR_TICK
}

/** Lots of the order, or the rejection. */
function sizeOf(state: State, trigger: Trigger, sign: number): number | Rejection {
  if (!trigger.reduceOnly) return trigger.size
  const opposed = -state.positions.lots[trigger.position]! * sign
  if (opposed === 0) return refuse('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  if (opposed < 0) return refuse('INVALID_REDUCE_ONLY_ORDER_SIDE')
  return trigger.size === 0 ? opposed : Math.min(trigger.size, opposed)
}
