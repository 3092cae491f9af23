// The life of an order in the pool: it is linked to its account, counted in the sums of its row
// while it is open (resting or waiting), and ends with an event. All counting happens here.

import { broken } from '../../units/invariant.ts'
import * as algoLife from '../algos/algo-life.ts'
import { leaveBook, restBehind, restInBook, shrinkInBook } from '../book/book.ts'
import { forgetClientId } from '../drafts/client-ids.ts'
import * as drafts from '../drafts/draft.ts'
import { bitsOf, columnsOf, headOf } from '../events/event-columns.ts'
import type { EventLog } from '../events/event-log.ts'
import { unlink } from '../oco/links.ts'
import * as pool from '../pools/order-pool.ts'
import { DUE_RELEASE } from '../queues/due-queue.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { planKept, schedule } from '../timing/schedule.ts'
import { cancelTrigger, endUnarmed } from '../triggers/end-trigger.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { ARRIVING, ATTACHED, CHILD, EXPIRES, GOES_ON, HAS_CLIENT_ID, LINKED, MARKET_ORDER } = pool
const { NO_END, PROTECTED, REDUCE_ONLY, RESTING, WAITING } = pool
const { FROM_ALGO } = drafts
const { FILLED } = algoLife
/** Flags of an order with data outside the pool. A slice of a TWAP is a market order. */
const WITH_TIES =
  ATTACHED | CHILD | EXPIRES | GOES_ON | HAS_CLIENT_ID | LINKED | MARKET_ORDER | PROTECTED

const ORDER_RESTED = headOf('OrderRested')
const orderRested = columnsOf('OrderRested')
const restedSide = bitsOf('OrderRested').side.shift
const ORDER_CANCELLED = headOf('OrderCancelled')
const orderCancelled = columnsOf('OrderCancelled')
const cancelledSide = bitsOf('OrderCancelled').side.shift
const cancelledReason = bitsOf('OrderCancelled').reason.shift
const ORDER_REDUCED = headOf('OrderReduced')
const orderReduced = columnsOf('OrderReduced')
const reducedSide = bitsOf('OrderReduced').side.shift

// Indexes into cancelReasons of event-fields.ts.
export const BY_OWNER = 0
export const REPLACED = 1
export const EXPIRED = 2
export const POST_ONLY_REJECTED = 3
export const SELF_TRADE_PREVENTED = 4
export const NO_MARGIN = 5
export const NOT_REDUCING = 6
export const INTEREST_FULL = 7
export const LIQUIDATED = 8
export const MARKET_CLOSED = 9
export const SCHEDULED = 10
export const PARENT_ENDED = 11
export const REFUSED = 12
export const DISCONNECTED = 13
export const MMP = 14
export const OCO = 15

/** Links the order into the list of its row. Its id must be the largest there. */
export function joinRow(state: State, slot: number): void {
  const { orders, positions } = state
  const row = orders.position(slot)
  const tail = positions.ordersTail[row]!
  orders.setRowPrev(slot, tail)
  orders.setRowNext(slot, 0)
  if (tail === 0) positions.ordersHead[row] = slot
  else orders.setRowNext(tail, slot)
  positions.ordersTail[row] = slot
  positions.orderCount[row] = positions.orderCount[row]! + 1
  if ((orders.flags(slot) & REDUCE_ONLY) !== 0)
    positions.reduceOnlyCount[row] = positions.reduceOnlyCount[row]! + 1
  const account = orders.account(slot)
  state.accounts.openCount[account] = state.accounts.openCount[account]! + 1
}

function leaveRow(state: State, slot: number): void {
  const { orders, positions } = state
  const row = orders.position(slot)
  const prev = orders.rowPrev(slot)
  const next = orders.rowNext(slot)
  if (prev === 0) positions.ordersHead[row] = next
  else orders.setRowNext(prev, next)
  if (next === 0) positions.ordersTail[row] = prev
  else orders.setRowPrev(next, prev)
  const count = positions.orderCount[row]! - 1
  if (count < 0) broken('a row without orders loses one, row', row)
  positions.orderCount[row] = count
  if ((orders.flags(slot) & REDUCE_ONLY) !== 0) leaveReducing(state, row)
  const account = orders.account(slot)
  const open = state.accounts.openCount[account]! - 1
  if (open < 0) broken('an account without orders loses one, account', account)
  state.accounts.openCount[account] = open
}

