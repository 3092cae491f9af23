// Cells of the tables of orders.

import type { Client } from '../../../client/index.ts'
import { formatDecimal, parseDecimal } from '../../../units/decimal.ts'

type OpenOrder = Awaited<ReturnType<Client['getOpenOrders']>>['rows'][number]

/** A stop, or a level of a position: it does not trade itself. */
export function isStopRow({ order_type }: Pick<OpenOrder, 'order_type'>): boolean {
  return order_type.startsWith('stop_') || order_type.startsWith('take_profit_')
}

/** A stop at the market has no price. */
export function priceCell(row: Pick<OpenOrder, 'order_type' | 'price'>): string {
  return isStopRow(row) && row.order_type.endsWith('_market') ? 'market' : row.price
}

/** Order of a level, stop of an order, or the algo. */
export function parentText(
  row: Pick<OpenOrder, 'stop_parent_order_id' | 'parent_order_id'>,
): string | undefined {
  return (row.stop_parent_order_id ?? row.parent_order_id)?.toString()
}

/** Remaining size of a stop whose OCO order was partly filled, and of a triggered one. */
export function leftText(row: OpenOrder): string | undefined {
  const shrank = isStopRow(row) && row.cancelled_amount !== '0'
  if (!shrank && row.triggered !== true) return undefined
  const texts = [row.initial_amount, row.filled_amount, row.cancelled_amount]
  const scale = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const [whole, filled, cut] = texts.map((text) => parseDecimal(text, scale))
  if (!whole?.ok || !filled?.ok || !cut?.ok) return undefined
  return formatDecimal(whole.value - filled.value - cut.value, scale)
}

/** Trailing distance and price, or the price from which on it trails. */
export function trailText({ trailing }: OpenOrder): string | undefined {
  if (trailing === undefined) return undefined
  const { trailing_percent, trailing_distance, activation_price, extreme_price } = trailing
  const behind = trailing_percent === null ? trailing_distance : `${trailing_percent}%`
  if (extreme_price !== null) return `${behind} behind ${extreme_price}`
  return activation_price === null
    ? `${behind}, once its order has filled`
    : `${behind}, from ${activation_price} on`
}
