// Price-time matching (ORDER-5): the arriving order takes from the best opposite level, oldest
// first. Every check of a fill comes before its first write. The arriving order is in the pool and
// with its account, but neither in the book nor in the sums.

import { addVolume, makerPpmOf, takerPpmOf } from '../accounts/fee-tier.ts'
import { sumScope } from '../accounts/margin.ts'
import { Change, carryRefusal, closing, mayClose, scope } from '../accounts/margin-checks.ts'
import { surelyFills } from '../accounts/quick-checks.ts'
import { shrinkInBook } from '../book/book.ts'
import { columnsOf } from '../events/event-columns.ts'
import { type EventLog, kindOfEvent } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import type { Market } from '../markets/market.ts'
import { followPosition } from '../orders/follow-position.ts'
import {
  cancelSlot,
  endOrder,
  INTEREST_FULL,
  NO_MARGIN,
  SELF_TRADE_PREVENTED,
  uncountOpen,
} from '../orders/order-life.ts'
import * as pool from '../orders/order-pool.ts'
import type { State } from '../state/state.ts'
import { armAttached } from '../triggers/attached.ts'
import * as fills from './fill.ts'
import { Fill, settleFill } from './fill.ts'

// As constants of this module they are part of the machine code (docs/performance.md).
const { ATTACHED, REDUCE_ONLY } = pool
const { MAKER, MARKET_LIQUIDATION, NORMAL, TAKER } = fills

const TRADED = kindOfEvent('Traded')
const traded = columnsOf('Traded')

/** How the taker is treated. The taker of a liquidation pays a fee of its own, to the fund, and its
 *  margin is not checked; −1: the usual fee. */
export type Terms = Readonly<{ checked: boolean; liquidationPpm: number }>
export const normalTerms: Terms = { checked: true, liquidationPpm: -1 }
export const uncheckedTerms: Terms = { checked: false, liquidationPpm: -1 }

const change = new Change()
const fill = new Fill()

/** Index of `twap` in the list of origins. */
const ORIGIN_TWAP = 2

export function matchOrder(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  terms: Terms,
): void {
  const { orders, levels, accounts } = state
  const id = orders.id(slot)
  const side = orders.side(slot)
  const sign = side === 0 ? 1 : -1
  const limit = orders.price(slot)
  const owner = accounts.main[orders.account(slot)]!
  const row = orders.position(slot)
  const other = side === 0 ? market.asks : market.bids
  while (other.bestLevel !== 0) {
    const level = other.bestLevel
    const price = other.bestPrice
    if ((price - limit) * sign > 0) return
    const maker = levels.head[level]!
    const makerAccount = orders.account(maker)
    if (accounts.main[makerAccount] === owner) {
      cancelSlot(state, log, maker, SELF_TRADE_PREVENTED, 0)
      continue
    }
    if (state.openPools !== 0) settleFunding(state, log, makerAccount)
    const lots = Math.min(orders.remaining(slot), orders.remaining(maker))
    const makerPpm = makerPpmOf(state, makerAccount)
    fill.lots = lots
    fill.price = price
    fill.value = lots * price * market.unitValue
    fill.feePpm = makerPpm
    if (!mayFill(state, market, orders.position(maker), -sign, maker, fill)) {
      cancelSlot(state, log, maker, NO_MARGIN, 0)
      continue
    }
    // A match adds at most its own lots: far from the bound nothing has to be computed.
    if (market.openInterest + lots > market.params.openInterestMax) {
      const interest = interestAfter(state, market, row, orders.position(maker), sign * lots)
      if (interest > market.params.openInterestMax && interest > market.openInterest) {
        cancelSlot(state, log, slot, INTEREST_FULL, 0)
        return
      }
    }
    const takerPpm =
      terms.liquidationPpm >= 0 ? terms.liquidationPpm : takerPpmOf(state, orders.account(slot))
    fill.feePpm = takerPpm
    if (terms.checked && !mayFill(state, market, row, sign, 0, fill)) {
      cancelSlot(state, log, slot, NO_MARGIN, 0)
      return
    }
    trade(state, log, market, slot, maker, makerPpm, terms)
    if (orders.id(slot) !== id || orders.remaining(slot) === 0) return
  }
}

/** Open interest if the taker's row changed by these signed lots against the maker's. */
export function interestAfter(
  state: State,
  market: Market,
  row: number,
  makerRow: number,
  lots: number,
): number {
  const { positions } = state
  const taker = positions.lots[row]!
  const maker = positions.lots[makerRow]!
  return (
    market.openInterest +
    Math.max(0, taker + lots) -
    Math.max(0, taker) +
    Math.max(0, maker - lots) -
    Math.max(0, maker)
  )
}

