// Trigger prices of trailing stops. The exchange sends no event when they move, so the terminal
// computes them from the marks as the exchange does, starting with the last known value.

import { formatGrid, type GridStep, parseDecimal, parseGrid } from '../../../units/decimal.ts'
import { PPM } from '../../../units/units.ts'
import type { OpenOrder } from '../wire.ts'

type Trail = NonNullable<OpenOrder['trailing']>

/** Returns the order with its best mark and trigger price at this mark; the same object if nothing
 *  changed. */
export function atMark(order: OpenOrder, mark: string, tick: GridStep): OpenOrder {
  const { trailing } = order
  if (trailing === undefined) return order
  const extreme_price = bestOf(order, trailing, mark)
  if (extreme_price === null) return order
  const sp = stopOf(order.d, trailing, extreme_price, tick)
  if (extreme_price === trailing.extreme_price && sp === order.sp) return order
  return { ...order, sp, trailing: { ...trailing, extreme_price } }
}

function bestOf({ d }: OpenOrder, trail: Trail, mark: string): string | null {
  const { extreme_price, activation_price } = trail
  const isBetter = (than: string) =>
    d === 'ask' ? Number(mark) > Number(than) : Number(mark) < Number(than)
  if (extreme_price !== null) return isBetter(extreme_price) ? mark : extreme_price
  const begins =
    activation_price === null || mark === activation_price || isBetter(activation_price)
  return begins ? mark : null
}

/** Trigger price: below the highest mark for a sell, above the lowest for a buy (TRIG-11). */
function stopOf(side: string, trail: Trail, extreme: string, tick: GridStep): string | null {
  const ticks = stepsIn(extreme, tick)
  const { trailing_distance, trailing_percent } = trail
  const sells = side === 'ask'
  const away = trailing_distance === null ? 0 : stepsIn(trailing_distance, tick)
  const share = PPM + scaled(trailing_percent ?? '0') * (sells ? -1 : 1)
  const part = (ticks * share) / PPM
  const stop = sells ? Math.floor(part) - away : Math.ceil(part) + away
  return stop > 0 ? formatGrid(stop, tick) : null
}

function stepsIn(text: string, tick: GridStep): number {
  const parsed = parseGrid(text, tick)
  return parsed.ok ? parsed.value : 0
}

/** Converts percent to parts per million. */
function scaled(percent: string): number {
  const parsed = parseDecimal(percent, 4)
  return parsed.ok ? parsed.value : 0
}
