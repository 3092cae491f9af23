// Price-time matching (ORDER-5): the incoming order takes from the best opposite price, oldest
// first. Every check of a fill comes before its first write. The incoming order has its slot and is
// linked to its position, but it is not in the book yet and does not count as open.

import { broken } from '../../units/invariant.ts'
import { causes } from '../../words/order-words.ts'
import { shrinkInBook } from '../book/book.ts'
import * as drafts from '../drafts/draft.ts'
import { CANCEL_MAKER, CANCEL_TAKER, stpOf } from '../drafts/order-options.ts'
import * as times from '../drafts/times-in-force.ts'
import * as columns from '../events/event-columns.ts'
import { bitsOf, columnsOf, headOf } from '../events/event-columns.ts'
import { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { armAttached } from '../levels/attached.ts'
import { addVolume, makerPpmOf } from '../margin/fee-tier.ts'
import * as fills from '../margin/fill.ts'
import { Fill } from '../margin/fill.ts'
import { cutLeg } from '../oco/cut-leg.ts'
import { cutFollowers, cutToPosition, followFill } from '../orders/follow-position.ts'
import {
  cancelSlot,
  endOrder,
  INTEREST_FULL,
  NO_MARGIN,
  SELF_TRADE_PREVENTED,
  uncountOpen,
} from '../orders/order-life.ts'
import { queueSweep } from '../orders/sweep.ts'
import { countFill } from '../orders/trips.ts'
import * as accountPool from '../pools/account-pool.ts'
import * as pool from '../pools/order-pool.ts'
import { placesUntil } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { type Sink, walkBook } from './book-walk.ts'
import * as verdicts from './check-fill.ts'
import { checkFill, normalTerms, type Terms } from './check-fill.ts'
import { LookAhead } from './look-ahead.ts'
import { settleFill } from './settle-fill.ts'

// Constants of this module are compiled into the machine code; imported ones are looked up at each
// use (docs/performance.md).
const { ATTACHED, CHILD, GOES_ON, LINKED, PROTECTED, RESTING } = pool
/** Flags of a maker whose fill has further effects. */
const FOLLOWED = ATTACHED | CHILD | LINKED | PROTECTED
const { FROM_ALGO, FROM_LIQUIDATION } = drafts
const { FOK } = times
const { DEFICIT, FEES, INSURANCE } = accountPool
const { SHARE_LEAVES, SHARE_STAYS } = fills
const { FITS, INTEREST_FAILS, MAKER_FAILS } = verdicts
const { tradeSide } = columns

const TRADED = headOf('Traded')
const traded = columnsOf('Traded')
const sideShift = bitsOf('Traded').side.shift
const LIQUIDATION_CAUSE = causes.indexOf('market_liquidation') << bitsOf('Traded').cause.shift

const fill = new Fill()
const lookAhead = new LookAhead()

/** The sink that writes: makers that may not trade are cancelled, every other match is settled. */
class Writer implements Sink {
  readonly writes = true
  most = 0
  placesUntil = Number.POSITIVE_INFINITY
  /** Orders of the same owner that the taker may still cancel (ORDER-5). */
  ownLeft = 0
  log = new EventLog()
  terms = normalTerms
  slot = 0
  id = 0
  row = 0
  sign = 1
  /** Positions that fills of this order reduced, in the order of the first reduction. */
  readonly smaller = new Set<number>()

  meetEnded(state: State, maker: number, reason: number): void {
    lookAhead.pass(state, maker)
    cancelSlot(state, this.log, maker, reason, 0)
  }

  meetOwn(state: State, maker: number): boolean {
    const { log, slot } = this
    const stp = this.ownLeft === 0 ? CANCEL_TAKER : stpOf(state.orders.flags(slot))
    this.ownLeft -= 1
    if (stp !== CANCEL_TAKER) cancelSlot(state, log, maker, SELF_TRADE_PREVENTED, 0)
    if (stp !== CANCEL_MAKER) this.endTaker(state, SELF_TRADE_PREVENTED)
    return stp === CANCEL_MAKER
  }

  /** For a fired stop that is still executing, only this run ends (TRIG-3). */
  private endTaker(state: State, reason: number): void {
    const { log, slot } = this
    if ((state.orders.flags(slot) & GOES_ON) === 0) cancelSlot(state, log, slot, reason, 0)
  }

  meet(state: State, market: Market, maker: number, price: number): boolean {
    const { log, slot, row, sign, terms } = this
    const { orders } = state
    if (state.openPools !== 0) settleFunding(state, log, orders.account(maker))
    if (this.smaller.size !== 0) cutToPosition(state, log, maker)
    const lots = Math.min(orders.remaining(slot), orders.remaining(maker))
    if (!(lots > 0)) broken('a match has no lots', lots)
    fill.lots = lots
    fill.price = price
    fill.value = lots * price * market.unitValue
    const makerRow = orders.position(maker)
    fill.openInterest = market.openInterest
    const verdict = checkFill(state, market, row, makerRow, maker, sign, terms, fill)
    if (verdict === MAKER_FAILS) {
      cancelSlot(state, log, maker, NO_MARGIN, 0)
      return true
    }
    if (verdict !== FITS) {
      this.endTaker(state, verdict === INTEREST_FAILS ? INTEREST_FULL : NO_MARGIN)
      return false
    }
    trade(state, log, market, slot, maker, terms)
    return orders.id(slot) === this.id && orders.remaining(slot) !== 0
  }
}

const writer = new Writer()

/** Returns true if the match has used its units and stops (CORE-5). */
export function matchOrder(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  terms: Terms,
): boolean {
  const { orders } = state
  const side = orders.side(slot)
  writer.log = log
  writer.terms = terms
  writer.slot = slot
  writer.id = orders.id(slot)
  writer.row = orders.position(slot)
  writer.sign = side === 0 ? 1 : -1
  const forced = orders.origin(slot) >= FROM_LIQUIDATION
  writer.placesUntil = forced ? placesUntil(market) : Number.POSITIVE_INFINITY
  writer.ownLeft = forced ? Number.MAX_SAFE_INTEGER : state.rules.limits.ownOrdersMet
  writer.most = forced ? state.riskUnitsLeft : mostOf(state, slot)
  const { unitsUsed } = state
  const owner = state.accounts.main[orders.account(slot)]!
  const stops = walkBook(state, market, owner, side, orders.price(slot), writer)
  if (forced) {
    state.riskUnitsLeft -= state.unitsUsed - unitsUsed
    state.unitsUsed = unitsUsed
  }
  if (writer.smaller.size === 0) return stops
  for (const row of writer.smaller) cutFollowers(state, log, row)
  writer.smaller.clear()
  return stops
}

/** The walk limit of the order. A FOK order does not stop, because its checks visited all orders
 *  that it meets. */
function mostOf({ orders, rules }: State, slot: number): number {
  return orders.tif(slot) === FOK ? Number.MAX_SAFE_INTEGER : rules.limits.commandUnits
}

/** Settles one match for both sides, with all its effects. */
function trade(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
  terms: Terms,
): void {
  const { orders, positions } = state
  const sign = orders.side(slot) === 0 ? 1 : -1
  const taker = orders.id(slot)
  const { lots, value } = fill
  if (!mayMeet(state, market, slot, maker)) brokenMatch(state, market, slot, maker)
  orders.setRemaining(slot, orders.remaining(slot) - lots)
  orders.setRemaining(maker, orders.remaining(maker) - lots)
  orders.setUpdatedAt(slot, state.atMs)
  orders.setUpdatedAt(maker, state.atMs)
  shrinkInBook(state, maker, lots)
  uncountOpen(state, maker, lots)
  market.lastTrade = fill.price
  const liquidation = terms.liquidationPpm >= 0
  const at = tradedEvent(state, log, market, slot, maker, liquidation)
  const row = orders.position(slot)
  const makerRow = orders.position(maker)
  const before = positions.lots[row]!
  const makerBefore = positions.lots[makerRow]!
  // Whether the match closes: a loss may use margin reserved for open orders, unless margin is
  // ample.
  const closes = before * sign < 0 && !liquidation && !fill.takerAmple
  const makerCloses = makerBefore * sign > 0 && !fill.makerAmple
  fill.feeToFund = liquidation
  fill.wallets = liquidation ? SHARE_STAYS : SHARE_LEAVES
  settleFill(state, log, market, row, sign, fill)
  writeSide(state, log.rows, at + traded.takerClosed, row)
  if (liquidation && fill.fee > 0) feeEvent(state, log, row)
  fill.feePpm = makerPpmOf(state, orders.account(maker))
  fill.feeToFund = false
  fill.wallets = SHARE_LEAVES
  settleFill(state, log, market, makerRow, -sign, fill)
  if (positions.lots[row]! + positions.lots[makerRow]! !== before + makerBefore)
    broken('a match makes or loses lots, maker', makerRow)
  writeSide(state, log.rows, at + traded.makerClosed, makerRow)
  log.rows[at + traded.openInterest] = market.openInterest
  log.rows[at + traded.fees] = state.accounts.balance[FEES]!
  addVolume(state, orders.account(slot), value)
  addVolume(state, orders.account(maker), value)
  if (orders.origin(slot) === FROM_ALGO) countFilled(state, log, orders.parent(slot), lots, value)
  followFill(state, log, row, before, writer.smaller)
  followFill(state, log, makerRow, makerBefore, writer.smaller)
  // A reduce-only taker may have ended by now; it has no levels to arm.
  if (orders.id(slot) === taker && (orders.flags(slot) & ATTACHED) !== 0)
    arm(state, log, slot, sign)
  if ((orders.flags(maker) & FOLLOWED) !== 0) followMaker(state, log, maker, -sign)
  if (orders.remaining(maker) === 0) endOrder(state, log, maker)
  if (closes) queueSweep(state, market, row)
  if (makerCloses) queueSweep(state, market, makerRow)
}

/** Runs before the first write: checks that the two orders may meet and that no lot is lost or
 *  created. */
function mayMeet({ orders }: State, market: Market, slot: number, maker: number): boolean {
  return (
    orders.position(slot) !== orders.position(maker) &&
    orders.stage(maker) === RESTING &&
    orders.market(maker) === market.id &&
    orders.side(maker) !== orders.side(slot) &&
    orders.price(maker) === fill.price &&
    orders.remaining(slot) + orders.cancelled(slot) <= orders.size(slot) &&
    orders.remaining(maker) + orders.cancelled(maker) <= orders.size(maker)
  )
}

function brokenMatch({ orders }: State, market: Market, slot: number, maker: number): never {
  if (orders.position(slot) === orders.position(maker))
    broken('an account trades with itself, row', orders.position(maker))
  if (orders.stage(maker) !== RESTING) broken('a maker does not rest', orders.id(maker))
  if (orders.market(maker) !== market.id) broken('a maker is of another market', orders.id(maker))
  if (orders.side(maker) === orders.side(slot))
    broken('a maker is on the side of the taker', orders.id(maker))
  if (orders.price(maker) !== fill.price)
    broken('a maker is filled at a price not its own', fill.price)
  if (orders.remaining(slot) + orders.cancelled(slot) > orders.size(slot))
    broken('a taker has more lots than its size', orders.size(slot))
  return broken('a maker has more lots than its size', orders.size(maker))
}

function followMaker(state: State, log: EventLog, slot: number, sign: number): void {
  const flags = state.orders.flags(slot)
  if ((flags & ATTACHED) !== 0) arm(state, log, slot, sign)
  if ((flags & PROTECTED) !== 0)
    countFill(state, state.orders.position(slot), fill.lots, sign * fill.lots)
  if ((flags & CHILD) !== 0)
    countFilled(state, log, state.orders.parent(slot), fill.lots, fill.value)
  if ((state.orders.flags(slot) & LINKED) !== 0)
    cutLeg(state, log, state.orders.id(slot), state.orders.remaining(slot))
}

function arm(state: State, log: EventLog, slot: number, sign: number): void {
  const { orders } = state
  const filled = orders.size(slot) - orders.remaining(slot) - orders.cancelled(slot)
  armAttached(state, log, orders.id(slot), sign, filled)
}

function countFilled(state: State, log: EventLog, id: number, lots: number, value: number): void {
  const algo = state.algos.get(id)
  if (algo === undefined) return
  if (algo.filled + lots > algo.size) broken('an algo is filled beyond its size', algo.size)
  algo.filled += lots
  algo.filledValue += value
  const { account, market, filled, filledValue } = algo
  log.write({ type: 'AlgoFilled', algo: id, account, market, lots, value, filled, filledValue })
}

/** Appends the trade without the numbers of its sides. Returns its position in the log. */
function tradedEvent(
  state: State,
  log: EventLog,
  market: Market,
  slot: number,
  maker: number,
  liquidation: boolean,
): number {
  const { orders } = state
  const side = orders.side(slot) << sideShift
  const at = log.append(TRADED | side | (liquidation ? LIQUIDATION_CAUSE : 0))
  const { rows } = log
  rows[at + traded.history] = state.nextHistoryId
  rows[at + traded.market] = market.id
  rows[at + traded.price] = fill.price
  rows[at + traded.lots] = fill.lots
  rows[at + traded.value] = fill.value
  rows[at + traded.makerOrder] = orders.id(maker)
  rows[at + traded.takerOrder] = orders.id(slot)
  rows[at + traded.maker] = orders.account(maker)
  rows[at + traded.taker] = orders.account(slot)
  rows[at + traded.makerRemaining] = orders.remaining(maker)
  rows[at + traded.takerRemaining] = orders.remaining(slot)
  rows[at + traded.levelLots] = state.levels.lots[orders.level(maker)]!
  return at
}

/** Writes the result of settling this row, and reserves the history ids of its fills, two for a
 *  flip (ORDER-6). */
function writeSide(state: State, rows: Float64Array, at: number, row: number): void {
  const { positions } = state
  rows[at + tradeSide.closed] = fill.closed
  rows[at + tradeSide.closedCost] = fill.closedCost
  rows[at + tradeSide.gained] = fill.gained
  rows[at + tradeSide.fee] = fill.fee
  rows[at + tradeSide.lots] = positions.lots[row]!
  rows[at + tradeSide.cost] = positions.cost[row]!
  rows[at + tradeSide.balance] = fill.balance
  rows[at + tradeSide.wallet] = fill.wallet
  state.nextHistoryId += fill.closed > 0 && fill.closed < fill.lots ? 2 : 1
}

function feeEvent({ accounts, positions }: State, log: EventLog, row: number): void {
  log.write({
    type: 'LiquidationFeePaid',
    account: positions.account[row]!,
    market: positions.market[row]!,
    amount: fill.fee,
    fund: accounts.balance[INSURANCE]!,
    deficit: accounts.balance[DEFICIT]!,
  })
}
