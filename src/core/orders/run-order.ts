// Runs an accepted draft until the order is in the book, at the speed bump, or ended (ORDER-3,
// ORDER-4).

import { broken } from '../../units/invariant.ts'
import { rejections } from '../commands/rejections.ts'
import { rememberClientId } from '../drafts/client-ids.ts'
import {
  bringsLevels,
  Draft,
  FROM_ALGO,
  FROM_LIQUIDATION,
  FROM_TRIGGER,
  RUNS_NEXT,
  RUNS_NOW,
  WAITS_FOR_TICK,
  waits,
} from '../drafts/draft.ts'
import { isProtected, OPTIONS, stpOf } from '../drafts/order-options.ts'
import { LIMIT, MARKET } from '../drafts/order-types.ts'
import { timeInForceOf } from '../drafts/times-in-force.ts'
import { bitsOf, columnsOf, headOf } from '../events/event-columns.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { attachLevels, handOver } from '../levels/attached.ts'
import { Change, carryRefusal } from '../margin/margin-checks.ts'
import { normalTerms, type Terms } from '../matching/check-fill.ts'
import { CollectedFills } from '../matching/collect-fills.ts'
import { fitsWhole } from '../matching/fits-whole.ts'
import { matchOrder } from '../matching/match.ts'
import { broughtWithin } from '../policies/check-policy.ts'
import {
  ATTACHED,
  CHILD,
  EXPIRES,
  GOES_ON,
  HAS_CLIENT_ID,
  MARKET_ORDER,
  NO_END,
  REDUCE_ONLY,
  SLIPPAGE_SHIFT,
} from '../pools/order-pool.ts'
import { worstPrice } from '../prices/order-prices.ts'
import { stands } from '../prices/trading.ts'
import { FOR_BUMP, FOR_NEXT, FOR_TICK } from '../queues/waiting-orders.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { expireTimeOf, isOver } from '../timing/expiry.ts'
import { scheduleExpiry } from '../timing/schedule.ts'
import { orderRefusal, RELEASE } from './check-order.ts'
import {
  cancelSlot,
  crosses,
  EXPIRED,
  endOrder,
  entryLoss,
  hasRoom,
  joinProtected,
  joinRow,
  NO_MARGIN,
  POST_ONLY_REJECTED,
  REFUSED,
  restOrder,
  waitFor,
  withdrawOrder,
} from './order-life.ts'
import { leaveFirst } from './runs-next.ts'
import { tripMarked } from './trips.ts'

const ORDER_PLACED = headOf('OrderPlaced')
const orderPlaced = columnsOf('OrderPlaced')
const placedAs = bitsOf('OrderPlaced')

const change = new Change()
const collected = new CollectedFills()

/** Gives an accepted draft its id and its slot, and logs it. The order then waits, or is ready to
 *  run. */
export function enterOrder(state: State, log: EventLog, draft: Draft): number {
  const { orders } = state
  const { account, row, market, side, tif, price, size } = draft
  if (!(size > 0)) broken('an order of no lots is entered, lots', size)
  if (!(price > 0)) broken('an order at no price is entered, ticks', price)
  if (state.positions.account[row] !== account)
    broken('an order is entered in the row of another account', row)
  const id = state.nextOrderId++
  const slot = orders.enter(id, row, account, market.id, side, tif, price, size)
  const attached = bringsLevels(draft)
  orders.setOrigin(slot, draft.origin)
  orders.setFlags(slot, flagsOf(draft))
  orders.setParent(slot, draft.parent)
  orders.setCreatedAt(slot, state.atMs)
  orders.setUpdatedAt(slot, state.atMs)
  joinRow(state, slot)
  if (isProtected(draft.options)) protect(state, log, id, draft)
  if (draft.expireTime !== null) logExpiry(state, log, id, draft)
  placedEvent(log, id, draft)
  if (draft.clientOrderId !== null) rememberClientId(state, account, id, draft.clientOrderId)
  if (attached) attachLevels(state, log, id, draft)
  else if (draft.origin === FROM_TRIGGER) handOver(state, draft.parent, slot)
  if (draft.goesOn !== null) state.goingOn.add(id, draft.goesOn)
  if (draft.releaseAt === WAITS_FOR_TICK) awaitTick(state, market, slot, state.atMs)
  else if (draft.releaseAt === RUNS_NEXT) runNext(state, market, slot)
  else if (waits(draft)) waitFor(state, market, slot, FOR_BUMP, draft.releaseAt)
  return slot
}

