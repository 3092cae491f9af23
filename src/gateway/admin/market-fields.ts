// A market as an operator writes it, in prices, percent and dollars, to the engine's parameters.

import {
  type MarketChange,
  type MarketParams,
  marketDefaults,
  ownerInterestDefault,
  type Step,
} from '../../core/index.ts'
import { address, decimal, optional } from '../../protocol/schemas/field-types.ts'
import type { marketChange } from '../../protocol/schemas/market-replies.ts'
import { type Static, Type } from '../../protocol/schemas/typebox.ts'
import { formatDecimal, SCALE_MAX } from '../../units/decimal.ts'
import type { Lots, Ppm, Quote, Ticks } from '../../units/units.ts'
import { apiError } from '../api-error.ts'
import { moneyText, priceText, sizeText } from '../market-text.ts'
import { counted, indexDecimals, indexPricesOf, numberIn, sizesOf } from './read-number.ts'

const tier = Type.Object({
  from_value: decimal('USD of notional from which on it counts, rising'),
  max_leverage: Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'For the part above; descending, below max_leverage of the market',
  }),
})

const changeableFields = {
  min_tick: decimal('Lowest price; a change can only lower it'),
  max_tick: decimal('Highest price; a change can only raise it. List with 100,000 ticks or more'),
  max_leverage: Type.Integer({ minimum: 1, maximum: 100 }),
  min_order_size: decimal('USD'),
  max_order_size: decimal('USD'),
  band_near_percent: decimal('How far beyond mark an order may reach'),
  band_far_percent: decimal('How far on its own side it may lie'),
  speedbump_ms: Type.Integer({ minimum: 0, maximum: 10_000 }),
  open_interest_cap: decimal('Base units'),
  owner_interest_max: decimal(
    'Base units of one owner (default: a quarter of open_interest_cap). At open_interest_cap or ' +
      'above, only open_interest_cap applies',
  ),
  open_interest_lower: decimal('USD; 0 with upper 0: margin does not grow with open interest'),
  open_interest_upper: decimal('USD'),
  impact_notional: decimal('USD for the impact prices: funding, mid stops, guarded prices'),
  funding_samples_min: Type.Integer({
    minimum: 1,
    maximum: 720,
    description:
      'Premium samples that an hour needs, one every 5 seconds; with fewer its funding rate is 0 ' +
      `(default: ${marketDefaults.fundingSamplesMin})`,
  }),
  stale_after_ms: Type.Integer({
    minimum: 1_000,
    maximum: 60_000,
    description: `Oldest price on which orders match (default: ${marketDefaults.staleAfterMs})`,
  }),
  observed_within_ms: Type.Integer({
    minimum: 100,
    maximum: 10_000,
    description:
      'Oldest observation of a price that releases orders ' +
      `(default: ${marketDefaults.observedWithinMs})`,
  }),
  min_sources: Type.Integer({
    minimum: 1,
    maximum: 16,
    description: `Fresh sources that a price needs (default: ${marketDefaults.minSources})`,
  }),
  backstop_value_max: decimal('USD of positions the backstop takes'),
  backstop_daily_loss_max: decimal('USD the backstop may lose in a day'),
  liquidation_fee_part_percent: decimal(
    'Fee of a liquidated side, in percent of its maintenance fraction, 0 to 50 (default: 40)',
  ),
  liquidation_fee_max_percent: decimal(
    'Maximum of that fee, in percent of the value, 0 to 25 (default: 0.75)',
  ),
  liquidation_concession_percent: decimal(
    'What a liquidation may cost a position, of its maintenance, 0 to 100: how far a step goes ' +
      'from mark, and what the backstop gets (default: 50)',
  ),
  liquidation_dry_max: Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      'Steps in a row without a fill before the backstop takes over; ' +
      `(default: ${marketDefaults.liquidationDryMax})`,
  }),
  liquidation_step_max: decimal(
    'Maximum USD of one step, unless a fifth of the position is more (default: 100000)',
  ),
  risk_tiers: Type.Array(tier, {
    maxItems: 10,
    description: 'Tiers above the first, which is (0, max_leverage)',
  }),
}

type Written = Readonly<Record<string, unknown>>
type MarketChangeWire = Static<typeof marketChange>

const percentText = (ppm: Ppm) => formatDecimal(ppm, 4)

/** What a listing may leave out, and what it then gets. */
const listingDefaults: Written = {
  risk_tiers: [],
  funding_samples_min: marketDefaults.fundingSamplesMin,
  stale_after_ms: marketDefaults.staleAfterMs,
  observed_within_ms: marketDefaults.observedWithinMs,
  min_sources: marketDefaults.minSources,
  liquidation_fee_part_percent: percentText(marketDefaults.liquidationFeePartPpm),
  liquidation_fee_max_percent: percentText(marketDefaults.liquidationFeePpmMax),
  liquidation_concession_percent: percentText(marketDefaults.liquidationConcessionPpm),
  liquidation_dry_max: marketDefaults.liquidationDryMax,
  liquidation_step_max: moneyText(marketDefaults.liquidationStepMax),
}
const optionalFields = {
  risk_tiers: optional(changeableFields.risk_tiers),
  owner_interest_max: optional(changeableFields.owner_interest_max),
  funding_samples_min: optional(changeableFields.funding_samples_min),
  stale_after_ms: optional(changeableFields.stale_after_ms),
  observed_within_ms: optional(changeableFields.observed_within_ms),
  min_sources: optional(changeableFields.min_sources),
  liquidation_fee_part_percent: optional(changeableFields.liquidation_fee_part_percent),
  liquidation_fee_max_percent: optional(changeableFields.liquidation_fee_max_percent),
  liquidation_concession_percent: optional(changeableFields.liquidation_concession_percent),
  liquidation_dry_max: optional(changeableFields.liquidation_dry_max),
  liquidation_step_max: optional(changeableFields.liquidation_step_max),
}