function leaveReducing({ positions }: State, row: number): void {
  const count = positions.reduceOnlyCount[row]! - 1
  if (count < 0) broken('a row without reduce-only orders loses one, row', row)
  positions.reduceOnlyCount[row] = count
}

/** Counts the remaining lots as open, with the entry loss at this mark (MARGIN-2). */
export function countOpen(state: State, market: Market, slot: number): void {
  const { orders, positions } = state
  if ((orders.flags(slot) & REDUCE_ONLY) !== 0) return
  const row = orders.position(slot)
  const lots = orders.remaining(slot)
  const loss = entryLoss(market, orders.side(slot), orders.price(slot))
  orders.setLossTicks(slot, loss)
  positions.losses[row] = positions.losses[row]! + loss * lots
  if (orders.side(slot) === 0) positions.buys[row] = positions.buys[row]! + lots
  else positions.sells[row] = positions.sells[row]! + lots
}

/** Removes lots of an open order from the sums of its row. */
export function uncountOpen(state: State, slot: number, lots: number): void {
  uncountIn(state, state.orders.position(slot), slot, lots)
}

/** The same for a row of copied accounts, which may count the lots that an order frees twice. */
export function uncountIn(state: State, row: number, slot: number, lots: number): void {
  const { orders, positions } = state
  if ((orders.flags(slot) & REDUCE_ONLY) !== 0) return
  const losses = positions.losses[row]! - orders.lossTicks(slot) * lots
  const sums = orders.side(slot) === 0 ? positions.buys : positions.sells
  const left = sums[row]! - lots
  if (!(left >= 0 && losses >= 0) && state.exchange === state) brokenSums(left, losses)
  positions.losses[row] = losses
  sums[row] = left
}

function brokenSums(left: number, losses: number): never {
  if (!(left >= 0)) broken('less than no lots are open on a side of a row', left)
  return broken('open orders have an entry loss below zero', losses)
}

/** Restores lots that `uncountOpen` removed, with their entry loss. */
export function recountOpen(state: State, slot: number, lots: number): void {
  uncountOpen(state, slot, -lots)
}

/** Loss against mark in ticks per lot, if filled at the limit. */
export function entryLoss(market: Market, side: number, price: number): number {
  const loss = side === 0 ? price - market.mark : market.mark - price
  return loss > 0 ? loss : 0
}

export function crosses(market: Market, side: number, price: number): boolean {
  const best = (side === 0 ? market.asks : market.bids).bestPrice
  return best !== 0 && (side === 0 ? price >= best : price <= best)
}

/** Whether an order may rest at this price after `frees` levels are removed (ORDER-12). */
export function hasRoom(
  state: State,
  market: Market,
  side: number,
  price: number,
  going: number,
): boolean {
  const own = side === 0 ? market.bids : market.asks
  return (
    own.count - going < state.rules.limits.levelsPerSide || own.levelOf(state.levels, price) !== 0
  )
}

/** Adds the order to the book, at the end of its price level, or in a level behind `before` (0: in
 *  front). */
export function restOrder(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  level = 0,
  before = 0,
): void {
  const { orders } = state
  if (orders.stage(slot) !== ARRIVING || crosses(market, orders.side(slot), orders.price(slot)))
    brokenRest(state, slot)
  orders.setStage(slot, RESTING)
  orders.setStageAt(slot, state.atMs)
  countOpen(state, market, slot)
  if (level !== 0) restInPlace(state, slot, level, before)
  else restInBook(state, orders.side(slot) === 0 ? market.bids : market.asks, slot)
  const at = log.append(ORDER_RESTED | (orders.side(slot) << restedSide))
  const { rows } = log
  rows[at + orderRested.order] = orders.id(slot)
  rows[at + orderRested.account] = orders.account(slot)
  rows[at + orderRested.market] = market.id
  rows[at + orderRested.price] = orders.price(slot)
  rows[at + orderRested.remaining] = orders.remaining(slot)
  rows[at + orderRested.levelLots] = state.levels.lots[orders.level(slot)]!
}

