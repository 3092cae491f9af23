// The lines on the chart of a market, and the label of each for a price.

import { type Alert, alertSources } from '../alerts.ts'
import type { LevelKind } from '../levels/level-rows.ts'
import { partsOf } from '../levels/position-levels.ts'
import { amountText, shareText, signedPercent, signedUsd, wordsOf } from '../number-text.ts'
import type { OpenAlgo, OpenOrder, Position } from '../wire.ts'
import { shortName } from '../words/order-names.ts'
import {
  isStop,
  isStopLoss,
  isTakeProfit,
  type Levels,
  levelsOf,
  profitAt,
  twinOf,
} from './positions.ts'

export type ChartLine = Readonly<{
  id: string
  kind: 'entry' | 'liquidation' | 'order' | 'stop' | 'take_profit' | 'stop_loss' | 'alert'
  label: string
  price: string
  tone: 'up' | 'down' | 'entry' | 'liquidation' | 'alert'
  drags: boolean
  order: OpenOrder | null
  position: Position | null
  /** Share of the position that a level closes. */
  part?: number
  alert?: Alert
}>

/** Groups of lines and marks that the user can hide. */
export const lineGroups = {
  position: 'Position',
  orders: 'Orders',
  stops: 'Stops, TP and SL',
  alerts: 'Alerts',
  fills: 'Own fills',
} as const

export function lineGroupOf({ kind }: ChartLine): keyof typeof lineGroups {
  if (kind === 'entry' || kind === 'liquidation') return 'position'
  return kind === 'order' ? 'orders' : kind === 'alert' ? 'alerts' : 'stops'
}

/** Lines of the price alerts of a market. A funding rate has no place among prices. */
export function alertLines(symbol: string, alerts: readonly Alert[]): readonly ChartLine[] {
  return alerts
    .filter((alert) => alert.symbol === symbol && alert.source !== 'funding')
    .map((alert) => ({
      id: `alert-${alert.id}`,
      kind: 'alert',
      label: `${alertSources[alert.source]} alert`,
      price: String(alert.level),
      tone: 'alert',
      drags: true,
      order: null,
      position: null,
      alert,
    }))
}

export function linesOf(
  symbol: string,
  positions: readonly Position[],
  orders: readonly OpenOrder[],
  algos: readonly OpenAlgo[] = [],
): readonly ChartLine[] {
  const position = positions.find(({ s }) => s === symbol) ?? null
  const here = orders.filter(({ s }) => s === symbol)
  const lines = position === null ? [] : linesOfPosition(position)
  const levels = position === null ? null : levelsOf(position, orders)
  for (const algo of algos)
    if (algo.symbol === symbol && algo.kind === 'chase') lines.push(boundLine(algo))
  for (const order of here) {
    // A waiting market order has only a worst price, which is not shown.
    if (order.ot === 'market') continue
    const algo = algos.find(({ child_order_id }) => child_order_id === order.i)
    if (algo !== undefined) lines.push(childLine(order, algo))
    else if (!isStop(order)) lines.push(orderLine(order, here))
    // A trailing stop that is not active has no trigger price.
    else if (order.sp === null) continue
    else if (levels?.take_profit.includes(order))
      lines.push(levelLine('take_profit', order, levels, position))
    else if (levels?.stop_loss.includes(order))
      lines.push(levelLine('stop_loss', order, levels, position))
    else
      lines.push(
        isTakeProfit(order) || isStopLoss(order)
          ? attachedLine(order, here)
          : stopLine(order, here),
      )
  }
  return lines
}

function linesOfPosition(position: Position): ChartLine[] {
  const long = position.d === 'bid'
  const entry: ChartLine = {
    id: `entry-${position.s}`,
    kind: 'entry',
    label: `${long ? 'Long' : 'Short'} ${amountText(position.a)}`,
    price: position.p,
    tone: 'entry',
    drags: false,
    order: null,
    position,
  }
  if (position.l === null) return [entry]
  const id = `liquidation-${position.s}`
  return [
    entry,
    {
      ...entry,
      id,
      kind: 'liquidation',
      label: 'Liquidation',
      price: position.l,
      tone: 'liquidation',
    },
  ]
}

const toneOf = ({ d }: OpenOrder) => (d === 'bid' ? ('up' as const) : ('down' as const))

