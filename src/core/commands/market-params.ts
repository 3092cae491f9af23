// What an operator decides about a market. All integers: prices in ticks, money in micro-dollars.

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

/** From this notional on, the highest leverage of the part above it. */
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

/** What may change after listing; the steps of the grid, the symbol and the backstop's address may
 *  not. */
export type MarketChange = Partial<Pick<MarketParams, ChangeableName>>

/** What maintenance and the initial margin follow from (MARGIN-1). */
export type TierParams = Pick<MarketParams, 'leverageMax' | 'riskTiers'>

/** A change that waits; or, with `kept`, the tiers that an immediate change replaced, which are in
 *  force until their maintenance is replaced too (MARKET-2). */
export type PendingChange = Readonly<{
  /** Of an announced one, by which it is cancelled: 1, 2, … in each market. Else 0. */
  id: number
  at: number
  change: MarketChange
  kept: Readonly<TierParams> | null
}>

/** What a listing gets that leaves them out, at the edge: a command has all of them. */
export const marketDefaults = Object.fromEntries(
  parameterNames.flatMap((name) => {
    const { initial } = parameterOf(name)
    return initial === undefined ? [] : [[name, initial]]
  }),
) as Pick<MarketParams, InitialName>

/** What one owner may hold where a listing says nothing about it. */
export function ownerInterestDefault(openInterestMax: number): Lots {
  return Math.max(1, divFloor(openInterestMax, 4)) as Lots
}

/** The nearest price that an order may have. */
export function nearestPrice({ tickMin, tickMax }: MarketParams, ticks: number): number {
  return Math.max(tickMin, Math.min(tickMax, ticks))
}
