// Everything a market's parameters must be, at listing and after every change (MARKET-1), and which
// of them is not. The rules only ask whether there is a fault; whoever has to mend it asks which.

import { divFloor, roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK, PPM } from '../../units/units.ts'
import { limits } from '../rules/limits.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { unitValueOf } from './market.ts'
import type { MarketParams, RiskTier, Step } from './market-params.ts'

/** A parameter that is not a whole number from `least` to `most`; of a text its length is meant, of
 *  the tiers their number. `unitValue` is K (UNITS-1), `oracle` the first price in micro-ticks. */
export type ParamsFault = Readonly<{
  field: keyof MarketParams | keyof Step | keyof RiskTier | 'unitValue' | 'oracle'
  value: number
  least: number
  most: number
}>

function outside(
  field: ParamsFault['field'],
  value: number,
  least: number,
  most: number,
): ParamsFault | null {
  const fits = Number.isSafeInteger(value) && value >= least && value <= most
  return fits ? null : { field, value, least, most }
}

function textFault(field: ParamsFault['field'], text: string): ParamsFault | null {
  return outside(field, typeof text === 'string' ? text.length : 0, 1, limits.textLength)
}

function stepFault(field: ParamsFault['field'], step: Step, rules: RuleBook): ParamsFault | null {
  return (
    outside(field, step.value, 1, Number.MAX_SAFE_INTEGER) ??
    outside('scale', step.scale, 0, rules.limits.stepScaleMax)
  )
}

/** Of the parameters alone: symbol and address may still be taken. */
export function paramsFault(params: MarketParams, rules: RuleBook): ParamsFault | null {
  const most = rules.limits
  return (
    textFault('symbol', params.symbol) ??
    textFault('baseAsset', params.baseAsset) ??
    textFault('backstopAddress', params.backstopAddress) ??
    stepFault('tickSize', params.tickSize, rules) ??
    stepFault('lotSize', params.lotSize, rules) ??
    outside('unitValue', unitValueOf(params), 1, most.unitValueMax) ??
    outside('tickMax', params.tickMax, 1, most.tickMaxMost) ??
    outside('tickMin', params.tickMin, 1, params.tickMax) ??
    outside('leverageMax', params.leverageMax, 1, most.leverageMax) ??
    outside('isolatedOnly', typeof params.isolatedOnly === 'boolean' ? 1 : 0, 1, 1) ??
    outside('speedBumpMs', params.speedBumpMs, 0, most.speedBumpMsMax) ??
    outside('staleAfterMs', params.staleAfterMs, most.staleAfterMsMin, most.staleAfterMsMax) ??
    outside(
      'observedWithinMs',
      params.observedWithinMs,
      most.observedWithinMsMin,
      most.observedWithinMsMax,
    ) ??
    outside('minSources', params.minSources, 1, most.minSourcesMax) ??
    valueFault(params) ??
    samplesFault(params, rules) ??
    liquidationFault(params, rules) ??
    interestFault(params) ??
    tiersFault(params, rules)
  )
}

function valueFault(params: MarketParams): ParamsFault | null {
  const { moneyMax } = limits
  return (
    outside('orderValueMax', params.orderValueMax, 1, moneyMax) ??
    outside('orderValueMin', params.orderValueMin, 1, params.orderValueMax) ??
    outside('bandNearPpm', params.bandNearPpm, 0, PPM) ??
    outside('bandFarPpm', params.bandFarPpm, 0, PPM) ??
    outside('openInterestMax', params.openInterestMax, 1, moneyMax) ??
    outside('ownerInterestMax', params.ownerInterestMax, 1, moneyMax) ??
    outside('impactValue', params.impactValue, 1, moneyMax) ??
    outside('backstopValueMax', params.backstopValueMax, 0, moneyMax) ??
    outside('backstopDailyLossMax', params.backstopDailyLossMax, 0, moneyMax)
  )
}

function samplesFault(params: MarketParams, { funding }: RuleBook): ParamsFault | null {
  return outside('fundingSamplesMin', params.fundingSamplesMin, 1, funding.samplesPerEpoch)
}

function liquidationFault(params: MarketParams, { limits: most }: RuleBook): ParamsFault | null {
  const { liquidationFeePartMost, liquidationFeeMost, liquidationDryMost } = most
  return (
    outside('liquidationFeePartPpm', params.liquidationFeePartPpm, 0, liquidationFeePartMost) ??
    outside('liquidationFeePpmMax', params.liquidationFeePpmMax, 0, liquidationFeeMost) ??
    outside('liquidationConcessionPpm', params.liquidationConcessionPpm, 0, PPM) ??
    outside('liquidationDryMax', params.liquidationDryMax, 1, liquidationDryMost) ??
    outside('liquidationStepMax', params.liquidationStepMax, 0, limits.moneyMax)
  )
}

function interestFault(params: MarketParams): ParamsFault | null {
  const lower = params.openInterestLower
  const upper = params.openInterestUpper
  if (lower === 0 && upper === 0) return null
  return (
    outside('openInterestLower', lower, 1, limits.moneyMax) ??
    outside('openInterestUpper', upper, lower + 1, limits.moneyMax)
  )
}

function tiersFault(
  { riskTiers, leverageMax }: MarketParams,
  { limits: most }: RuleBook,
): ParamsFault | null {
  const count = outside('riskTiers', riskTiers.length, 0, most.riskTiers)
  if (count !== null) return count
  let value = 0
  let leverage = leverageMax
  for (const tier of riskTiers) {
    const fault =
      outside('fromValue', tier.fromValue, value + 1, limits.moneyMax) ??
      outside('maxLeverage', tier.maxLeverage, 1, leverage - 1)
    if (fault !== null) return fault
    value = tier.fromValue
    leverage = tier.maxLeverage
  }
  return null
}

/** The first price of a market with these parameters. */
export function oracleFault(params: MarketParams, oracle: number): ParamsFault | null {
  const least = Math.max(limits.oracleTicksMin, params.tickMin) * MICRO_PER_TICK
  const most = Math.min(limits.oracleTicksMax, params.tickMax) * MICRO_PER_TICK
  const fits =
    outside('oracle', oracle, 1, limits.oracleTicksMax * MICRO_PER_TICK) === null &&
    divFloor(oracle, MICRO_PER_TICK) >= limits.oracleTicksMin &&
    outside('oracle', roundHalfUp(oracle, MICRO_PER_TICK), params.tickMin, params.tickMax) === null
  return fits ? null : { field: 'oracle', value: oracle, least, most }
}