function brokenRest({ orders }: State, slot: number): never {
  if (orders.stage(slot) !== ARRIVING)
    broken('an order rests that was not arriving, stage', orders.stage(slot))
  return broken('an order rests across the book at', orders.price(slot))
}

/** Adds the order to a level in the place of another order. */
function restInPlace(state: State, slot: number, level: number, before: number): void {
  const { orders, levels } = state
  if (orders.price(slot) !== levels.price[level])
    broken('an order rests at the price of another level, its price is', orders.price(slot))
  if (before !== 0 && orders.level(before) !== level)
    broken('an order rests behind one of another level', orders.level(before))
  restBehind(state, slot, level, before)
}

/** Makes the order wait, until `endAt` at the latest (NO_END: until it ends). `what` is a constant
 *  of waiting-orders.ts (ORDER-3). */
export function waitFor(
  state: State,
  market: Market,
  slot: number,
  what: number,
  endAt: number,
): void {
  const { orders } = state
  const id = orders.id(slot)
  if (orders.stage(slot) === RESTING) broken('an order waits that rests', id)
  if (orders.stage(slot) !== WAITING) countOpen(state, market, slot)
  orders.setStage(slot, WAITING)
  orders.setStageAt(slot, endAt)
  market.waiting.set(id, what)
  if (endAt !== NO_END) schedule(state, { at: endAt, kind: DUE_RELEASE, id })
}

/** Called when the order is released or has ended. Deferred actions of its batch may be due now
 *  (ORDER-10). */
function stopWaiting(state: State, slot: number): void {
  const { orders } = state
  const id = orders.id(slot)
  const { waiting } = state.markets[orders.market(slot)]!
  if (waiting.whatFor(id) < 0) broken('an order waits for nothing', id)
  waiting.delete(id)
  state.leftReleases.delete(id)
  const batch = state.keptBatches.get(id)
  if (batch === undefined) return
  state.keptBatches.delete(id)
  batch.orders.delete(id)
  if (batch.orders.size === 0) planKept(state, batch)
}

/** Removes an open order from book and sums. It stays in the pool and with its account. */
export function withdrawOrder(state: State, slot: number): void {
  const { orders } = state
  const stage = orders.stage(slot)
  if (stage === ARRIVING) return
  uncountOpen(state, slot, orders.remaining(slot))
  if (stage === RESTING) {
    const market = state.markets[orders.market(slot)]!
    leaveBook(state, orders.side(slot) === 0 ? market.bids : market.asks, slot)
  } else stopWaiting(state, slot)
  orders.setStage(slot, ARRIVING)
}

/** Ends an order and removes it everywhere. `reason` is as in cancelSlot. */
export function endOrder(state: State, log: EventLog, slot: number, reason = FILLED): void {
  if (reason === FILLED && state.orders.remaining(slot) !== 0)
    broken('an order ends as filled with lots left', state.orders.remaining(slot))
  withdrawOrder(state, slot)
  leaveRow(state, slot)
  if ((state.orders.flags(slot) & WITH_TIES) === 0) state.orders.release(slot)
  else cutTies(state, log, slot, reason)
}

