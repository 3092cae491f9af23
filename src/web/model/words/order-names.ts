// What another order is called where it is told what an order belongs to: by its side, its kind and
// its price, because nobody knows an order by its number.

import { isStop } from '../account/positions.ts'
import { fixed, placesOf } from '../number-text.ts'
import type { OpenOrder } from '../wire.ts'

/** `the sell limit at 106,000`; by its number where it is not there any more. */
export function nameOf(id: number, open: readonly OpenOrder[]): string {
  const order = open.find(({ i }) => i === id)
  if (order === undefined) return `order ${id}`
  const { kind, side, price } = partsOf(order)
  if (kind === 'trailing') return `the trailing ${side} stop`
  return `the ${side} ${kind}${price === null ? '' : ` at ${price}`}`
}

/** `stop 98,000`, `sell stop 98,000`, `trailing stop`: short enough for the label of a line. The
 *  side is told where it is not that of the line itself. */
export function shortName(order: OpenOrder, ofSide: OpenOrder['d']): string {
  const { kind, side, price } = partsOf(order)
  const word = order.d === ofSide ? '' : `${side} `
  // Where a trail has come to is told by its own line.
  if (kind === 'trailing') return `trailing ${word}stop`
  return `${word}${kind}${price === null ? '' : ` ${price}`}`
}

/** What a level for everything closes, while it waits for the order that brings it: nobody knows
 *  yet how large the position is then. Empty: its size is known. */
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