/** Label of an OCO leg, such as `OCO with stop 98,000: Sell 1`. The price of the other leg is in
 *  front, because the order's own price follows the label. */
function paired(order: OpenOrder, orders: readonly OpenOrder[], label: string): string {
  const id = twinOf(order, orders)
  const twin = orders.find(({ i }) => i === id)
  return twin === undefined ? label : `OCO with ${shortName(twin, order.d)}: ${label}`
}

/** Line of an algo's order: the visible size and the whole size. Only the exchange moves it. */
function childLine(order: OpenOrder, { kind, initial_amount }: OpenAlgo): ChartLine {
  const shown = `${order.d === 'bid' ? 'buy' : 'sell'} ${amountText(order.a)}`
  const label = `${wordsOf(kind)} ${shown} of ${amountText(initial_amount)}`
  return { ...orderLine(order, []), label, drags: false }
}

/** Line at the limit price of a chase. */
function boundLine({ order_id, side, price }: OpenAlgo): ChartLine {
  const tone = side === 'bid' ? ('up' as const) : ('down' as const)
  const common = { drags: false, order: null, position: null }
  return { ...common, id: `bound-${order_id}`, kind: 'order', label: 'Chase bound', price, tone }
}

function orderLine(order: OpenOrder, orders: readonly OpenOrder[]): ChartLine {
  const text = `${order.d === 'bid' ? 'Buy' : 'Sell'} ${amountText(order.a)}`
  const label = paired(order, orders, text)
  const drags = order.ot === 'limit'
  const { ip: price } = order
  return {
    id: `order-${order.i}`,
    kind: 'order',
    label,
    price,
    tone: toneOf(order),
    drags,
    order,
    position: null,
  }
}

function stopLine(order: OpenOrder, orders: readonly OpenOrder[]): ChartLine {
  const trails = order.trailing !== undefined
  const word = trails ? 'Trailing' : 'Stop'
  const text = `${word} ${order.d === 'bid' ? 'buy' : 'sell'} ${amountText(order.a)}`
  const label = paired(order, orders, text)
  const price = order.sp ?? '0'
  return {
    id: `stop-${order.i}`,
    kind: 'stop',
    label,
    price,
    tone: toneOf(order),
    // Not movable if the stop trails, or if cancelling it would cancel the other leg.
    drags: !trails && twinOf(order, orders) === null,
    order,
    position: null,
  }
}

/** Line of a level of a waiting order or stop, which cannot be moved separately. */
function attachedLine(order: OpenOrder, orders: readonly OpenOrder[]): ChartLine {
  const parent = orders.find(({ i }) => i === order.si)
  const of = parent !== undefined && isStop(parent) ? 'stop' : 'order'
  const label = `${isTakeProfit(order) ? 'TP' : 'SL'} of ${of} ${order.si ?? ''}`
  return { ...stopLine(order, []), id: `attached-${order.i}`, label, drags: false }
}

/** Line of a level, with its share unless it closes everything. The line's key stays the same when
 *  the level is moved, although the exchange replaces the order. */
function levelLine(
  kind: LevelKind,
  order: OpenOrder,
  levels: Levels,
  position: Position | null,
): ChartLine {
  const gains = kind === 'take_profit'
  const at = levels[kind].indexOf(order)
  const word = gains ? 'TP' : order.trailing === undefined ? 'SL' : 'Trailing SL'
  const part = position === null ? 1 : partsOf(position, kind, levels[kind])[at]!
  return {
    id: `${kind}-${order.s}${at === 0 ? '' : `-${at + 1}`}`,
    kind,
    label: part < 1 ? `${word} ${shareText(part)}` : word,
    part,
    price: order.sp ?? '0',
    tone: gains ? 'up' : 'down',
    drags: order.trailing === undefined,
    order,
    position,
  }
}

/** Note of a price: the profit of the position or of the part that a level closes; for an order,
 *  the distance from the mark. */
export function noteAt(
  { kind, position, part = 1 }: ChartLine,
  price: number,
  mark: number,
): string {
  if (kind === 'entry') return ''
  if (position === null) return mark > 0 ? signedPercent(price / mark - 1) : ''
  return `${signedUsd(profitAt(position, price) * part)} USD`
}
