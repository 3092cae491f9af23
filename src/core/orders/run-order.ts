// From an accepted draft to an order in the book, at the speed bump, or done (ORDER-3, ORDER-4).

import { Change, carryRefusal } from '../accounts/margin-checks.ts'
import { rejections } from '../commands/rejections.ts'
import { DUE_RELEASE } from '../due/due-queue.ts'
import { schedule, scheduleExpiry } from '../due/schedule.ts'
import { bitsOf, columnsOf, headOf } from '../events/event-columns.ts'
import type { EventLog } from '../events/event-log.ts'
import { attachLevels, handOver } from '../levels/attached.ts'
import { tripMarked } from '../makers/trips.ts'
import type { Market } from '../markets/market.ts'
import { ordersLookedAt, Taking } from '../matching/dry-run.ts'
import { normalTerms, type Terms } from '../matching/judge-fill.ts'
import { matchOrder } from '../matching/match.ts'
import { fillsAll } from '../matching/try-out.ts'
import type { State } from '../state/state.ts'
import { orderRefusal, RELEASE } from './check-order.ts'
import { rememberClientId } from './client-ids.ts'
import { bringsLevels, Draft, FROM_ALGO, FROM_TRIGGER } from './draft.ts'
import { expireTimeOf, isOver } from './expiry.ts'
import {
  cancelSlot,
  countOpen,
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
  withdrawOrder,
} from './order-life.ts'
import { isProtected, OPTIONS, stpOf } from './order-options.ts'
import {
  ATTACHED,
  CHILD,
  EXPIRES,
  HAS_CLIENT_ID,
  MARKET_ORDER,
  REDUCE_ONLY,
  WAITING,
} from './order-pool.ts'
import { LIMIT, MARKET } from './order-types.ts'
import { timeInForceOf } from './times-in-force.ts'

const ORDER_PLACED = headOf('OrderPlaced')
const orderPlaced = columnsOf('OrderPlaced')
const placedAs = bitsOf('OrderPlaced')

const change = new Change()
const taking = new Taking()

/** Gives an accepted draft its id and its slot, and tells of it. It waits, or is ready to run. */
export function enterOrder(state: State, log: EventLog, draft: Draft): number {
  const { orders } = state
  const id = state.nextOrderId++
  const { account, row, market, side, tif, price, size } = draft
  const slot = orders.enter(id, row, account, market.id, side, tif, price, size)
  const attached = bringsLevels(draft)
  orders.setOrigin(slot, draft.origin)
  orders.setFlags(slot, flagsOf(draft))
  orders.setParent(slot, draft.parent)
  orders.setCreatedAt(slot, state.atMs)
  orders.setUpdatedAt(slot, state.atMs)
  joinRow(state, slot)
  if (isProtected(draft.options)) protect(state, log, id, draft)
  if (draft.expireTime !== null) tellExpiry(state, log, id, draft)
  placedEvent(log, id, draft)
  if (draft.clientOrderId !== null) rememberClientId(state, account, id, draft.clientOrderId)
  if (attached) attachLevels(state, log, id, draft)
  else if (draft.origin === FROM_TRIGGER) handOver(state, draft.parent, slot)
  if (draft.releaseAt !== 0) {
    orders.setStage(slot, WAITING)
    orders.setStageAt(slot, draft.releaseAt)
    countOpen(state, market, slot)
    schedule(state, { at: draft.releaseAt, kind: DUE_RELEASE, id })
  }
  return slot
}

function flagsOf(draft: Draft): number {
  return (
    (draft.reduceOnly ? REDUCE_ONLY : 0) |
    (bringsLevels(draft) ? ATTACHED : 0) |
    (draft.clientOrderId !== null ? HAS_CLIENT_ID : 0) |
    (draft.isMarket ? MARKET_ORDER : 0) |
    (draft.expireTime !== null ? EXPIRES : 0) |
    (draft.origin === FROM_ALGO && !draft.isMarket ? CHILD : 0) |
    draft.options
  )
}

function tellExpiry(state: State, log: EventLog, order: number, draft: Draft): void {
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
      ((draft.releaseAt !== 0 ? 1 : 0) << placedAs.waiting.shift) |
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

/** Runs an arriving order to its end or into the book (ORDER-4, steps 4 to 7). */
export function runOrder(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  onlyReduces: boolean,
  terms: Terms = normalTerms,
): void {
  takeAndRest(state, log, market, slot, onlyReduces, terms)
  tripMarked(state, log)
}

function takeAndRest(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  onlyReduces: boolean,
  terms: Terms,
): void {
  const { orders } = state
  const id = orders.id(slot)
  const { takes, rests, whole } = timeInForceOf(orders.tif(slot))
  if (whole && !isFillable(state, market, slot, onlyReduces)) {
    cancelSlot(state, log, slot, EXPIRED, 0)
    return
  }
  const crossed = crosses(market, orders.side(slot), orders.price(slot))
  if (crossed) {
    if (takes) matchOrder(state, log, market, slot, terms)
    else cancelSlot(state, log, slot, POST_ONLY_REJECTED, 0)
    if (orders.id(slot) !== id) return
  }
  const left = orders.remaining(slot)
  if (left === 0) endOrder(state, log, slot)
  else if (!rests) cancelSlot(state, log, slot, EXPIRED, 0)
  else if (crossed && !onlyReduces && !carriesRest(state, market, slot))
    cancelSlot(state, log, slot, NO_MARGIN, 0)
  else if (!hasRoom(state, market, orders.side(slot), orders.price(slot), 0))
    cancelSlot(state, log, slot, REFUSED, rejections.BOOK_SIDE_FULL.code)
  else restOrder(state, log, market, slot)
}

function isFillable(state: State, market: Market, slot: number, onlyReduces: boolean): boolean {
  const { orders } = state
  const account = orders.account(slot)
  const row = orders.position(slot)
  const side = orders.side(slot)
  const price = orders.price(slot)
  const size = orders.remaining(slot)
  const most = ordersLookedAt(state, true, onlyReduces)
  const stp = stpOf(orders.flags(slot))
  taking.run(state, market, row, side, price, size, most, stp)
  if (taking.lots !== size) return false
  return fillsAll(state, market, { account, row, side, price, size, most, stp, asked: true })
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

const released = new Draft()

/** A waiting order's time has come: all checks again, then it runs (ORDER-3). */
export function releaseOrder(state: State, log: EventLog, slot: number): void {
  const { orders } = state
  if (isOver(state, expireTimeOf(state, slot))) {
    cancelSlot(state, log, slot, EXPIRED, 0)
    return
  }
  const market = state.markets[orders.market(slot)]!
  withdrawOrder(state, slot)
  released.market = market
  released.account = orders.account(slot)
  released.row = orders.position(slot)
  released.side = orders.side(slot)
  released.sign = orders.side(slot) === 0 ? 1 : -1
  released.price = orders.price(slot)
  released.size = orders.remaining(slot)
  released.tif = orders.tif(slot)
  released.reduceOnly = (orders.flags(slot) & REDUCE_ONLY) !== 0
  released.isMarket = (orders.flags(slot) & MARKET_ORDER) !== 0
  released.origin = orders.origin(slot)
  released.options = orders.flags(slot) & OPTIONS
  released.releaseAt = 0
  const refused = orderRefusal(state, released, RELEASE)
  if (refused !== null) {
    cancelSlot(state, log, slot, REFUSED, rejections[refused.name].code)
    return
  }
  orders.setPrice(slot, released.price)
  runOrder(state, log, market, slot, released.onlyReduces)
}
