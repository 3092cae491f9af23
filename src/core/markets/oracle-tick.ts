// A price arrives: oracle, basis, mark, health, and who it wakes (prices.md). Off the hot path.

import { divCeil, divFloor, roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioFloor, ratioTrunc } from '../../units/wide.ts'
import { marketRefusal } from '../admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { queueLiquidations, reindexReached } from '../liquidation/queue-liquidations.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { evaluateTriggers } from '../triggers/fire-trigger.ts'
import { BY_MARK } from '../triggers/trigger.ts'
import { healthDueAt, reviveFeed } from './feed-health.ts'
import { impactPrice } from './impact-price.ts'
import { LIVE, type Market } from './market.ts'
import { type MarketParams, nearestPrice } from './market-params.ts'
import { isLively } from './trading.ts'

/** Of the basis weight. */
const basisUnit = 2 ** 32

export function oracleTick(
  state: State,
  log: EventLog,
  tick: CommandOf<'OracleTick'>,
): Rejection | null {
  const refusal = marketRefusal(state, tick.market)
  if (refusal !== null) return refusal
  const market = state.markets[tick.market]!
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  if (!isPrice(tick.price) || tick.price > highestPrice(market.params)) return noPrice(tick.price)
  if (tick.external !== null && !isPrice(tick.external)) return noPrice(tick.external)
  const oldMark = market.mark
  moveOracle(state, log, market, tick)
  if (tick.external !== null) {
    market.external = tick.external
    market.externalAt = state.atMs
  }
  const middle = bookMiddle(state, market)
  if (tick.jump) market.basis = 0
  else moveBasis(state, market, middle)
  setMark(state, market, middle)
  market.lastTickAt = state.atMs
  if (market.health === LIVE) market.liveTickAt = state.atMs
  state.nextDueAt = Math.min(state.nextDueAt, healthDueAt(market))
  tellMark(log, market)
  const reached = reindexReached(state, market)
  if (isLively(state, market)) {
    market.evaluated[BY_MARK] = oldMark * 2
    evaluateTriggers(state, market, BY_MARK)
    queueLiquidations(state, market, reached)
  }
  return null
}

export function tellMark(log: EventLog, market: Market): void {
  const { oracle, mark, basis, catchingUp } = market
  log.write({ type: 'MarkUpdated', market: market.id, oracle, mark, basis, catchingUp })
}

function isPrice(price: number): boolean {
  const most = limits.oracleTicksMax * MICRO_PER_TICK
  return Number.isSafeInteger(price) && price >= 1 && price <= most
}

/** Below twice the highest tick: what anybody holds is then worth a safe integer at any price that
 *  counts (UNITS-4). */
function highestPrice({ tickMax }: MarketParams): number {
  return (2 * tickMax - 1) * MICRO_PER_TICK
}

function noPrice(price: number): Rejection {
  return refuse('INVALID_PRICE', Number.isSafeInteger(price) ? price : 0)
}

/** PRICE-1 and PRICE-5: clamps the move, counts good ticks, and may bring the market back. */
function moveOracle(
  state: State,
  log: EventLog,
  market: Market,
  { price, jump }: CommandOf<'OracleTick'>,
): void {
  const { prices } = market.rules
  const elapsed = state.atMs - market.lastTickAt
  const { staleAfterMs } = market.params
  const counted = Math.min(elapsed, staleAfterMs)
  const most = ratioFloor(
    [market.oracle, Math.min(prices.movePpmPerMs * counted, prices.movePpmMax)],
    [1_000_000],
  )
  const moved = Math.max(market.oracle - most, Math.min(market.oracle + most, price))
  const clamped = !jump && moved !== price
  market.oracle = jump ? price : moved
  market.raw = price
  if (jump) market.jumps += 1
  market.catchingUp = clamped
  if (clamped) market.goodTicks = 0
  else market.goodTicks = (elapsed <= staleAfterMs ? market.goodTicks : 0) + 1
  reviveFeed(state, log, market)
}

function bandOf(market: Market): number {
  return ratioFloor([market.oracle, market.bandPpm], [1_000_000])
}

/** PRICE-2: what the book says of the price, in micro-ticks; null where it says nothing. */
function bookMiddle(state: State, market: Market): number | null {
  const bid = impactPrice(state, market, market.bids)
  if (bid === 0) return null
  const ask = impactPrice(state, market, market.asks)
  if (ask === 0) return null
  const widest = ratioFloor([market.oracle, market.rules.prices.spreadPpmMax], [1_000_000])
  return ask - bid > widest ? null : divFloor(bid + ask, 2)
}

/** PRICE-3. */
function moveBasis(state: State, market: Market, middle: number | null): void {
  const { basisStepMs, basisWeight } = market.rules.prices
  const until = Math.min(state.atMs, market.lastTickAt + market.params.staleAfterMs)
  const steps = divFloor(until, basisStepMs) - divFloor(market.lastTickAt, basisStepMs)
  const band = bandOf(market)
  const distance = middle === null ? 0 : middle - market.oracle
  const target = Math.max(-band, Math.min(band, distance))
  for (let step = 0; step < steps; step++)
    market.basis += ratioTrunc([target - market.basis, basisWeight], [basisUnit])
}

/** PRICE-2. Needs the new oracle and basis; also fixes the open interest margin scales with. */
export function setMark(state: State, market: Market, middle: number | null): void {
  const fair = market.oracle + market.basis
  const outside =
    market.external !== 0 && state.atMs - market.externalAt <= market.rules.prices.externalMaxAgeMs
      ? market.external
      : market.oracle
  const median = medianOf(fair, middle ?? fair, outside)
  market.setMark(inBand(market, roundHalfUp(median, MICRO_PER_TICK)))
  scaleInterest(market)
}

/** PRICE-2: a change may have made the band narrower than the mark was away. */
export function keepMarkInBand(log: EventLog, market: Market): void {
  const mark = inBand(market, market.mark)
  if (mark === market.mark) return
  market.setMark(mark)
  tellMark(log, market)
}

/** The tick of the band, and of the grid, that is nearest. */
function inBand(market: Market, mark: number): number {
  const band = bandOf(market)
  const low = divCeil(market.oracle - band, MICRO_PER_TICK)
  const high = divFloor(market.oracle + band, MICRO_PER_TICK)
  const nearest =
    low > high ? roundHalfUp(market.oracle, MICRO_PER_TICK) : Math.max(low, Math.min(high, mark))
  return nearestPrice(market.params, nearest)
}

function medianOf(one: number, two: number, three: number): number {
  return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three))
}

/** MARGIN-1: the open interest that margin scales with, until the next tick. */
function scaleInterest(market: Market): void {
  market.interestLots = market.openInterest
  if (market.params.openInterestUpper > 0) market.fractions.fill(0)
}
