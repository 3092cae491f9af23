// Listing, changing and settling markets, and fee tiers (MARKET-1, 2 and 4, FEE-2).

import type { CommandOf, FeeTier } from '../../../src/core/commands/commands.ts'
import type { MarketChange, MarketParams } from '../../../src/core/commands/market-params.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { accountAt, openAccount } from '../accounts/accounts.ts'
import { isConfirmedAgent } from '../accounts/bindings.ts'
import { byId, emit, findMarket, holdingOf } from '../core/lookup.ts'
import { settlePool } from '../funding/funding.ts'
import { clearDebt } from '../liquidation/insurance.ts'
import { exposureOf, scopeIn, worstCase, worstOf } from '../margin/margin.ts'
import { endAll, stopAlgo } from '../orders/endings.ts'
import { fill, followPosition } from '../orders/fills.ts'
import { forget } from '../orders/unplaced.ts'
import { boundSamples, emitMark } from '../prices/prices.ts'
import { bookOf } from '../rule-books.ts'
import { type Account, INSURANCE, type Market, type Naive } from '../state.ts'
import { abs, given, halfUpTicks, isInt, isIntIn, num, signOf } from '../units/numbers.ts'
import { areGoodParams, isGoodOracle, rulesOf, unitOf } from './market-rules.ts'
import { HOUR } from './reserves.ts'

const CHANGES_PENDING = 8
const changeable: readonly string[] = [
  'tickMin',
  'tickMax',
  'leverageMax',
  'orderValueMin',
  'orderValueMax',
  'bandNearPpm',
  'bandFarPpm',
  'speedBumpMs',
  'openInterestMax',
  'ownerInterestMax',
  'openInterestLower',
  'openInterestUpper',
  'riskTiers',
  'impactValue',
  'fundingSamplesMin',
  'staleAfterMs',
  'observedWithinMs',
  'minSources',
  'backstopValueMax',
  'backstopDailyLossMax',
  'liquidationFeePartPpm',
  'liquidationFeePpmMax',
  'liquidationConcessionPpm',
  'liquidationDryMax',
  'liquidationStepMax',
] satisfies (keyof MarketChange)[]

/** MARKET-1 */
export function listMarket(naive: Naive, command: CommandOf<'ListMarket'>): Rejection | null {
  const { params, oracle } = command
  if (naive.markets.length >= limits.marketsMax) return refuse('LIMIT_REACHED', limits.marketsMax)
  if (naive.accounts.length >= limits.accountsMax) {
    return refuse('LIMIT_REACHED', limits.accountsMax)
  }
  const unit = areGoodParams(naive, params) ? unitOf(params.tickSize, params.lotSize) : null
  const taken = (address: string): boolean => {
    return accountAt(naive, address) !== undefined || isConfirmedAgent(naive, address)
  }
  if (unit === null || !isGoodOracle(params, oracle) || taken(params.backstopAddress)) {
    return refuse('INVALID_PARAMETER', 0)
  }
  const same = naive.markets.find((market) => market.params.symbol === params.symbol)
  if (same) return refuse('MARKET_EXISTS', same.id)
  const backstop = openAccount(naive, params.backstopAddress, null)
  backstop.reserved = true
  const market = newMarket(naive, params, BigInt(oracle), unit)
  market.backstop = backstop.id
  naive.markets.push(market)
  naive.nextShareAt ??= (Math.floor(naive.now / HOUR) + 1) * HOUR
  const { symbol } = params
  const unitValue = num(market.K)
  emit(naive, {
    ...{ type: 'MarketListed', market: market.id, backstop: backstop.id, unitValue, symbol },
  })
  emitMark(naive, market)
  return null
}

function newMarket(naive: Naive, params: MarketParams, oracle: bigint, K: bigint): Market {
  const { now } = naive
  return {
    id: naive.markets.length + 1,
    params: structuredClone(params),
    rulesVersion: naive.rulesVersion,
    rules: rulesOf(params),
    K,
    backstop: 0,
    mode: 'open',
    settled: false,
    book: [],
    oracle,
    mark: halfUpTicks(oracle),
    catchingUp: false,
    ownerLimits: {},
    raw: oracle,
    impactBid: 0n,
    impactAsk: 0n,
    gaps: { long: [], short: [] },
    lastTickAt: now,
    observedAt: naive.pricesMayStand ? null : Number.NEGATIVE_INFINITY,
    lastLiveTickAt: now,
    livelySince: now,
    health: 'live',
    healthStage: 0,
    goodTicks: 0,
    afterStart: false,
    openInterestMoney: 0n,
    lastTrade: null,
    nextEpochAt:
      (Math.floor(now / bookOf(naive).funding.epochMs) + 1) * bookOf(naive).funding.epochMs,
    lastSampleAt:
      Math.floor(now / bookOf(naive).funding.samplePeriodMs) * bookOf(naive).funding.samplePeriodMs,
    premiumSum: 0n,
    premiumCount: 0,
    pool: null,
    changes: [],
    changesAnnounced: 0,
    oldLast: 0n,
    oldMid: 0n,
  }
}

