// Names of related orders by side, kind and price, because users do not know an order by its id.

import { isStop } from '../account/positions.ts'
import { fixed, placesOf } from '../number-text.ts'
import type { OpenOrder } from '../wire.ts'

/** Name of an order, such as `the sell limit at 106,000`; its number if it is no longer open. */
export function nameOf(id: number, open: readonly OpenOrder[]): string {
  const order = open.find(({ i }) => i === id)
  if (order === undefined) return `order ${id}`
  const { kind, side, price } = partsOf(order)
  if (kind === 'trailing') return `the trailing ${side} stop`
  return `the ${side} ${kind}${price === null ? '' : ` at ${price}`}`
}

/** Short name for the label of a line, such as `stop 98,000`, `sell stop 98,000` or `trailing
 *  stop`. The side is included if it differs from that of the line. */
export function shortName(order: OpenOrder, ofSide: OpenOrder['d']): string {
  const { kind, side, price } = partsOf(order)
  const word = order.d === ofSide ? '' : `${side} `
  // The current price of a trailing stop is shown by its own line.
  if (kind === 'trailing') return `trailing ${word}stop`
  return `${word}${kind}${price === null ? '' : ` ${price}`}`
}

/** Describes what a level closes while its order is open and the size of the position is unknown.
 *  Empty if the level has a size. */
export function wholeText({ whole_position, si }: OpenOrder, open: readonly OpenOrder[]): string {
  const parent = open.find(({ i }) => i === si)
  if (whole_position !== true || parent === undefined) return ''
  return Number(parent.f) > 0 ? 'whole position' : 'whole position once armed'
}

function partsOf(order: OpenOrder) {
  const side = order.d === 'bid' ? 'buy' : 'sell'
  const rests = !isStop(order)
  const price = rests ? order.ip : order.sp
  const kind = order.trailing !== undefined ? 'trailing' : rests ? 'limit' : 'stop'
  return { kind, side, price: price == null ? null : fixed(price, placesOf(price)) } as const
}
