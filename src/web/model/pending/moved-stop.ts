// Moves a stop to another price. A stop cannot be edited, so a new stop with its properties
// replaces it. Properties that cannot exist twice are shown to the user before.

import { isTakeProfit } from '../account/positions.ts'
import { oneOrMore } from '../levels/level-rows.ts'
import { conditionOf, sizeOf } from '../levels/position-levels.ts'
import type { MarketGrid } from '../market/market-grid.ts'
import type { LevelBody, OpenOrder, StopBody } from '../wire.ts'

/** A take-profit never trails. */
type ProfitBody = NonNullable<StopBody['take_profit']>

/** Levels attached to the stop. */
const broughtBy = ({ i }: OpenOrder, orders: readonly OpenOrder[]) =>
  orders.filter(({ si }) => si === i).toSorted((one, other) => one.i - other.i)

export function movedStop(
  stop: OpenOrder,
  stop_price: string,
  orders: readonly OpenOrder[],
  { lot }: MarketGrid,
): StopBody {
  const { s: symbol, d: side, ro: reduce_only, expire_time, trigger_direction } = stop
  const bodyOf = (level: OpenOrder): LevelBody => ({
    ...whereOf(level),
    ...conditionOf(level),
    ...sizeOf(level, lot),
  })
  const levels = broughtBy(stop, orders)
  const profits = oneOrMore(levels.filter(isTakeProfit).map(bodyOf))
  const losses = oneOrMore(levels.filter((level) => !isTakeProfit(level)).map(bodyOf))
  return {
    symbol,
    side,
    reduce_only,
    stop_order: {
      stop_price,
      ...conditionOf(stop),
      ...(trigger_direction !== undefined && { trigger_direction }),
      ...sizeOf(stop, lot),
    },
    ...(profits !== undefined && { take_profit: profits as ProfitBody }),
    ...(losses !== undefined && { stop_loss: losses }),
    ...(expire_time !== undefined && { expire_time }),
  }
}

function whereOf({ sp, trailing }: OpenOrder): Partial<LevelBody> {
  if (trailing === undefined) return { stop_price: sp ?? '' }
  const { trailing_percent, trailing_distance } = trailing
  return trailing_percent === null ? { trailing_distance } : { trailing_percent }
}

/** Describes what is lost, because the new stop is placed before the old one is cancelled and
 *  client ids must be unique; empty if nothing is lost. */
export function lostBy(stop: OpenOrder, orders: readonly OpenOrder[]): string {
  const ids = [stop, ...broughtBy(stop, orders)].flatMap(({ I }) => (I === null ? [] : [I]))
  if (ids.length === 0) return ''
  return `Another stop takes its place, without the client id ${ids.join(', ')}.`
}
