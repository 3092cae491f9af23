// Oracle, basis, mark and feed health (docs/rules/prices.md).

import type { CommandOf } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { emit, findMarket, isLively, openInterest, trades } from '../core/lookup.ts'
import { impactPrice } from '../funding/funding.ts'
import { queueLiquidations } from '../liquidation/liquidation.ts'
import { bandPpm } from '../margin/margin.ts'
import { closeToTrading } from '../markets/modes.ts'
import { bookOf } from '../rule-books.ts'
import type { Market, Naive } from '../state.ts'
import { evaluate } from '../triggers/triggers.ts'
import {
  ceilDiv,
  clamp,
  floorDiv,
  given,
  halfUpTicks,
  isIntIn,
  MILLION,
  median,
  min,
  num,
} from '../units/numbers.ts'

function isPrice(x: unknown): x is number {
  return isIntIn(x, 1, 1_000_000 * limits.oracleTicksMax)
}

/** PRICE-1, PRICE-6 */
export function oracleTick(naive: Naive, command: CommandOf<'OracleTick'>): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const external = command.external ?? null
  const beyond = 2_000_000n * market.rules.tickMax - MILLION
  if (!isPrice(command.price) || BigInt(command.price) > beyond) {
    return refuse('INVALID_PRICE', given(command.price))
  }
  if (external !== null && !isPrice(external)) return refuse('INVALID_PRICE', given(external))
  const jump = command.jump === true
  const raw = BigInt(command.price)
  const oracle = jump ? raw : clampedOracle(naive, market, raw)
  const clamped = oracle !== raw
  countTick(naive, market, clamped)
  market.oracle = oracle
  market.catchingUp = clamped
  market.raw = raw
  if (external !== null) market.external = { price: BigInt(external), at: naive.now }
  const oldMark = market.mark
  market.basis = jump ? 0n : nextBasis(naive, market)
  market.mark = markOf(naive, market)
  market.openInterestMoney = openInterest(naive, market) * market.mark * market.K
  market.lastTickAt = naive.now
  market.healthStage = 0
  if (market.health === 'live') market.lastLiveTickAt = naive.now
  emitMark(naive, market)
  if (!isLively(naive, market)) return null
  evaluate(naive, market, 'mark', 2n * oldMark)
  queueLiquidations(naive, market)
  return null
}

/** PRICE-2 */
export function emitMark(naive: Naive, market: Market): void {
  emit(naive, {
    type: 'MarkUpdated',
    market: market.id,
    oracle: num(market.oracle),
    mark: num(market.mark),
    basis: num(market.basis),
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

/** The band around the oracle in micro-ticks (PRICE-2). */
function bandOf(market: Market): bigint {
  return floorDiv(market.oracle * bandPpm(market), MILLION)
}

/** PRICE-2: halfway between the impact prices, unless one is missing or they are too far apart. */
function middleOf(naive: Naive, market: Market): bigint | null {
  const bid = impactPrice(naive, market, 'bid')
  const ask = impactPrice(naive, market, 'ask')
  const widest = floorDiv(market.oracle * BigInt(bookOf(market).prices.spreadPpmMax), MILLION)
  if (bid === 0n || ask === 0n || ask - bid > widest) return null
  return floorDiv(bid + ask, 2n)
}

/** PRICE-3 */
function nextBasis(naive: Naive, market: Market): bigint {
  const { basisStepMs, basisWeight } = bookOf(market).prices
  const elapsed = Math.min(naive.now - market.lastTickAt, market.rules.staleAfterMs)
  const stepsAt = (time: number) => Math.floor(time / basisStepMs)
  const passed = stepsAt(market.lastTickAt + elapsed) - stepsAt(market.lastTickAt)
  const middle = middleOf(naive, market)
  const band = bandOf(market)
  const aim = middle === null ? 0n : clamp(middle - market.oracle, -band, band)
  let { basis } = market
  for (let step = 0; step < passed; step += 1) {
    basis += ((aim - basis) * BigInt(basisWeight)) / 4_294_967_296n
  }
  return basis
}

/** PRICE-2, in ticks. */
export function markOf(naive: Naive, market: Market): bigint {
  const { oracle, external } = market
  const a = oracle + market.basis
  const b = middleOf(naive, market) ?? a
  const recent = external && naive.now - external.at <= bookOf(market).prices.externalMaxAgeMs
  const c = recent ? external.price : oracle
  return inBand(market, halfUpTicks(median(a, b, c)))
}

/** PRICE-2, FUND-1: a mark, and the hour's samples, that a change left outside of the band. Open
 *  interest is valued at that mark. */
export function bringIntoBand(naive: Naive, market: Market): void {
  const widest = BigInt(market.premiumCount) * 1_000n * bandPpm(market)
  market.premiumSum = clamp(market.premiumSum, -widest, widest)
  const before = market.mark
  market.mark = inBand(market, before)
  if (market.mark === before) return
  market.openInterestMoney = (market.openInterestMoney / before) * market.mark
  emitMark(naive, market)
}

function inBand(market: Market, ticks: bigint): bigint {
  const { oracle } = market
  const band = bandOf(market)
  const low = ceilDiv(oracle - band, MILLION)
  const high = floorDiv(oracle + band, MILLION)
  const mark = low > high ? halfUpTicks(oracle) : clamp(ticks, low, high)
  return clamp(mark, market.rules.tickMin, market.rules.tickMax)
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
  }
  return null
}