function flagsOf(draft: Draft): number {
  return (
    (draft.reduceOnly ? REDUCE_ONLY : 0) |
    (bringsLevels(draft) ? ATTACHED : 0) |
    (draft.clientOrderId !== null ? HAS_CLIENT_ID : 0) |
    (draft.isMarket ? MARKET_ORDER | (draft.slippagePpm << SLIPPAGE_SHIFT) : 0) |
    (draft.expireTime !== null ? EXPIRES : 0) |
    (draft.origin === FROM_ALGO && !draft.isMarket ? CHILD : 0) |
    (draft.goesOn !== null ? GOES_ON : 0) |
    draft.options
  )
}

function logExpiry(state: State, log: EventLog, order: number, draft: Draft): void {
  const { account, market, expireTime } = draft
  scheduleExpiry(state, order, expireTime!)
  log.write({ type: 'ExpirySet', order, account, market: market.id, time: expireTime! })
}

function protect(state: State, log: EventLog, order: number, draft: Draft): void {
  const { account, market, row } = draft
  joinProtected(state, row, order)
  log.write({ type: 'OrderProtected', order, account, market: market.id })
}

function placedEvent(log: EventLog, id: number, draft: Draft): void {
  const at = log.append(
    ORDER_PLACED |
      (draft.side << placedAs.side.shift) |
      (draft.tif << placedAs.tif.shift) |
      ((draft.reduceOnly ? 1 : 0) << placedAs.reduceOnly.shift) |
      (draft.origin << placedAs.origin.shift) |
      ((waits(draft) ? 1 : 0) << placedAs.waiting.shift) |
      ((draft.isMarket ? MARKET : LIMIT) << placedAs.orderType.shift),
  )
  const { rows } = log
  rows[at + orderPlaced.order] = id
  rows[at + orderPlaced.account] = draft.account
  rows[at + orderPlaced.market] = draft.market.id
  rows[at + orderPlaced.price] = draft.price
  rows[at + orderPlaced.size] = draft.size
  rows[at + orderPlaced.parent] = draft.parent
  rows[at + orderPlaced.clientOrderId] = log.intern(draft.clientOrderId)
}

/** Runs an incoming order until it ends or rests (ORDER-4, steps 4 to 7). Returns true if its match
 *  has stopped (CORE-5). */
export function runOrder(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  onlyReduces: boolean,
  terms: Terms = normalTerms,
): boolean {
  const stops = takeAndRest(state, log, market, slot, onlyReduces, terms)
  tripMarked(state, log)
  return stops
}

function takeAndRest(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  onlyReduces: boolean,
  terms: Terms,
): boolean {
  const { orders } = state
  const id = orders.id(slot)
  const { takes, rests, whole } = timeInForceOf(orders.tif(slot))
  if (whole && !isFillable(state, market, slot)) {
    cancelSlot(state, log, slot, EXPIRED, 0)
    return false
  }
  const crossed = crosses(market, orders.side(slot), orders.price(slot))
  let stops = false
  if (crossed) {
    if (takes) stops = matchOrder(state, log, market, slot, terms)
    else cancelSlot(state, log, slot, POST_ONLY_REJECTED, 0)
    if (orders.id(slot) !== id) return stops
  }
  const left = orders.remaining(slot)
  if (left === 0) endOrder(state, log, slot)
  else if (goesOn(state, slot)) waitFor(state, market, slot, FOR_NEXT, NO_END)
  else if (stops && orders.origin(slot) < FROM_LIQUIDATION) runNext(state, market, slot)
  else if (!rests) cancelSlot(state, log, slot, EXPIRED, 0)
  else if (crossed && !onlyReduces && !carriesRest(state, market, slot))
    cancelSlot(state, log, slot, NO_MARGIN, 0)
  else if (!hasRoom(state, market, orders.side(slot), orders.price(slot), 0))
    cancelSlot(state, log, slot, REFUSED, rejections.BOOK_SIDE_FULL.code)
  else restOrder(state, log, market, slot)
  return stops
}

function isFillable(state: State, market: Market, slot: number): boolean {
  const { orders } = state
  const account = orders.account(slot)
  const row = orders.position(slot)
  const side = orders.side(slot)
  const price = orders.price(slot)
  const size = orders.remaining(slot)
  const most = state.rules.limits.ordersWalked
  const stp = stpOf(orders.flags(slot))
  // Restores the units used by the checks: the orders that they visited are counted once.
  const { unitsUsed } = state
  collected.run(state, market, row, side, price, size, most, stp)
  state.unitsUsed = unitsUsed
  if (collected.lots !== size) return false
  return fitsWhole(state, market, { account, row, side, price, size, most, stp, checked: true })
}

function carriesRest(state: State, market: Market, slot: number): boolean {
  const { orders } = state
  change.sign = orders.side(slot) === 0 ? 1 : -1
  change.lots = 0
  change.value = 0
  change.openLots = 0
  change.openValue = 0
  change.rest = orders.remaining(slot)
  change.restLosses = change.rest * entryLoss(market, orders.side(slot), orders.price(slot))
  change.freed = 0
  change.freedLosses = 0
  change.feePpm = 0
  return carryRefusal(state, market, orders.position(slot), change) === null
}

