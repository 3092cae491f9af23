// Values of a position that the terminal computes for display. The exchange sends size, entry and
// margin; the profit changes with every mark in between.

import { profitAt } from '../../../client/margin-ratio.ts'
import type { LevelKind } from '../levels/level-rows.ts'
import type { OpenOrder, Position } from '../wire.ts'

export { profitAt }

export type PositionNumbers = Readonly<{
  long: boolean
  size: number
  entry: number
  value: number
  profit: number
  /** Profit over the initial margin at entry. */
  returned: number
}>

export function numbersOf(position: Position, mark: number, leverage: number): PositionNumbers {
  const long = position.d === 'bid'
  const size = Number(position.a)
  const entry = Number(position.p)
  const profit = profitAt(position, mark)
  const margin = (entry * size) / Math.max(1, leverage)
  return {
    long,
    size,
    entry,
    value: mark * size,
    profit,
    returned: margin > 0 ? profit / margin : 0,
  }
}

/** Whether a stop takes profit; its trigger direction decides. It is not one of the position's
 *  levels. */
export const isTakeProfit = ({ ot, trigger_direction }: OpenOrder) =>
  ot.startsWith('take_profit') && trigger_direction === undefined
export const isStopLoss = ({ ot }: OpenOrder) => ot.startsWith('stop_loss')
export const isStop = ({ ot }: Pick<OpenOrder, 'ot'>) => ot !== 'limit' && ot !== 'market'

/** Whether the mark triggers the order from below. The direction of a take-profit is opposite to
 *  that of a stop. */
export const firesAbove = (order: OpenOrder) =>
  order.trigger_direction === undefined
    ? (order.d === 'bid') !== isTakeProfit(order)
    : order.trigger_direction === 'gte'

/** Levels of each kind, in the order in which they were set. */
export type Levels = Readonly<Record<LevelKind, readonly OpenOrder[]>>

/** Levels that protect a position. Excludes the levels of waiting orders and stops. */
export function levelsOf(position: Position, orders: readonly OpenOrder[]): Levels {
  const open = new Set(orders.map(({ i }) => i))
  const its = orders.filter(
    (order) =>
      order.s === position.s &&
      order.d !== position.d &&
      !(order.si !== null && open.has(order.si)),
  )
  const inOrder = its.toSorted((one, other) => one.i - other.i)
  return {
    take_profit: inOrder.filter(isTakeProfit),
    stop_loss: inOrder.filter(isStopLoss),
  }
}

/** Id of the other leg of an OCO; `null` if it is no longer open. */
export function twinOf(order: OpenOrder, orders: readonly OpenOrder[]): number | null {
  const { oco_order_id: twin } = order
  return twin !== undefined && orders.some(({ i }) => i === twin) ? twin : null
}

/** Sets the sizes of levels that close a whole position, because they change without an event. A
 *  level that waits for its order has the size of that order. */
export function sizedBy(
  orders: readonly OpenOrder[],
  positions: readonly Position[],
): readonly OpenOrder[] {
  if (!orders.some(({ whole_position }) => whole_position)) return orders
  const open = new Set(orders.map(({ i }) => i))
  return orders.map((order) => {
    const waits = order.si !== null && open.has(order.si)
    if (order.whole_position !== true || waits) return order
    const position = positions.find(({ s, d }) => s === order.s && d !== order.d)
    return position === undefined || position.a === order.a ? order : { ...order, a: position.a }
  })
}
