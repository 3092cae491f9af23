// Handles an oracle price: updates oracle, mark and feed health, and starts what follows
// (prices.md). Not on the hot path.

import { broken } from '../../units/invariant.ts'
import { roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import { ratioFloor } from '../../units/wide.ts'
import { marketRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import type { MarketParams } from '../commands/market-params.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { queueLiquidations, reindexReached } from '../liquidation/queue-liquidations.ts'
import { impactPrice, keepGaps } from '../prices/impact-price.ts'
import { isLively } from '../prices/trading.ts'
import { limits } from '../rules/limits.ts'
import { LIVE, type Market, STANDS } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { evaluateTriggers } from '../triggers/fire-trigger.ts'
import { healthDueAt, reviveFeed } from './feed-health.ts'

export function oracleTick(
  state: State,
  log: EventLog,
  tick: CommandOf<'OracleTick'>,
): Rejection | null {
  const refusal = marketRefusal(state, tick.market)
  if (refusal !== null) return refusal
  const market = state.markets[tick.market]!
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const untimely = observationRefusal(state, tick.observedAtMs)
  if (untimely !== null) return untimely
  if (!isPrice(market.params, tick.price))
    return refuse('INVALID_PRICE', Number.isSafeInteger(tick.price) ? tick.price : 0)
  market.observedAt = tick.observedAtMs ?? STANDS
  moveOracle(state, log, market, tick)
  market.impactBid = impactPrice(state, market, market.bids)
  market.impactAsk = impactPrice(state, market, market.asks)
  market.updateMark()
  keepGaps(state, market)
  scaleInterest(market)
  market.lastTickAt = state.atMs
  if (market.health === LIVE) market.liveTickAt = state.atMs
  state.nextDueAt = Math.min(state.nextDueAt, healthDueAt(market))
  logMark(log, market)
  const reached = reindexReached(state, market)
  evaluateTriggers(state, market)
  if (isLively(state, market)) queueLiquidations(state, market, reached)
  state.ticked = market
  return null
}

export function logMark(log: EventLog, market: Market): void {
  const { oracle, mark, catchingUp } = market
  log.write({ type: 'MarkUpdated', market: market.id, oracle, mark, catchingUp })
}

/** PRICE-1: a price cannot be observed after its command, and a price without an observation time
 *  must be allowed. */
function observationRefusal(
  { pricesMayStand, atMs }: State,
  observedAtMs: number | null,
): Rejection | null {
  if (observedAtMs === null) return pricesMayStand ? null : refuse('INVALID_TIME', 0, 0, atMs)
  const whole = Number.isSafeInteger(observedAtMs)
  if (whole && observedAtMs >= 0 && observedAtMs <= atMs) return null
  return refuse('INVALID_TIME', whole ? observedAtMs : 0, 0, atMs)
}

/** PRICE-1: rejects a mark that no order could trade at. */
function isPrice({ tickMin, tickMax }: MarketParams, price: number): boolean {
  const most = limits.oracleTicksMax * MICRO_PER_TICK
  if (!Number.isSafeInteger(price) || price < 1 || price > most) return false
  const mark = roundHalfUp(price, MICRO_PER_TICK)
  return mark >= tickMin && mark <= tickMax
}

/** PRICE-1 and PRICE-5: clamps the move, counts good ticks, and may make the feed live again. */
function moveOracle(
  state: State,
  log: EventLog,
  market: Market,
  { price, jump }: CommandOf<'OracleTick'>,
): void {
  const { prices } = market.rules
  const elapsed = state.atMs - market.lastTickAt
  if (!(elapsed >= 0)) broken('a tick is older than the last one, by milliseconds', elapsed)
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

/** MARGIN-1: sets the open interest that scales margin until the next tick. */
function scaleInterest(market: Market): void {
  market.interestLots = market.openInterest
  if (market.params.openInterestUpper > 0) market.fractions.fill(0)
}
