// Waiting orders and running algos as rows of one table: stops, levels, legs of OCOs, icebergs,
// TWAPs. Plain resting orders have a separate table.

import { isStop, isStopLoss, isTakeProfit, twinOf } from '../account/positions.ts'
import { less } from '../market/market-grid.ts'
import { placesOf, wordsOf } from '../number-text.ts'
import type { OpenAlgo, OpenOrder, OpenTwap } from '../wire.ts'
import { nameOf, wholeText } from '../words/order-names.ts'

export type Work = Readonly<{
  orders: readonly OpenOrder[]
  algos: readonly OpenAlgo[]
  twaps: readonly OpenTwap[]
}>

type Common = Readonly<{
  id: number
  symbol: string
  side: string
  /** Kind of the row, such as `Stop market` or `Iceberg`. */
  kind: string
  reduceOnly: boolean
  size: string
  filled: string
  /** Text shown in place of a size that will change; empty if the size is final. */
  closes: string
  ends: number | null
  /** Order or position that it belongs to; empty if there is none. */
  belongs: string
  since: number
}>

export type WorkRow = Common &
  (
    | Readonly<{ is: 'stop'; order: OpenOrder }>
    | Readonly<{ is: 'algo'; algo: OpenAlgo }>
    | Readonly<{ is: 'twap'; twap: OpenTwap }>
  )

/** All rows, newest first. */
export function workRows({ orders, algos, twaps }: Work): readonly WorkRow[] {
  return [
    ...orders.filter(isStop).map((order) => stopRow(order, orders)),
    ...algos.map((algo) => algoRow(algo, orders)),
    ...twaps.map(twapRow),
  ].sort((one, other) => other.id - one.id)
}

function stopRow(order: OpenOrder, open: readonly OpenOrder[]): WorkRow {
  const { i: id, s: symbol, d: side, ro: reduceOnly, f: filled, t: since } = order
  const kind = order.trailing === undefined ? wordsOf(order.ot) : trailingKind(order)
  const ends = order.expire_time ?? null
  const belongs = belongsTo(order, open)
  const size = leftOf(order)
  const closes = wholeText(order, open)
  const common = { id, symbol, side, kind, reduceOnly, size, filled, closes, ends, belongs, since }
  return { ...common, is: 'stop', order }
}

/** Remaining size. A level shrinks with its position, so its original size may be too large. A stop
 *  itself has no fills; the order that it places has. */
export function leftOf({ a, f, c }: OpenOrder): string {
  const step = { stepValue: 1, stepScale: Math.max(placesOf(a), placesOf(f), placesOf(c)) }
  return less(less(a, f, step), c, step)
}

const trailingKind = (order: OpenOrder) => (isStopLoss(order) ? 'Trailing stop loss' : 'Trailing')

/** Names the other leg, the order or stop it is attached to, or the position that it protects. */
function belongsTo(order: OpenOrder, open: readonly OpenOrder[]): string {
  const twin = twinOf(order, open)
  if (twin !== null) return `OCO with ${nameOf(twin, open)}`
  const parent = open.find(({ i }) => i === order.si)
  if (parent !== undefined) return nameOf(parent.i, open)
  return isTakeProfit(order) || isStopLoss(order) ? 'position' : ''
}

function algoRow(algo: OpenAlgo, open: readonly OpenOrder[]): WorkRow {
  const { child_order_id: child } = algo
  return {
    id: algo.order_id,
    symbol: algo.symbol,
    side: algo.side,
    kind: wordsOf(algo.kind),
    reduceOnly: algo.reduce_only,
    size: algo.initial_amount,
    filled: algo.filled_amount,
    closes: '',
    ends: algo.expire_time,
    belongs: child === null ? '' : `has ${nameOf(child, open)}`,
    since: algo.created_at,
    is: 'algo',
    algo,
  }
}

function twapRow(twap: OpenTwap): WorkRow {
  return {
    id: twap.order_id,
    symbol: twap.symbol,
    side: twap.side,
    kind: 'TWAP',
    reduceOnly: twap.reduce_only,
    size: twap.initial_amount,
    filled: twap.filled_amount,
    closes: '',
    ends: twap.expiration,
    belongs: '',
    since: twap.created_at,
    is: 'twap',
    twap,
  }
}
