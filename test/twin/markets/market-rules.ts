// What a market may be: the checks of its parameters (MARKET-1), and their BigInt form.

import type { MarketParams, Step } from '../../../src/core/commands/market-params.ts'
import { limits } from '../../../src/core/rules/limits.ts'
import { bookOf } from '../rule-books.ts'
import type { Naive, Rules } from '../state.ts'
import { halfUpTicks, isIntIn, isText, MILLION } from '../units/numbers.ts'

export function rulesOf(params: MarketParams): Rules {
  return {
    tickMin: BigInt(params.tickMin),
    tickMax: BigInt(params.tickMax),
    leverageMax: BigInt(params.leverageMax),
    orderValueMin: BigInt(params.orderValueMin),
    orderValueMax: BigInt(params.orderValueMax),
    near: BigInt(params.bandNearPpm),
    far: BigInt(params.bandFarPpm),
    speedBumpMs: params.speedBumpMs,
    openInterestMax: BigInt(params.openInterestMax),
    ownerInterestMax: BigInt(params.ownerInterestMax),
    openInterestLower: BigInt(params.openInterestLower),
    openInterestUpper: BigInt(params.openInterestUpper),
    tiers: params.riskTiers.map((tier) => ({
      from: BigInt(tier.fromValue),
      leverage: BigInt(tier.maxLeverage),
    })),
    impactValue: BigInt(params.impactValue),
    fundingSamplesMin: params.fundingSamplesMin,
    staleAfterMs: params.staleAfterMs,
    observedWithinMs: params.observedWithinMs as number,
    backstopValueMax: BigInt(params.backstopValueMax),
    backstopDailyLossMax: BigInt(params.backstopDailyLossMax),
    liquidation: {
      feePart: BigInt(params.liquidationFeePartPpm),
      feeMax: BigInt(params.liquidationFeePpmMax),
      concession: BigInt(params.liquidationConcessionPpm),
      dryMax: params.liquidationDryMax,
      step: BigInt(params.liquidationStepMax),
    },
  }
}

function isStep(step: Step | null | undefined, scaleMax: number): step is Step {
  return (
    step != null &&
    isIntIn(step.value, 1, Number.MAX_SAFE_INTEGER) &&
    isIntIn(step.scale, 0, scaleMax)
  )
}

/** UNITS-1: micro-dollars of one lot and one tick; null: no whole number. */
export function unitOf(tickSize: Step, lotSize: Step): bigint | null {
  const over = BigInt(tickSize.value) * BigInt(lotSize.value) * MILLION
  const under = 10n ** BigInt(tickSize.scale + lotSize.scale)
  return over % under === 0n ? over / under : null
}

/** MARKET-1, without what only a listing asks (a new symbol and address, the oracle). */
export function areGoodParams(naive: Naive, params: MarketParams): boolean {
  const money = limits.moneyMax
  if (typeof params !== 'object' || params === null) return false
  const texts = [params.symbol, params.baseAsset, params.backstopAddress]
  if (!texts.every((text) => isText(text, limits.textLength))) return false
  const { leverageMax, stepScaleMax, unitValueMax, tickMaxMost } = bookOf(naive).limits
  const { staleAfterMsMin, staleAfterMsMax, minSourcesMax } = bookOf(naive).limits
  const { observedWithinMsMin, observedWithinMsMax } = bookOf(naive).limits
  if (!isStep(params.tickSize, stepScaleMax) || !isStep(params.lotSize, stepScaleMax)) return false
  const unit = unitOf(params.tickSize, params.lotSize)
  if (unit === null || unit < 1n || unit > BigInt(unitValueMax)) return false
  return (
    isIntIn(params.tickMin, 1, tickMaxMost) &&
    isIntIn(params.tickMax, params.tickMin, tickMaxMost) &&
    isIntIn(params.leverageMax, 1, leverageMax) &&
    typeof params.isolatedOnly === 'boolean' &&
    isIntIn(params.orderValueMin, 1, money) &&
    isIntIn(params.orderValueMax, params.orderValueMin, money) &&
    isIntIn(params.bandNearPpm, 0, 1_000_000) &&
    isIntIn(params.bandFarPpm, 0, 1_000_000) &&
    isIntIn(params.speedBumpMs, 0, bookOf(naive).limits.speedBumpMsMax) &&
    isIntIn(params.openInterestMax, 1, money) &&
    isIntIn(params.ownerInterestMax, 1, money) &&
    isGoodInterest(params) &&
    areGoodTiers(naive, params) &&
    isIntIn(params.impactValue, 1, money) &&
    isIntIn(params.fundingSamplesMin, 1, bookOf(naive).funding.samplesPerEpoch) &&
    isIntIn(params.staleAfterMs, staleAfterMsMin, staleAfterMsMax) &&
    isIntIn(params.observedWithinMs, observedWithinMsMin, observedWithinMsMax) &&
    isIntIn(params.minSources, 1, minSourcesMax) &&
    isIntIn(params.backstopValueMax, 0, money) &&
    isIntIn(params.backstopDailyLossMax, 0, money) &&
    isGoodLiquidation(naive, params)
  )
}

/** LIQ-9 */
function isGoodLiquidation(naive: Naive, params: MarketParams): boolean {
  const most = bookOf(naive).limits
  return (
    isIntIn(params.liquidationFeePartPpm, 0, most.liquidationFeePartMost) &&
    isIntIn(params.liquidationFeePpmMax, 0, most.liquidationFeeMost) &&
    isIntIn(params.liquidationConcessionPpm, 0, 1_000_000) &&
    isIntIn(params.liquidationDryMax, 1, most.liquidationDryMost) &&
    isIntIn(params.liquidationStepMax, 0, limits.moneyMax)
  )
}

function isGoodInterest(params: MarketParams): boolean {
  const { openInterestLower: lower, openInterestUpper: upper } = params
  if (lower === 0 && upper === 0) return true
  return isIntIn(upper, 2, limits.moneyMax) && isIntIn(lower, 1, upper - 1)
}

function areGoodTiers(naive: Naive, params: MarketParams): boolean {
  const tiers: unknown = params.riskTiers
  if (!Array.isArray(tiers) || tiers.length > bookOf(naive).limits.riskTiers) return false
  let from = 0
  let leverage = params.leverageMax
  for (const tier of tiers) {
    if (!isIntIn(tier?.fromValue, from + 1, limits.moneyMax)) return false
    if (!isIntIn(tier?.maxLeverage, 1, leverage - 1)) return false
    from = tier.fromValue
    leverage = tier.maxLeverage
  }
  return true
}

export function isGoodOracle(params: MarketParams, oracle: unknown): oracle is number {
  if (!isIntIn(oracle, limits.oracleTicksMin * 1_000_000, 1_000_000 * limits.oracleTicksMax)) {
    return false
  }
  const tick = Number(halfUpTicks(BigInt(oracle)))
  return tick >= params.tickMin && tick <= params.tickMax
}
