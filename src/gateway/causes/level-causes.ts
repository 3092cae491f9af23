// Finds the invalid field of a stop or level, and what would be accepted.

import type { BatchAction, Command, MarketParams, RuleLimits } from '../../core/index.ts'
import { priceText, sizeText } from '../../projections/market-text.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { type NamedLevel, namedLevels } from './named-levels.ts'

const words = { mark: 'mark_price', last: 'last_trade_price', mid: 'mid_price' } as const

/** Explains which option a trailing stop or level cannot have. */
export function trailCause(command: Command | BatchAction): string | null {
  for (const { field, level, isTakeProfit, up } of namedLevels(command)) {
    if (level.trail == null) continue
    if (isTakeProfit)
      return `${field} trails, which stops and stop-losses alone may do; give it a stop_price`
    if (level.limitPrice !== null)
      return `${field} trails and makes a market order; leave its limit_price out`
    if (level.triggerBy !== 'mark')
      return (
        `${field} trails and follows the mark alone; leave its trigger_price_type ` +
        `${words[level.triggerBy]} out`
      )
    if (up != null)
      return (
        `${field} trails: a bid fires when the mark rises, an ask when it falls; leave its ` +
        `trigger_direction ${up ? 'gte' : 'lte'} out`
      )
  }
  return null
}

/** Explains which number is outside its range; `null` if there is none. */
export function rangeCause(
  command: Command | BatchAction,
  params: MarketParams,
  limits: RuleLimits,
): string | null {
  const price = (ticks: number) => priceText(params, ticks)
  const { tickMin, tickMax } = params
  const outside = (field: string, ticks: number | null, min: number = tickMin) =>
    ticks === null || (ticks >= min && ticks <= tickMax)
      ? null
      : `${field} ${price(ticks)} is outside ${price(min)} to ${price(tickMax)}`
  for (const { field, level } of namedLevels(command)) {
    const { stopPrice, limitPrice, trail } = level
    const found =
      trail == null
        ? (outside(`${field}.stop_price`, stopPrice) ?? outside(`${field}.limit_price`, limitPrice))
        : (percentCause(field, trail.ppm, limits) ??
          outside(`${field}.trailing_distance`, trail.distance, 1) ??
          outside(`${field}.activation_price`, trail.activation))
    if (found !== null) return found
  }
  return null
}

function percentCause(field: string, ppm: number | null, limits: RuleLimits): string | null {
  const { trailPpmMin: min, trailPpmMax: max } = limits
  if (ppm === null || (ppm >= min && ppm <= max)) return null
  const percent = (value: number) => formatDecimal(value, 4)
  const range = `${percent(min)} to ${percent(max)}`
  return `${field}.trailing_percent ${percent(ppm)} is outside ${range} percent`
}

/** The trigger price that is already reached, for a level, an OCO leg, or a stop with a
 *  direction. */
export function reachedCause(
  command: Command | BatchAction,
  params: MarketParams,
  stop: number,
  now: number,
): string | null {
  const found = namedLevels(command).find(
    ({ level }) => level.trail == null && level.stopPrice === stop,
  )
  if (found === undefined) return null
  const { field, level, up } = found
  if (field === 'stop_order' && up == null) return null
  const [given, there] = [priceText(params, stop), priceText(params, now)]
  const reached = `${field}: stop price ${given} is reached already`
  if (up == null) {
    const above = stop === now ? firesAbove(command, found) : stop < now
    const accepted = above === null ? '' : `; one ${above ? 'above' : 'below'} ${there} is accepted`
    return `${reached} or on the wrong side of the price ${there}${accepted}`
  }
  const [side, other] = up ? ['above', 'lte'] : ['below', 'gte']
  return (
    `${reached}: it fires at or ${side} that (trigger_direction ${up ? 'gte' : 'lte'}), and ` +
    `${words[level.triggerBy]} is ${there}; a stop_price ${side} ${there} is accepted, or ` +
    `trigger_direction ${other}`
  )
}

/** Whether the level triggers above its price; `null` if only the position determines this. */
function firesAbove(command: Command | BatchAction, { field, isTakeProfit }: NamedLevel) {
  if (command.type === 'PlaceOco') {
    const leg = command.legs.find((_, at) => field === `legs[${at}]`)
    return leg === undefined ? null : leg.side === 'bid'
  }
  if (command.type === 'SetPositionTpsl' || !('side' in command)) return null
  return isTakeProfit === (command.side === 'bid')
}

/** Explains that a size is missing, or exceeds that of the position or order. */
export function sizeCause(
  command: Command | BatchAction,
  params: MarketParams,
  given: number,
  max: number,
): string | null {
  const size = (lots: number) => `${sizeText(params, lots)} ${params.baseAsset}`
  if (command.type === 'PlaceOco')
    return (
      `the stop is for ${size(given)} and the order for ${size(max)}: an order and a stop of ` +
      'which one happens have the same amount'
    )
  if (command.type === 'PlaceStop' && command.level.size === null)
    return 'stop_order.amount is required unless reduce_only is true: then all of it is closed'
  const found = namedLevels(command).find(({ level }) => level.size === given && given > max)
  if (found === undefined) return null
  const whole = command.type === 'SetPositionTpsl' ? 'position' : 'order'
  return `${found.field}.amount ${size(given)} is more than the ${whole} of ${size(max)}`
}

type NamedId = Readonly<{ field: string; id: string }>

/** All client ids of a request: of the order, its levels, and its legs. */
export function namedIds(command: Command | BatchAction): readonly NamedId[] {
  const own = 'clientOrderId' in command ? command.clientOrderId : null
  const resting =
    command.type !== 'PlaceOco'
      ? []
      : command.legs.map((leg, at) => ({
          field: `legs[${at}]`,
          id: 'level' in leg ? null : leg.clientOrderId,
        }))
  const levels = namedLevels(command).map(({ field, level }) => ({
    field,
    id: level.clientOrderId,
  }))
  return [{ field: 'the order', id: own }, ...resting, ...levels].flatMap(({ field, id }) =>
    id == null ? [] : [{ field, id }],
  )
}

/** The duplicate client id and the fields that have it; `null` if there is none. */
export function repeatedCause(ids: readonly NamedId[]): string | null {
  const seen = new Map<string, string>()
  for (const { field, id } of ids) {
    const before = seen.get(id)
    if (before !== undefined)
      return `client_order_id ${id} stands twice, in ${before} and in ${field}; use another`
    seen.set(id, field)
  }
  return null
}
