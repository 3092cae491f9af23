// Describes an invalid market parameter with the names and units of operators.

import type { MarketParams, ParamsFault } from '../../core/index.ts'
import { microPriceText, moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import { formatDecimal } from '../../units/decimal.ts'
import {
  marketParameters,
  type ParameterName,
  type ParameterUnit,
} from '../../words/market-parameters.ts'
import type { Exchange } from '../exchange.ts'
import { refusal } from '../refusal.ts'

type Unit = (params: MarketParams, value: number) => string

const plain: Unit = (_, value) => String(value)
const letters: Unit = (_, value) => `${value} characters`
const usd: Unit = (_, value) => `${moneyText(value)} USD`
const percent: Unit = (_, value) => `${formatDecimal(value, 4)} %`

const units: Readonly<Record<ParameterUnit, Unit>> = {
  ...{ text: letters, flag: plain, step: plain, tiers: plain, whole: plain },
  ...{ ticks: priceText, lots: sizeText, quote: usd, ppm: percent },
}

type Known = Readonly<{ name: string; unit: Unit }>

/** Names of faults that are not parameters. */
const others: Readonly<Record<Exclude<ParamsFault['field'], ParameterName>, Known>> = {
  value: { name: 'the step', unit: plain },
  scale: { name: 'decimals of tick_size or lot_size', unit: plain },
  unitValue: { name: 'tick_size × lot_size', unit: usd },
  fromValue: { name: 'from_value of a tier', unit: usd },
  maxLeverage: { name: 'max_leverage of a tier', unit: plain },
  oracle: { name: 'oracle', unit: microPriceText },
}

function knownAs(field: ParamsFault['field']): Known {
  if (!isParameter(field)) return others[field]
  const { wire, unit } = marketParameters[field]
  return { name: wire, unit: units[unit] }
}

const isParameter = (field: string): field is ParameterName => field in marketParameters

/** MARKET-1. */
const interestRule =
  '; either both are 0, or open_interest_lower is above 0 and open_interest_upper above that'

function faultText(params: MarketParams, { field, value, least, most }: ParamsFault): string {
  const { name, unit } = knownAs(field)
  const range = `${unit(params, least)} to ${unit(params, most)}`
  if (field === 'unitValue') return `${name} must be a whole number of micro-dollars, from ${range}`
  if (field === 'maxLeverage') return tierText(value, most + 1)
  const rule = field === 'openInterestLower' || field === 'openInterestUpper' ? interestRule : ''
  return `${name} ${unit(params, value)} is outside ${range}${rule}`
}

/** A tier cannot have less than leverage 1, so that no tier can follow one of leverage 1. */
function tierText(given: number, before: number): string {
  const rule = `max_leverage of a tier ${given} must be below that of the part before it, ${before}`
  return before > 1 ? `${rule}, and 1 or more` : `${rule}: no tier may come after a leverage of 1`
}

/** Throws a specific error for parameters that the engine would reject without details. `oracle`:
 *  `null` if the market is already listed. */
export function requireValid(
  { view }: Exchange,
  params: MarketParams,
  oracle: number | null,
): void {
  const fault = view.markets.faultOf(params, oracle)
  if (fault !== null) throw refusal('INVALID_PARAMETER', 'rules', faultText(params, fault))
}
