// Converts the decimals of an order request to ticks and lots, and its enums to those of the
// engine. Values off the grid are rejected here, with the nearest valid values.

import {
  type Level,
  type Levels,
  limits,
  type MarketParams,
  type OrderId,
  type OrderRef,
} from '../../core/index.ts'
import {
  moneyText,
  parseMoney,
  parsePrice,
  parseSize,
  priceText,
  sizeText,
} from '../../projections/market-text.ts'
import type {
  LevelBody,
  LevelsBody,
  OrderRefBody,
  TickLevelBody,
} from '../../protocol/schemas/order-requests.ts'
import { type OptionName, type OptionWords, optionNames } from '../../protocol/words.ts'
import { type Parsed, parseDecimal } from '../../units/decimal.ts'
import type { Lots, Ppm, Quote, Ticks, TimeMs } from '../../units/units.ts'
import type { TriggerBy } from '../../words/order-words.ts'
import { apiError } from '../api-error.ts'
import type { Refusals } from '../operation.ts'
import { nearestOnGrid } from '../parameters/nearest.ts'
import { refusal } from '../refusal.ts'

/** The grid of a market, and the format of the endpoint's errors. */
export type Grid = Readonly<{ params: MarketParams; refusals: Refusals }>

export function ticksOf({ params, refusals }: Grid, field: string, text: string): Ticks {
  const parsed = parsePrice(params, text)
  if (parsed.ok) return parsed.value as Ticks
  const { tickMin, tickMax } = params
  const [least, most] = [priceText(params, tickMin), priceText(params, tickMax)]
  if (parsed.reason === 'too_large')
    throw refusal(
      'INVALID_TICK_LEVEL',
      refusals,
      `${field} ${text} is outside ${least} to ${most}; ` +
        `nearest: ${text.startsWith('-') ? least : most}`,
    )
  const inside = (steps: number) => Math.max(tickMin, Math.min(tickMax, steps))
  const steps = new Set(nearestOnGrid(text, params.tickSize).map(inside))
  const near = [...steps].map((each) => priceText(params, each))
  throw refusal(
    'INVALID_TICK_SIZE',
    refusals,
    `${field} ${text} is not a multiple of the tick size ${priceText(params, 1)}${nearText(near)}`,
  )
}

export function lotsOf({ params, refusals }: Grid, field: string, text: string): Lots {
  const parsed = parseSize(params, text)
  if (parsed.ok && parsed.value > 0) return parsed.value as Lots
  // Below the minimum size there is no smaller valid value.
  const steps = parsed.ok && parsed.value === 0 ? [1] : nearestOnGrid(text, params.lotSize)
  const near = steps.map((each) => sizeText(params, each))
  const offered = isOfOrder(field) && steps.join() === '1' ? leastText(params) : nearText(near)
  throw refusal(
    'INVALID_AMOUNT',
    refusals,
    isTooLarge(text, near)
      ? `${field} ${text} is more than can be counted, ${sizeText(params, Number.MAX_SAFE_INTEGER)}`
      : `${field} ${text} is not a positive multiple of the lot size ${sizeText(params, 1)}` +
          offered,
  )
}

const nearText = (near: readonly string[]) =>
  near.length === 0 ? '' : `; nearest: ${near.join(' or ')}`

const isOfOrder = (field: string) => /^((display_|stop_order\.|legs\[\d\]\.)?amount)$/.test(field)

/** The minimum value of an order, because a single lot would usually be rejected too. */
const leastText = ({ orderValueMin }: MarketParams) =>
  `; an order is worth at least ${moneyText(orderValueMin)} USD`

const isTooLarge = (text: string, near: readonly string[]) =>
  near.length === 0 && /^[0-9.]+$/.test(text)

/** Parses the size of a quote, which may be 0. */
export function quotedLotsOf(grid: Grid, field: string, text: string): Lots {
  const parsed = parseSize(grid.params, text)
  return parsed.ok && parsed.value === 0 ? (0 as Lots) : lotsOf(grid, field, text)
}

export function moneyOf(refusals: Refusals, field: string, text: string): Quote {
  const parsed = parseMoney(text)
  if (parsed.ok) return parsed.value as Quote
  const why =
    parsed.reason === 'too_large'
      ? `is too large: at most ${moneyText(limits.moneyMax as Quote)}`
      : 'is not an amount of money: at most six decimals, such as 12.5'
  throw refusal('INVALID_AMOUNT', refusals, `${field} ${text} ${why}`)
}

type Range = readonly [least: string, most: string]

/** Parses a percentage with up to four decimals: 0.5 is 5,000 ppm. The core rejects values that
 *  are between 0 and 100 but out of range. */
export function percentOf(
  refusals: Refusals,
  field: string,
  text: string,
  [least, most]: Range = ['0', '100'],
): Ppm {
  const parsed: Parsed = parseDecimal(text, 4)
  if (parsed.ok && parsed.value >= 0 && parsed.value <= 1_000_000) return parsed.value as Ppm
  const range = `a percentage from ${least} to ${most} with at most four decimals`
  throw refusal('INVALID_AMOUNT', refusals, `${field} ${text} is not ${range}`)
}