/** MARKET-2 */
export function changeMarket(naive: Naive, command: CommandOf<'ChangeMarket'>): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const requested = command.change ?? {}
  const immediate = command.immediate === true
  const keeps = immediate && mayRaiseMaintenance(market, requested)
  const effectiveAt = immediate ? naive.now : dueOf(naive, market, requested)
  const like = market.changes.filter((pending) => (pending.id === 0) === keeps)
  if ((keeps || effectiveAt > naive.now) && like.length >= CHANGES_PENDING) {
    return refuse('LIMIT_REACHED', CHANGES_PENDING)
  }
  const change = copyChange(command.change)
  if (!change || !isFit(naive, market, change)) return refuse('INVALID_PARAMETER', 0)
  const crushed = crushedBy(naive, market, change.tickMax ?? market.params.tickMax)
  if (crushed) return refuse('INVALID_PARAMETER', crushed.id)
  const maintenanceAt = effectiveAt + (keeps ? bookOf(naive).limits.immediateNoticeMs : 0)
  if (keeps) market.changes.push({ id: 0, at: maintenanceAt, change: {}, keeps: market.rules })
  let id = 0
  if (effectiveAt > naive.now) {
    market.changesAnnounced += 1
    id = market.changesAnnounced
    market.changes.push({ id, at: effectiveAt, change, keeps: null })
  } else putChange(market, change)
  emit(naive, {
    ...{ type: 'MarketChanged', market: market.id, change: id, effectiveAt, maintenanceAt },
  })
  // What is announced changes nothing yet.
  if (id === 0) boundSamples(market)
  return null
}

/** MARKET-2 */
export function cancelMarketChange(
  naive: Naive,
  command: CommandOf<'CancelMarketChange'>,
): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const announced = market.changes.filter(({ id }) => id > 0)
  const found = announced.find(({ id }) => id === command.change)
  if (!found) return refuse('CHANGE_NOT_FOUND', given(command.change))
  for (const earlier of announced.slice(0, announced.indexOf(found))) {
    for (const name of ['leverageMax', 'riskTiers', 'openInterestLower', 'openInterestUpper']) {
      if (name in found.change && name in earlier.change) {
        return refuse('INVALID_PARAMETER', earlier.id)
      }
    }
  }
  market.changes.splice(market.changes.indexOf(found), 1)
  const { id, at } = found
  emit(naive, { type: 'MarketChangeCancelled', market: market.id, change: id, effectiveAt: at })
  return null
}

/** MARKET-2: when a change that is not immediate takes effect. */
function dueOf(naive: Naive, market: Market, change: MarketChange): number {
  const raises =
    mayRaiseMaintenance(market, change) ||
    change.openInterestLower !== undefined ||
    change.openInterestUpper !== undefined
  return raises ? naive.now + bookOf(naive).limits.requirementNoticeMs : naive.now
}

function mayRaiseMaintenance({ params }: Market, change: MarketChange): boolean {
  const { riskTiers } = change
  return riskTiers !== undefined || (change.leverageMax ?? params.leverageMax) < params.leverageMax
}

/** MARKET-1 holds with it, and no price that was one ceases to be one. */
function isFit(naive: Naive, market: Market, change: MarketChange): boolean {
  const { tickMin, tickMax } = { ...market.params, ...change }
  if (tickMin > market.params.tickMin || tickMax < market.params.tickMax) return false
  return areGoodParams(naive, { ...market.params, ...change })
}

/** UNITS-4: the first account that could owe too much if prices rose to this tick. */
function crushedBy(naive: Naive, market: Market, tick: number): Account | undefined {
  const more = BigInt(tick) - market.rules.tickMax
  if (more <= 0n) return undefined
  return naive.accounts.find((account) => {
    const exposure = exposureOf(naive, account, market)
    const sum = worstCase(naive, account, { market, exposure })
    return worstOf(exposure) > 0n && sum + worstOf(exposure) * more * market.K > limits.moneyMax
  })
}

