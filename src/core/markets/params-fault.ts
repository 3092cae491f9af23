// Checks the parameters of a market at listing and after every change (MARKET-1). The rules only
// need to know whether a check fails; the admin API reports which one.

import { divFloor, roundHalfUp } from '../../units/rounding.ts'
import { MICRO_PER_TICK } from '../../units/units.ts'
import {
  type ParameterName,
  type ParameterUnit,
  parameterNames,
  parameterOf,
} from '../../words/market-parameters.ts'
import type { MarketParams, RiskTier, Step } from '../commands/market-params.ts'
import { limits } from '../rules/limits.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import { firstVersion, rulesOf } from '../rules/versions.ts'
import { unitValueOf } from '../state/market.ts'

/** A parameter that is not an integer from `least` to `most`. For a text its length is checked, for
 *  the tiers their number. `unitValue` is K (UNITS-1), `oracle` the first price in micro-ticks. */
export type ParamsFault = Readonly<{
  field: ParameterName | keyof Step | keyof RiskTier | 'unitValue' | 'oracle'
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

type Limits = Readonly<Record<string, number>>

const limitsOf = ({ limits: most, funding }: RuleBook): Limits => ({
  ...limits,
  ...most,
  samplesPerEpoch: funding.samplesPerEpoch,
})

/** The bounds set by the first rules. `null` if there are none or another parameter is the
 *  bound. */
export function parameterBounds(name: ParameterName): readonly [number, number] | null {
  const known = limitsOf(rulesOf(firstVersion))
  const [least, most] = boundsOf(name, known)
  return least === undefined || most === undefined ? null : [least, most]
}

function boundsOf(name: ParameterName, known: Limits): readonly (number | undefined)[] {
  const bounds = parameterOf(name).bounds ?? []
  return bounds.map((bound) => (typeof bound === 'number' ? bound : known[bound]))
}

function parameterFault(
  field: ParameterName,
  params: MarketParams,
  known: Limits,
): ParamsFault | null {
  const { unit } = parameterOf(field)
  const value = params[field]
  if (unit === 'step') return stepFault(field, value as Step, known)
  if (unit === 'flag') return outside(field, typeof value === 'boolean' ? 1 : 0, 1, 1)
  const [least, most] = boundsOf(field, known)
  if (least === undefined || most === undefined) return null
  return outside(field, sizeOf(unit, value), least, most)
}

/** A value of the wrong type gets a size outside all bounds. */
function sizeOf(unit: ParameterUnit, value: unknown): number {
  if (unit === 'text') return typeof value === 'string' ? value.length : 0
  if (unit === 'tiers') return (value as MarketParams['riskTiers']).length
  return typeof value === 'number' ? value : Number.NaN
}

function stepFault(field: ParameterName, step: Step, { stepScaleMax }: Limits) {
  return (
    outside(field, step.value, 1, Number.MAX_SAFE_INTEGER) ??
    outside('scale', step.scale, 0, stepScaleMax!)
  )
}

/** Parameters that are bounded by another parameter come after it. */
const inOrder = [false, true].flatMap((last) =>
  parameterNames.filter((name) => {
    const bounds = parameterOf(name).bounds ?? []
    return bounds.some((bound) => bound === 'tickMax' || bound === 'orderValueMax') === last
  }),
)

/** Checks the parameters alone. The symbol and the address may still be in use. */
export function paramsFault(params: MarketParams, rules: RuleBook): ParamsFault | null {
  // A name refers to a limit first, then to another parameter.
  const known = { ...(params as unknown as Limits), ...limitsOf(rules) }
  for (const field of inOrder) {
    const fault = parameterFault(field, params, known)
    if (fault !== null) return fault
  }
  return (
    outside('unitValue', unitValueOf(params), 1, rules.limits.unitValueMax) ??
    interestFault(params) ??
    tiersFault(params)
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

function tiersFault({ riskTiers, leverageMax }: MarketParams): ParamsFault | null {
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

/** Checks the first price of a market with these parameters. */
export function oracleFault(params: MarketParams, oracle: number): ParamsFault | null {
  const least = Math.max(limits.oracleTicksMin, params.tickMin) * MICRO_PER_TICK
  const most = Math.min(limits.oracleTicksMax, params.tickMax) * MICRO_PER_TICK
  const fits =
    outside('oracle', oracle, 1, limits.oracleTicksMax * MICRO_PER_TICK) === null &&
    divFloor(oracle, MICRO_PER_TICK) >= limits.oracleTicksMin &&
    outside('oracle', roundHalfUp(oracle, MICRO_PER_TICK), params.tickMin, params.tickMax) === null
  return fits ? null : { field: 'oracle', value: oracle, least, most }
}