/** The check of one side of a fill (MARGIN-5). `makerSlot` 0: the taker. */
export function mayFill(
  state: State,
  market: Market,
  row: number,
  sign: number,
  makerSlot: number,
  fill: Fill,
): boolean {
  const { orders, positions } = state
  const { lots } = fill
  const counted = makerSlot !== 0 && (orders.flags(makerSlot) & REDUCE_ONLY) === 0
  const lossTicks = counted ? orders.lossTicks(makerSlot) : 0
  if (surelyFills(state, market, row, sign, counted ? lots : 0, lossTicks, fill)) return true
  const position = positions.lots[row]! * sign
  if (position < 0 && lots <= -position) {
    state.counters.marginChecks += 1
    sumScope(state, row, scope)
    closing.lots = lots
    closing.value = fill.value
    closing.feePpm = fill.feePpm
    return mayClose(state, market, row, sign)
  }
  change.sign = sign
  change.lots = lots
  change.value = fill.value
  change.openLots = position < 0 ? lots + position : lots
  change.openValue = change.openLots * fill.price * market.unitValue
  change.freed = counted ? lots : 0
  change.freedLosses = change.freed * lossTicks
  change.feePpm = fill.feePpm
  change.tested = makerSlot === 0
  return carryRefusal(state, market, row, change) === null
}

/** One match, settled for both sides, with all that follows from it. */
function trade(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
  makerPpm: number,
  terms: Terms,
): void {
  const { orders, positions } = state
  const sign = orders.side(slot) === 0 ? 1 : -1
  const taker = orders.id(slot)
  const { lots, value } = fill
  orders.setRemaining(slot, orders.remaining(slot) - lots)
  orders.setRemaining(maker, orders.remaining(maker) - lots)
  orders.setUpdatedAt(slot, state.atMs)
  orders.setUpdatedAt(maker, state.atMs)
  shrinkInBook(state, maker, lots)
  uncountOpen(state, maker, lots)
  market.lastTrade = fill.price
  market.lastTradeAt = state.atMs
  const liquidation = terms.liquidationPpm >= 0
  fill.cause = liquidation ? MARKET_LIQUIDATION : NORMAL
  tradedEvent(state, log, market, slot, maker)
  const row = orders.position(slot)
  const makerRow = orders.position(maker)
  const before = positions.lots[row]!
  const makerBefore = positions.lots[makerRow]!
  settleTaker(state, log, market, slot, maker, liquidation)
  settleMaker(state, log, market, slot, maker, makerPpm)
  addVolume(state, orders.account(slot), value)
  addVolume(state, orders.account(maker), value)
  if (orders.origin(slot) === ORIGIN_TWAP) countSlice(state, orders.parent(slot), lots, value)
  followPosition(state, log, row, before)
  followPosition(state, log, makerRow, makerBefore)
  // A reduce-only taker may be gone by now; it has no levels to arm.
  if (orders.id(slot) === taker && (orders.flags(slot) & ATTACHED) !== 0)
    arm(state, log, slot, sign)
  if ((orders.flags(maker) & ATTACHED) !== 0) arm(state, log, maker, -sign)
  if (orders.remaining(maker) === 0) endOrder(state, log, maker)
}

function arm(state: State, log: EventLog, slot: number, sign: number): void {
  const { orders } = state
  const filled = orders.size(slot) - orders.remaining(slot) - orders.cancelled(slot)
  armAttached(state, log, orders.id(slot), sign, filled)
}

function countSlice(state: State, twap: number, lots: number, value: number): void {
  const running = state.twaps.get(twap)
  if (running === undefined) return
  running.filled += lots
  running.filledValue += value
}

function tradedEvent(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
): void {
  const { orders } = state
  const at = log.append(TRADED)
  const { rows } = log
  rows[at + traded.history] = state.nextHistoryId
  rows[at + traded.market] = market.id
  rows[at + traded.price] = fill.price
  rows[at + traded.lots] = fill.lots
  rows[at + traded.side] = orders.side(slot)
  rows[at + traded.makerOrder] = orders.id(maker)
  rows[at + traded.takerOrder] = orders.id(slot)
  rows[at + traded.maker] = orders.account(maker)
  rows[at + traded.taker] = orders.account(slot)
  rows[at + traded.makerRemaining] = orders.remaining(maker)
  rows[at + traded.takerRemaining] = orders.remaining(slot)
  rows[at + traded.cause] = fill.cause
}

function settleTaker(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
  liquidation: boolean,
): void {
  const { orders } = state
  fill.role = TAKER
  fill.order = orders.id(slot)
  fill.counterparty = orders.account(maker)
  fill.forced = liquidation
  fill.feeToFund = liquidation
  fill.keepShare = liquidation
  settleFill(state, log, market, orders.position(slot), orders.side(slot) === 0 ? 1 : -1, fill)
}

function settleMaker(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
  makerPpm: number,
): void {
  const { orders } = state
  fill.role = MAKER
  fill.order = orders.id(maker)
  fill.counterparty = orders.account(slot)
  fill.feePpm = makerPpm
  fill.forced = false
  fill.feeToFund = false
  fill.keepShare = false
  settleFill(state, log, market, orders.position(maker), orders.side(maker) === 0 ? 1 : -1, fill)
}