export const listingBody = Type.Object({
  symbol: Type.String({ minLength: 1, maxLength: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
  base_asset: Type.String({ minLength: 1, maxLength: 32 }),
  tick_size: decimal('Smallest price step'),
  lot_size: decimal('Smallest size step'),
  isolated_only: Type.Boolean(),
  oracle: decimal('Index price to start with'),
  backstop_address: address('Address of its backstop account; its key should not exist'),
  ...changeableFields,
  ...optionalFields,
})
export type ListingBody = Static<typeof listingBody>

export const changeBody = Type.Object(
  Object.fromEntries(
    Object.entries(changeableFields).map(([name, schema]) => [name, optional(schema)]),
  ),
)

const money = (field: string, text: string) => numberIn(field, text, counted.money) as Quote
const percent = (field: string, text: string) => numberIn(field, text, counted.percent) as Ppm

/** `0.5` is five tenths. */
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

/** `ticksMost`: the most ticks that a price may have. */
export function listingOf(
  body: ListingBody,
  ticksMost: number,
): { params: MarketParams; oracle: number } {
  const tickSize = stepOf('tick_size', body.tick_size, SCALE_MAX - indexDecimals)
  const lotSize = stepOf('lot_size', body.lot_size, SCALE_MAX)
  const given = Object.entries(body).filter(([, written]) => written !== null)
  const whole = { ...listingDefaults, ...Object.fromEntries(given) }
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

/** How a value is parsed, and shown to traders while the change is pending. */
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
  read: (field, written: readonly Static<typeof tier>[]) =>
    written.map((each, at) => ({
      fromValue: money(`${field}[${at}].from_value`, each.from_value),
      maxLeverage: each.max_leverage,
    })),
  write: (value: MarketParams['riskTiers']) =>
    value.map(({ fromValue, maxLeverage }) => {
      return { from_value: moneyText(fromValue), max_leverage: maxLeverage }
    }),
}

type Field = Readonly<{ name: keyof MarketChange; kind: Kind }>

const fields: Readonly<Record<keyof typeof changeableFields, Field>> = {
  min_tick: { name: 'tickMin', kind: inTicks },
  max_tick: { name: 'tickMax', kind: inTicks },
  max_leverage: { name: 'leverageMax', kind: whole },
  min_order_size: { name: 'orderValueMin', kind: inMoney },
  max_order_size: { name: 'orderValueMax', kind: inMoney },
  band_near_percent: { name: 'bandNearPpm', kind: inPercent },
  band_far_percent: { name: 'bandFarPpm', kind: inPercent },
  speedbump_ms: { name: 'speedBumpMs', kind: whole },
  open_interest_cap: { name: 'openInterestMax', kind: inLots },
  owner_interest_max: { name: 'ownerInterestMax', kind: inLots },
  open_interest_lower: { name: 'openInterestLower', kind: inMoney },
  open_interest_upper: { name: 'openInterestUpper', kind: inMoney },
  impact_notional: { name: 'impactValue', kind: inMoney },
  funding_samples_min: { name: 'fundingSamplesMin', kind: whole },
  stale_after_ms: { name: 'staleAfterMs', kind: whole },
  observed_within_ms: { name: 'observedWithinMs', kind: whole },
  min_sources: { name: 'minSources', kind: whole },
  backstop_value_max: { name: 'backstopValueMax', kind: inMoney },
  backstop_daily_loss_max: { name: 'backstopDailyLossMax', kind: inMoney },
  liquidation_fee_part_percent: { name: 'liquidationFeePartPpm', kind: inPercent },
  liquidation_fee_max_percent: { name: 'liquidationFeePpmMax', kind: inPercent },
  liquidation_concession_percent: { name: 'liquidationConcessionPpm', kind: inPercent },
  liquidation_dry_max: { name: 'liquidationDryMax', kind: whole },
  liquidation_step_max: { name: 'liquidationStepMax', kind: inMoney },
  risk_tiers: { name: 'riskTiers', kind: inTiers },
}

export function changeOf(body: Written, steps: Steps): MarketChange {
  const change: Record<string, unknown> = {}
  for (const [field, { name, kind }] of Object.entries(fields)) {
    const written = body[field]
    if (written != null) change[name] = kind.read(field, written as never, steps)
  }
  return change as MarketChange
}

/** The same change as it is written. */
export function changeWire(change: MarketChange, params: MarketParams): MarketChangeWire {
  const written: Record<string, unknown> = {}
  for (const [field, { name, kind }] of Object.entries(fields)) {
    const value = change[name]
    if (value !== undefined) written[field] = kind.write(value as never, params)
  }
  return written as MarketChangeWire
}