/** Ends the order's client id, expiry and unarmed levels with it, and possibly its algo. */
function cutTies(state: State, log: EventLog, slot: number, reason: number): void {
  const { orders } = state
  const flags = orders.flags(slot)
  const id = orders.id(slot)
  const algo = orders.origin(slot) === FROM_ALGO ? orders.parent(slot) : 0
  if ((flags & HAS_CLIENT_ID) !== 0) forgetClientId(state, orders.account(slot), id)
  if ((flags & EXPIRES) !== 0) state.expiries.delete(orders.expiry(slot))
  if ((flags & PROTECTED) !== 0) leaveProtected(state, orders.position(slot), id)
  if ((flags & LINKED) !== 0) unlink(state, id)
  if ((flags & GOES_ON) !== 0) state.goingOn.delete(id)
  orders.release(slot)
  if ((flags & ATTACHED) !== 0) endUnarmed(state, log, id)
  if (algo !== 0) algoLife.endChild(state, log, algo, id, reason)
}

/** Adds the order to the protected orders of its row, which are cancelled together (ORDER-18). */
export function joinProtected({ protectedOrders }: State, row: number, id: number): void {
  const ids = protectedOrders.get(row)
  if (ids === undefined) protectedOrders.set(row, new Set([id]))
  else ids.add(id)
}

function leaveProtected({ protectedOrders }: State, row: number, id: number): void {
  const ids = protectedOrders.get(row) ?? broken('a row has no protected orders, row', row)
  if (!ids.delete(id)) broken('an order is not among the protected ones of its row', id)
  if (ids.size === 0) protectedOrders.delete(row)
}

/** Ends an order with its remainder, for this reason. `code` is that of the rejection, or 0. Some
 *  reasons also end the stop that is its other leg (TRIG-14). */
export function cancelSlot(
  state: State,
  log: EventLog,
  slot: number,
  reason: number,
  code: number,
): void {
  const { orders, levels } = state
  const side = orders.side(slot)
  const at = log.append(ORDER_CANCELLED | (side << cancelledSide) | (reason << cancelledReason))
  const { rows } = log
  const remaining = orders.remaining(slot)
  if (!(remaining > 0)) broken('an order without lots is cancelled, it has', remaining)
  const level = orders.level(slot)
  rows[at + orderCancelled.order] = orders.id(slot)
  rows[at + orderCancelled.account] = orders.account(slot)
  rows[at + orderCancelled.market] = orders.market(slot)
  rows[at + orderCancelled.price] = orders.price(slot)
  rows[at + orderCancelled.remaining] = remaining
  rows[at + orderCancelled.rejection] = code
  rows[at + orderCancelled.levelLots] = level === 0 ? -1 : levels.lots[level]! - remaining
  const endsBoth = reason === EXPIRED || reason === NOT_REDUCING
  const stop = endsBoth && (orders.flags(slot) & LINKED) !== 0 ? unlink(state, orders.id(slot)) : 0
  endOrder(state, log, slot, reason)
  if (stop !== 0) cancelTrigger(state, log, state.triggers.get(stop)!, 'oco')
}

/** Cuts a reduce-only order to this many lots (ORDER-7). */
export function reduceOrder(state: State, log: EventLog, slot: number, remaining: number): void {
  const { orders } = state
  const cut = orders.remaining(slot) - remaining
  if (!(cut > 0)) broken('an order is cut by less than a lot', cut)
  if (!(remaining > 0)) broken('an order is cut to less than a lot', remaining)
  const level = orders.stage(slot) === RESTING ? orders.level(slot) : 0
  if (level !== 0) shrinkInBook(state, slot, cut)
  orders.setRemaining(slot, remaining)
  orders.setCancelled(slot, orders.cancelled(slot) + cut)
  if (orders.cancelled(slot) + remaining > orders.size(slot))
    broken('an order has more lots than its size', orders.size(slot))
  orders.setUpdatedAt(slot, state.atMs)
  const at = log.append(ORDER_REDUCED | (orders.side(slot) << reducedSide))
  const { rows } = log
  rows[at + orderReduced.order] = orders.id(slot)
  rows[at + orderReduced.account] = orders.account(slot)
  rows[at + orderReduced.market] = orders.market(slot)
  rows[at + orderReduced.price] = orders.price(slot)
  rows[at + orderReduced.cancelled] = cut
  rows[at + orderReduced.remaining] = remaining
  rows[at + orderReduced.levelLots] = level === 0 ? -1 : state.levels.lots[level]!
}
