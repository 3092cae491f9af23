// Converts market parameters from the units of operators (prices, percent, dollars) to those of the
// engine.

import {
  type MarketChange,
  type MarketParams,
  ownerInterestDefault,
  parameterBounds,
  type Step,
} from '../../core/index.ts'
import { moneyText, priceText, sizeText } from '../../projections/market-text.ts'
import {
  type ListingBody,
  listingDefaults,
  listingSchema,
  marketRequests,
} from '../../protocol/admin/operations/market-requests.ts'
import type { marketChange } from '../../protocol/schemas/markets/parameters.ts'
import type { Static } from '../../protocol/schemas/typebox.ts'
import { formatDecimal, SCALE_MAX } from '../../units/decimal.ts'
import type { Lots, Ppm, Quote, Ticks } from '../../units/units.ts'
import {
  type ChangeableName,
  changeableNames,
  marketParameters,
  type UnitOf,
} from '../../words/market-parameters.ts'
import { apiError } from '../api-error.ts'
import { counted, indexDecimals, indexPricesOf, numberIn, sizesOf } from './read-number.ts'

type Written = Readonly<Record<string, unknown>>
type MarketChangeWire = Static<typeof marketChange>

const percentText = (ppm: Ppm) => formatDecimal(ppm, 4)

const rangeOf = (name: ChangeableName) => {
  const bounds = parameterBounds(name)
  return bounds === null ? {} : { minimum: bounds[0], maximum: bounds[1] }
}

export const listingBody = listingSchema(rangeOf)
/** The schemas with the limits of the engine. */
export const limitedRequests = marketRequests(rangeOf)

const money = (field: string, text: string) => numberIn(field, text, counted.money) as Quote
const percent = (field: string, text: string) => numberIn(field, text, counted.percent) as Ppm

/** Parses a step: `0.5` is five tenths. */
function stepOf(field: string, text: string, decimalsMax: number): Step {
  const fraction = text.split('.')[1]?.replace(/0+$/, '') ?? ''
  const scale = fraction.length
  if (scale > decimalsMax)
    throw apiError(
      'MALFORMED_REQUEST',
      `${field} ${text} has ${scale} decimals; at most ${decimalsMax} are possible`,
    )
  const most = Number.MAX_SAFE_INTEGER
  const parsed = numberIn(field, text, { step: { value: 1, scale }, most })
  if (parsed <= 0) throw apiError('MALFORMED_REQUEST', `${field} ${text} is not above zero`)
  return { value: parsed, scale }
}

/** `ticksMost`: maximum price in ticks. */
export function listingOf(
  body: ListingBody,
  ticksMost: number,
): { params: MarketParams; oracle: number } {
  const tickSize = stepOf('tick_size', body.tick_size, SCALE_MAX - indexDecimals)
  const lotSize = stepOf('lot_size', body.lot_size, SCALE_MAX)
  const given = Object.entries(body).filter(([, written]) => written !== null)
  const whole = { risk_tiers: [], ...listingDefaults, ...Object.fromEntries(given) }
  const changeable = changeOf(whole, { tickSize, lotSize, ticksMost }) as Required<MarketChange>
  return {
    oracle: numberIn('oracle', body.oracle, indexPricesOf(tickSize)),
    params: {
      symbol: body.symbol,
      baseAsset: body.base_asset,
      tickSize,
      lotSize,
      isolatedOnly: body.isolated_only,
      backstopAddress: body.backstop_address,
      ...changeable,
      ownerInterestMax:
        changeable.ownerInterestMax ?? ownerInterestDefault(changeable.openInterestMax),
    },
  }
}

type Steps = Pick<MarketParams, 'tickSize' | 'lotSize'> & Readonly<{ ticksMost: number }>

const tick = (field: string, written: string, { tickSize, ticksMost }: Steps) =>
  numberIn(field, written, { step: tickSize, most: ticksMost }) as Ticks
const size = (field: string, written: string, { lotSize }: Steps) =>
  numberIn(field, written, sizesOf(lotSize)) as Lots

/** How a parameter is parsed, and how it is shown to traders while a change is pending. */
type Kind = Readonly<{
  read(field: string, written: never, steps: Steps): unknown
  write(value: never, params: MarketParams): unknown
}>

const inMoney: Kind = { read: money, write: (value: Quote) => moneyText(value) }
const inPercent: Kind = { read: percent, write: percentText }
const whole: Kind = { read: (_, written: number) => written, write: (value: number) => value }
const inTicks: Kind = {
  read: tick,
  write: (value: Ticks, params) => priceText(params, value),
}
const inLots: Kind = {
  read: size,
  write: (value: Lots, params) => sizeText(params, value),
}
const inTiers: Kind = {
  read: (field, written: NonNullable<MarketChangeWire['risk_tiers']>) =>
    written.map((each, at) => ({
      fromValue: money(`${field}[${at}].from_value`, each.from_value),
      maxLeverage: each.max_leverage,
    })),
  write: (value: MarketParams['riskTiers']) =>
    value.map(({ fromValue, maxLeverage }) => {
      return { from_value: moneyText(fromValue), max_leverage: maxLeverage }
    }),
}

const kinds: Readonly<Record<UnitOf<ChangeableName>, Kind>> = {
  ...{ ticks: inTicks, lots: inLots, quote: inMoney, ppm: inPercent, whole, tiers: inTiers },
}
const fields = changeableNames.map((name) => {
  const { wire, unit } = marketParameters[name]
  return { name, wire, kind: kinds[unit] }
})

export function changeOf(body: Written, steps: Steps): MarketChange {
  const change: Record<string, unknown> = {}
  for (const { name, wire, kind } of fields) {
    const written = body[wire]
    if (written != null) change[name] = kind.read(wire, written as never, steps)
  }
  return change as MarketChange
}

/** The change in the units of operators. */
export function changeWire(change: MarketChange, params: MarketParams): MarketChangeWire {
  const written: Record<string, unknown> = {}
  for (const { name, wire, kind } of fields) {
    const value = change[name]
    if (value !== undefined) written[wire] = kind.write(value as never, params)
  }
  return written as MarketChangeWire
}
