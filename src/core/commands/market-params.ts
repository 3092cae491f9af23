// The parameters of a market that an operator sets. All are integers: prices in ticks, money in
// micro-dollars.

import { divFloor } from '../../units/rounding.ts'
import type { Lots, Ppm, Quote, Ticks } from '../../units/units.ts'
import {
  type ChangeableName,
  type InitialName,
  type marketParameters,
  type ParameterName,
  parameterNames,
  parameterOf,
} from '../../words/market-parameters.ts'

/** A step of the decimal grid: value ÷ 10^scale. */
export type Step = Readonly<{ value: number; scale: number }>

/** The maximum leverage for the part of a notional that is above `fromValue`. */
export type RiskTier = Readonly<{ fromValue: Quote; maxLeverage: number }>

type Values = Readonly<{
  text: string
  flag: boolean
  step: Step
  tiers: readonly RiskTier[]
  ticks: Ticks
  lots: Lots
  quote: Quote
  ppm: Ppm
  whole: number
}>

export type MarketParams = {
  readonly [N in ParameterName]: Values[(typeof marketParameters)[N]['unit']]
}

/** The parameters that may change after listing. The grid steps, the symbol and the backstop
 *  address may not. */
export type MarketChange = Partial<Pick<MarketParams, ChangeableName>>

/** The parameters that maintenance and initial margin are derived from (MARGIN-1). */
export type TierParams = Pick<MarketParams, 'leverageMax' | 'riskTiers'>

/** A pending change; or, with `kept`, the tiers that an immediate change replaced, which stay in
 *  force until their maintenance is replaced too (MARKET-2). */
export type PendingChange = Readonly<{
  /** The number of an announced change, used to cancel it: 1, 2, … in each market. Otherwise 0. */
  id: number
  at: number
  change: MarketChange
  kept: Readonly<TierParams> | null
}>

/** Defaults for parameters that a listing omits. The edge fills them in: a command has all
 *  parameters. */
export const marketDefaults = Object.fromEntries(
  parameterNames.flatMap((name) => {
    const { initial } = parameterOf(name)
    return initial === undefined ? [] : [[name, initial]]
  }),
) as Pick<MarketParams, InitialName>

/** The default position limit of one owner. */
export function ownerInterestDefault(openInterestMax: number): Lots {
  return Math.max(1, divFloor(openInterestMax, 4)) as Lots
}

/** The nearest price that an order may have. */
export function nearestPrice({ tickMin, tickMax }: MarketParams, ticks: number): number {
  return Math.max(tickMin, Math.min(tickMax, ticks))
}