export function levelOf(grid: Grid, field: string, body: LevelBody): Level {
  const { limit_price, amount, client_order_id, trigger_price_type } = body
  return {
    ...watchedOf(grid, field, body),
    limitPrice: limit_price == null ? null : ticksOf(grid, `${field}.limit_price`, limit_price),
    size: amount == null ? null : lotsOf(grid, `${field}.amount`, amount),
    triggerBy: triggerByOf(trigger_price_type),
    clientOrderId: client_order_id ?? null,
    ...stopSlippageOf(grid, field, body),
  }
}

/** Maximum slippage of a stop, in percent: `triggers.slippagePpmMax` of the rules. */
const stopSlippageMax = 10

/** Maximum slippage of the market order of a stop or level (TRIG-3); absent for the default. */
function stopSlippageOf(grid: Grid, field: string, body: LevelBody): Pick<Level, 'slippagePpm'> {
  const { slippage_percent: text, limit_price } = body
  if (text == null) return {}
  const name = `${field}.slippage_percent`
  if (limit_price != null)
    throw apiError(
      'MALFORMED_REQUEST',
      `${name} is of a stop at the market: remove it, or remove limit_price`,
    )
  const slippagePpm = percentOf(grid.refusals, name, text, ['0', `${stopSlippageMax}`])
  if (slippagePpm <= stopSlippageMax * 10_000) return { slippagePpm }
  throw refusal(
    'INVALID_AMOUNT',
    grid.refusals,
    `${name} ${text} is above the maximum of ${stopSlippageMax}`,
  )
}

/** Limits of the trailing percentage, as in the rules: trailing_percent_min and max of
 *  /info/risk. */
const trailRange = ['0.1', '50'] as const

/** Parses a stop price, or the trailing distance that replaces it. */
function watchedOf(grid: Grid, field: string, body: LevelBody): Pick<Level, 'stopPrice' | 'trail'> {
  const { stop_price, trailing_percent, trailing_distance, activation_price } = body
  const ways = [stop_price, trailing_percent, trailing_distance].filter((way) => way != null)
  if (ways.length !== 1)
    throw apiError(
      'MALFORMED_REQUEST',
      `${field} must have exactly one of ${field.startsWith('legs') ? 'price, ' : ''}stop_price, ` +
        'trailing_percent and trailing_distance',
    )
  const ticks = (name: string, text: string | null | undefined) =>
    text == null ? null : ticksOf(grid, `${field}.${name}`, text)
  const activation = ticks('activation_price', activation_price)
  if (stop_price != null) {
    if (activation !== null)
      throw apiError('MALFORMED_REQUEST', `${field}.activation_price is of a level that trails`)
    return { stopPrice: ticksOf(grid, `${field}.stop_price`, stop_price) }
  }
  const ppm =
    trailing_percent == null
      ? null
      : percentOf(grid.refusals, `${field}.trailing_percent`, trailing_percent, trailRange)
  const trail = { distance: ticks('trailing_distance', trailing_distance), ppm, activation }
  return { stopPrice: 0 as Ticks, trail }
}

/** Parses a level in ticks, which the contract's body has. */
export function tickLevelOf(grid: Grid, field: string, body: TickLevelBody): Level {
  const { limit_tick_level, amount } = body
  return {
    stopPrice: body.stop_tick_level as Ticks,
    limitPrice: (limit_tick_level ?? null) as Ticks | null,
    size: amount == null ? null : lotsOf(grid, `${field}.amount`, amount),
    triggerBy: 'mark',
    clientOrderId: null,
  }
}

/** Parses a single level or a list of levels, and keeps its form. */
export function levelsOf(grid: Grid, field: string, body: LevelsBody): Levels {
  if (body == null) return null
  if (!isLevelList(body)) return levelOf(grid, field, body)
  return body.map((one, at) => levelOf(grid, `${field}[${at}]`, one))
}

export function isLevelList<T extends object>(body: T | readonly T[]): body is readonly T[] {
  return Array.isArray(body)
}

function triggerByOf(word: LevelBody['trigger_price_type']): TriggerBy {
  if (word === 'last_trade_price') return 'last'
  return word === 'mid_price' ? 'mid' : 'mark'
}

export function refOf(body: Omit<OrderRefBody, 'symbol'>): OrderRef {
  const order = body.order_id ?? null
  const clientOrderId = body.client_order_id ?? null
  if (order === null && clientOrderId === null)
    throw apiError('MALFORMED_REQUEST', 'order_id or client_order_id is required')
  return { order: order as OrderId | null, clientOrderId }
}

// Rarely used options are absent from commands that do not have them.

type Timed = Readonly<{ expire_time?: number | null | undefined }>
export function expiryOf({ expire_time }: Timed): { expireTime?: TimeMs } {
  return expire_time == null ? {} : { expireTime: expire_time as TimeMs }
}

type Directed = Readonly<{ trigger_direction?: 'gte' | 'lte' | null | undefined }>
export function directionOf({ trigger_direction }: Directed): { up?: boolean } {
  return trigger_direction == null ? {} : { up: trigger_direction === 'gte' }
}

/** The options of a request, with the field names of commands. */
export function optionsOf<T extends OptionWords>(body: T): ChosenOptions<T> {
  const chosen = optionNames.filter((name) => body[name] != null && body[name] !== false)
  return Object.fromEntries(chosen.map((name) => [name, body[name]])) as ChosenOptions<T>
}
type ChosenOptions<T extends OptionWords> = {
  readonly [K in keyof T & OptionName]?: NonNullable<T[K]>
}