/** The change without absent fields; null: it names what may not change. */
function copyChange(change: unknown): MarketChange | null {
  if (typeof change !== 'object' || change === null) return null
  const fields = Object.entries(change).filter(([, value]) => value !== undefined)
  if (!fields.every(([name]) => changeable.includes(name))) return null
  return structuredClone(Object.fromEntries(fields))
}

function putChange(market: Market, change: MarketChange): void {
  market.params = { ...market.params, ...change }
  market.rules = rulesOf(market.params)
}

/** MARKET-2: due work. */
export function runChange(naive: Naive, market: Market, next: Market['changes'][number]): void {
  const { id, at, change, keeps } = next
  market.changes = market.changes.filter((pending) => pending !== next)
  if (!keeps) {
    if (!isFit(naive, market, change) || crushedBy(naive, market, change.tickMax ?? 0)) return
    putChange(market, change)
  }
  emit(naive, {
    ...{ type: 'MarketChanged', market: market.id, change: id, effectiveAt: at, maintenanceAt: at },
  })
  boundSamples(market)
}

/** MARKET-4 */
export function settleMarket(naive: Naive, command: CommandOf<'SettleMarket'>): Rejection | null {
  const market = findMarket(naive, command.market)
  if (!market) return refuse('BOOK_NOT_FOUND', given(command.market))
  if (market.settled) return refuse('UNSUPPORTED_OPERATION')
  const { price } = command
  if (!isInt(price)) return refuse('INVALID_TICK_SIZE', 0)
  const { tickMaxMost } = bookOf(naive).limits
  if (!isIntIn(price, 1, tickMaxMost)) return refuse('INVALID_TICK_LEVEL', price, 1, tickMaxMost)
  const crushed = crushedBy(naive, market, price)
  if (crushed) return refuse('INVALID_PARAMETER', crushed.id)
  emit(naive, { type: 'MarketSettled', market: market.id, price })
  settlePool(naive, market)
  market.settled = true
  const here = (one: { market: number }): boolean => one.market === market.id
  const orders = [...market.book, ...naive.waiting.filter(here)]
  endAll(naive, [...orders, ...naive.stops.filter(here)], 'market_closed')
  for (const algo of naive.algos.filter(here).sort(byId)) stopAlgo(naive, algo, 'market_closed')
  forget(naive, 'market_closed', ({ action }) => action.market === market.id)
  market.changes = []
  for (const account of naive.accounts) closeAt(naive, account, market, BigInt(price))
  return null
}

function closeAt(naive: Naive, account: Account, market: Market, price: bigint): void {
  const { lots } = holdingOf(account, market)
  if (lots === 0n) return
  const scope = scopeIn(account, market)
  const side = {
    account,
    market,
    sign: -signOf(lots),
    order: 0,
    counterparty: INSURANCE,
    role: 'taker',
    cause: 'settlement',
    price,
    fee: 'none',
    wallet: 'own',
    debt: 'later',
  } as const
  fill(naive, side, abs(lots), abs(lots) * price * market.K)
  followPosition(naive, account, market, lots)
  clearDebt(naive, account, scope)
}

/** FEE-2 */
export function setFeeTiers(naive: Naive, command: CommandOf<'SetFeeTiers'>): Rejection | null {
  const { tiers } = command
  if (!areGoodTiers(naive, tiers)) return refuse('INVALID_PARAMETER', 0)
  naive.feeTiers = tiers.map((tier) => ({
    volumeDollars: BigInt(tier.volumeDollars),
    maker: BigInt(tier.makerPpm),
    taker: BigInt(tier.takerPpm),
  }))
  emit(naive, { type: 'FeeTiersSet', count: tiers.length })
  return null
}

function areGoodTiers(naive: Naive, tiers: readonly FeeTier[]): boolean {
  if (!Array.isArray(tiers) || tiers.length < 1 || tiers.length > bookOf(naive).limits.feeTiers)
    return false
  const top = bookOf(naive).limits.feePpmMax
  let next = 0
  for (const [at, tier] of tiers.entries()) {
    const last = at === 0 ? 0 : Number.MAX_SAFE_INTEGER
    if (!isIntIn(tier?.volumeDollars, next, last)) return false
    if (!isIntIn(tier.takerPpm, 0, top) || !isIntIn(tier.makerPpm, -top, top)) return false
    next = tier.volumeDollars + 1
  }
  const lowest = Math.min(...tiers.map((tier) => tier.takerPpm))
  return tiers.every((tier) => tier.makerPpm >= -lowest)
}