function goesOn({ orders }: State, slot: number): boolean {
  return (orders.flags(slot) & GOES_ON) !== 0
}

/** The order waits for a tick. Its speed bump ended at `bumpEnd`. */
function awaitTick(state: State, market: Market, slot: number, bumpEnd: number): void {
  const endAt = goesOn(state, slot) ? NO_END : bumpEnd + state.rules.limits.tickWaitMs
  waitFor(state, market, slot, FOR_TICK, endAt)
}

/** Makes the order the first release of the next command. It waits for a tick if the price is not
 *  fresh then (CORE-5). */
function runNext(state: State, market: Market, slot: number): void {
  awaitTick(state, market, slot, state.atMs)
  leaveFirst(state, state.orders.id(slot))
}

/** The speed bump of a waiting order has ended: releases it now, or makes it wait for a tick. */
export function endBump(state: State, log: EventLog, slot: number, bumpEnd: number): void {
  const { orders } = state
  const market = state.markets[orders.market(slot)]!
  const { takes } = timeInForceOf(orders.tif(slot))
  const isFree =
    stands(market) || !takes || !crosses(market, orders.side(slot), runLimit(state, slot))
  if (isFree && !isBehind(state, slot)) releaseOrder(state, log, slot)
  else awaitTick(state, market, slot, bumpEnd)
}

/** Ends a wait in which no tick has released the order in time (ORDER-3). */
export function endWait(state: State, log: EventLog, slot: number): void {
  cancelSlot(state, log, slot, REFUSED, rejections.ORACLE_NOT_AVAILABLE.code)
}

/** Whether an order of an earlier stop of the same position is still executing (TRIG-3). */
export function isBehind(state: State, slot: number): boolean {
  const { orders, goingOn } = state
  return goesOn(state, slot) && goingOn.firstOf(orders.position(slot)) !== orders.id(slot)
}

/** The limit of a run now. That of a market order improves with the fair price; that of a fired
 *  stop that is still executing follows the fair price. */
export function runLimit(state: State, slot: number): number {
  const { orders } = state
  const limit = orders.price(slot)
  const flags = orders.flags(slot)
  if ((flags & MARKET_ORDER) === 0) return limit
  const market = state.markets[orders.market(slot)]!
  const sign = orders.side(slot) === 0 ? 1 : -1
  const price = worstPrice(market, sign, flags >> SLIPPAGE_SHIFT)
  if (!goesOn(state, slot)) return sign > 0 ? Math.min(limit, price) : Math.max(limit, price)
  const { agent, lastSlippagePpm } = state.goingOn.get(orders.id(slot))!
  const account = orders.account(slot)
  return broughtWithin(state, { market, account, agent, sign, price }, lastSlippagePpm)
}

const released = new Draft()

function expire(state: State, log: EventLog, slot: number): void {
  settleFunding(state, log, state.orders.account(slot))
  cancelSlot(state, log, slot, EXPIRED, 0)
}

/** Releases a waiting order: repeats all checks, then runs it (ORDER-3). */
export function releaseOrder(state: State, log: EventLog, slot: number): void {
  const { orders } = state
  if (isOver(state, expireTimeOf(state, slot))) return expire(state, log, slot)
  const market = state.markets[orders.market(slot)]!
  const price = runLimit(state, slot)
  const persists = goesOn(state, slot)
  // A run that would not meet an order changes nothing.
  if (persists && !crosses(market, orders.side(slot), price))
    return waitFor(state, market, slot, FOR_NEXT, NO_END)
  settleFunding(state, log, orders.account(slot))
  withdrawOrder(state, slot)
  released.market = market
  released.account = orders.account(slot)
  released.row = orders.position(slot)
  released.side = orders.side(slot)
  released.sign = orders.side(slot) === 0 ? 1 : -1
  released.price = price
  released.size = orders.remaining(slot)
  released.tif = orders.tif(slot)
  released.reduceOnly = (orders.flags(slot) & REDUCE_ONLY) !== 0
  released.isMarket = (orders.flags(slot) & MARKET_ORDER) !== 0
  released.origin = orders.origin(slot)
  released.options = orders.flags(slot) & OPTIONS
  released.isPart = orders.remaining(slot) + orders.cancelled(slot) !== orders.size(slot)
  released.releaseAt = RUNS_NOW
  const refused = orderRefusal(state, released, RELEASE)
  if (refused !== null) {
    if (!persists) return cancelSlot(state, log, slot, REFUSED, rejections[refused.name].code)
    return waitFor(state, market, slot, FOR_NEXT, NO_END)
  }
  orders.setPrice(slot, released.price)
  runOrder(state, log, market, slot, released.onlyReduces)
}
