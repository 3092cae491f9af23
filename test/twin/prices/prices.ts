// Oracle, mark and feed health (docs/rules/prices.md).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { emit, findMarket, isLively, openInterest, trades } from '../core/lookup.ts'
import { endStale } from '../core/releases.ts'
import { impactOfAll, impactPrice } from '../funding/funding.ts'
import { queueLiquidations } from '../liquidation/liquidation.ts'
import { premiumPpm } from '../margin/margin.ts'
import { closeToTrading } from '../markets/modes.ts'
import { bookOf } from '../rule-books.ts'
import type { Gap, Market, Naive } from '../state.ts'
import { doublePrice } from '../triggers/directions.ts'
import { evaluateAll } from '../triggers/triggers.ts'
import {
  ceilDiv,
  clamp,
  floorDiv,
  given,
  halfUpTicks,
  isIntIn,
  MILLION,
  min,
  num,
} from '../units/numbers.ts'

/** PRICE-1: a price whose tick is in the grid. */
function isPrice(market: Market, x: unknown): x is number {
  if (!isIntIn(x, 1, 1_000_000 * limits.oracleTicksMax)) return false
  const tick = halfUpTicks(BigInt(x))
  return tick >= market.rules.tickMin && tick <= market.rules.tickMax
}

/** PRICE-1, PRICE-6 */
export function oracleTick(naive: Naive, command: CommandOf<'OracleTick'>): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const { observedAtMs } = command
  const known = observedAtMs === null ? naive.pricesMayStand : isIntIn(observedAtMs, 0, naive.now)
  if (!known) {
    return refuse('INVALID_TIME', given(observedAtMs), 0, naive.now)
  }
  if (!isPrice(market, command.price)) return refuse('INVALID_PRICE', given(command.price))
  const jump = command.jump === true
  const raw = BigInt(command.price)
  const oracle = jump ? raw : clampedOracle(naive, market, raw)
  const clamped = oracle !== raw
  countTick(naive, market, clamped)
  market.observedAt = observedAtMs
  market.oracle = oracle
  market.catchingUp = clamped
  market.raw = raw
  const oldMark = doublePrice(market, 'mark')
  market.mark = halfUpTicks(oracle)
  market.impactBid = impactPrice(naive, market, 'bid')
  market.impactAsk = impactPrice(naive, market, 'ask')
  market.gaps = gapsAfter(naive, market)
  market.openInterestMoney = openInterest(naive, market) * market.mark * market.K
  market.lastTickAt = naive.now
  market.healthStage = 0
  if (market.health === 'live') market.lastLiveTickAt = naive.now
  emitMark(naive, market)
  evaluateAll(naive, market, oldMark)
  if (isLively(naive, market)) queueLiquidations(naive, market)
  return null
}

/** MARGIN-3: a tick's own gap, with those of its period and of the period before. */
function gapsAfter(naive: Naive, market: Market): Market['gaps'] {
  const period = Math.floor(naive.now / bookOf(market).margin.dislocationMs)
  const seen = (kept: readonly Gap[], gap: Gap): readonly Gap[] =>
    [...kept, gap].filter((each) => each.width > 0n && each.period >= period - 1)
  const ask = floorDiv(impactOfAll(naive, market, 'ask'), MILLION)
  const bid = ceilDiv(impactOfAll(naive, market, 'bid'), MILLION)
  const below = ask === 0n ? 0n : market.mark - ask
  return {
    long: seen(market.gaps.long, { width: below, price: ask, period }),
    short: seen(market.gaps.short, { width: bid - market.mark, price: bid, period }),
  }
}

/** PRICE-2 */
export function emitMark(naive: Naive, market: Market): void {
  emit(naive, {
    type: 'MarkUpdated',
    market: market.id,
    oracle: num(market.oracle),
    mark: num(market.mark),
    catchingUp: market.catchingUp,
  })
}

function clampedOracle(naive: Naive, market: Market, raw: bigint): bigint {
  const { movePpmPerMs, movePpmMax } = bookOf(market).prices
  const elapsed = BigInt(Math.min(naive.now - market.lastTickAt, market.rules.staleAfterMs))
  const reach = floorDiv(
    market.oracle * min(BigInt(movePpmPerMs) * elapsed, BigInt(movePpmMax)),
    MILLION,
  )
  return clamp(raw, market.oracle - reach, market.oracle + reach)
}

/** PRICE-5: one tick brings a stale market back, good ones in a row every other. */
function countTick(naive: Naive, market: Market, clamped: boolean): void {
  const inTime = naive.now - market.lastTickAt <= market.rules.staleAfterMs
  market.goodTicks = clamped ? 0 : (inTime ? market.goodTicks : 0) + 1
  const trusted = market.health === 'stale' && !market.afterStart
  const proven = market.goodTicks >= bookOf(market).prices.goodTicks
  if (market.health === 'live' || !(trusted || proven)) return
  market.health = 'live'
  market.livelySince = naive.now
  market.afterStart = false
  emit(naive, { type: 'FeedHealthChanged', market: market.id, health: 'live' })
}

/** FUND-1: the hour's samples, after a change of the largest premium. */
export function boundSamples(market: Market): void {
  const widest = BigInt(market.premiumCount) * 1_000n * premiumPpm(market)
  market.premiumSum = clamp(market.premiumSum, -widest, widest)
}

/** When the feed's health changes if no tick comes; null: no more before the next tick. */
export function healthDueAt(market: Market): number | null {
  if (market.settled || market.healthStage === 2) return null
  const after =
    market.healthStage === 0 ? market.rules.staleAfterMs : bookOf(market).prices.cancelOnlyAfterMs
  return market.lastTickAt + after + 1
}

/** PRICE-5: due work. */
export function runHealth(naive: Naive, market: Market): void {
  const next = market.healthStage === 0 ? 'stale' : 'cancel_only'
  const changes = next === 'stale' ? market.health === 'live' : market.health !== 'cancel_only'
  market.healthStage += 1
  if (!changes) return
  const traded = trades(naive, market)
  market.health = next
  market.goodTicks = 0
  emit(naive, { type: 'FeedHealthChanged', market: market.id, health: next })
  if (next === 'stale') endStale(naive, market)
  if (traded && !trades(naive, market)) closeToTrading(naive, market)
}

/** PRICE-5: every start of the engine makes the feeds prove themselves again. */
export function engineStarted(naive: Naive, command: CommandOf<'EngineStarted'>): null {
  const open = naive.markets.filter((market) => !market.settled)
  emit(naive, { type: 'EngineStarted', markets: open.length })
  if (command.pricesStand === true) return null
  for (const market of open) {
    market.goodTicks = 0
    market.afterStart = true
    if (market.health !== 'live') continue
    market.health = 'stale'
    emit(naive, { type: 'FeedHealthChanged', market: market.id, health: 'stale' })
    endStale(naive, market)
  }
  return null
}
