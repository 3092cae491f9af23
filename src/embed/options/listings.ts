// The initial markets of an embedded exchange: the sandbox's markets by symbol, and custom markets
// by a few numbers. All other parameters have the sandbox's defaults.

import {
  type MarketParams,
  ownerInterestDefault,
  type Step,
  unitValueOf,
} from '../../core/index.ts'
import { ownerlessAddress } from '../../sources/ownerless-address.ts'
import { type Listing, sandboxListings } from '../../sources/sandbox-markets.ts'
import { type Parsed, parseDecimal, parseGrid } from '../../units/decimal.ts'
import { divFloor } from '../../units/rounding.ts'
import {
  type Lots,
  MICRO_PER_TICK,
  type MicroTicks,
  type Quote,
  type Ticks,
} from '../../units/units.ts'

/** A custom market. Decimals are text, as everywhere in the API. */
export type MarketPlan = Readonly<{
  symbol: string
  /** Smallest price step, and the initial price, which is at least 1,000 steps. */
  tickSize: string
  price: string
  /** Smallest size step. */
  lotSize: string
  maxLeverage?: number
  isolatedOnly?: boolean
  /** Other parameters of the engine, in its units. */
  params?: Partial<MarketParams>
}>

export type MarketChoice = string | MarketPlan

const known = new Map(sandboxListings.map((listing) => [listing.params.symbol, listing]))
export const everyMarket: readonly string[] = [...known.keys()]

/** 50 million dollars. */
const interestMax = 50_000_000_000_000
const impactValue = 6_000_000_000 as Quote
const tickMaxMost = 2_000_000_000

export function listingsOf(choices: readonly MarketChoice[]): readonly Listing[] {
  if (!Array.isArray(choices) || choices.length === 0)
    throw new RangeError(
      `markets must name at least one, like ['BTC'] of ${everyMarket.join(', ')}`,
    )
  const listings = choices.map((choice) =>
    typeof choice === 'string' ? knownListing(choice) : plannedListing(choice),
  )
  const symbols = listings.map(({ params }) => params.symbol)
  const doubled = symbols.find((symbol, at) => symbols.indexOf(symbol) !== at)
  if (doubled !== undefined) throw new RangeError(`markets names ${doubled} twice`)
  return listings
}

function knownListing(symbol: string): Listing {
  const listing = known.get(symbol)
  if (listing !== undefined) return listing
  throw new RangeError(
    `no market ${symbol}: the ready ones are ${everyMarket.join(', ')}; any other is given as ` +
      `{ symbol: '${symbol}', tickSize: '0.1', lotSize: '0.001', price: '250' }`,
  )
}

function plannedListing(plan: MarketPlan): Listing {
  const { symbol, isolatedOnly = false, maxLeverage: leverageMax = 20 } = plan
  if (typeof symbol !== 'string' || !/^[A-Za-z0-9][\w.-]{0,31}$/.test(symbol))
    throw new RangeError(`not a symbol of a market: ${JSON.stringify(symbol)}`)
  const tickSize = stepOf(symbol, 'tickSize', plan.tickSize)
  const lotSize = stepOf(symbol, 'lotSize', plan.lotSize)
  const grid = { stepValue: tickSize.value, stepScale: tickSize.scale + 6 }
  const oracle = numberIn(symbol, 'price', plan.price, (text) => parseGrid(text, grid))
  const ticks = Math.max(1, divFloor(oracle, MICRO_PER_TICK))
  const base = { ...sandboxListings[0]!.params, tickSize, lotSize }
  // The listing refuses a grid in which the value of a lot is not whole, or is too large.
  const lotValue = Math.min(ticks * Math.max(1, unitValueOf(base)), interestMax)
  const interest = plan.params?.openInterestMax ?? Math.max(1, divFloor(interestMax, lotValue))
  const params: MarketParams = {
    ...base,
    symbol,
    baseAsset: symbol,
    tickMin: 1 as Ticks,
    tickMax: Math.min(10 * ticks, tickMaxMost) as Ticks,
    leverageMax,
    isolatedOnly,
    openInterestMax: interest as Lots,
    ownerInterestMax: ownerInterestDefault(interest),
    riskTiers: [],
    impactValue,
    backstopAddress: ownerlessAddress(`backstop ${symbol}`),
    ...plan.params,
  }
  return { params, oracle: oracle as MicroTicks }
}

/** Parses a step: `0.5` is five tenths. */
function stepOf(symbol: string, field: string, written: string): Step {
  const fraction = String(written).split('.')[1]?.replace(/0+$/, '') ?? ''
  const scale = fraction.length
  return { value: numberIn(symbol, field, written, (text) => parseDecimal(text, scale)), scale }
}

function numberIn(
  symbol: string,
  field: string,
  written: string,
  parse: (text: string) => Parsed,
): number {
  const parsed = typeof written === 'string' ? parse(written) : null
  if (parsed?.ok && parsed.value > 0) return parsed.value
  throw new RangeError(
    `market ${symbol}: ${field} ${JSON.stringify(written)} is not a decimal above zero as text, ` +
      "like '0.5'",
  )
}
