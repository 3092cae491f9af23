// Computes what "cancel all" would cancel and keep. As in the exchange, keeping reduce-only orders
// also keeps levels, except for levels of a cancelled order.

import { isStop, isStopLoss, isTakeProfit } from '../account/positions.ts'
import type { OpenOrder } from '../wire.ts'
import type { Work } from './work-rows.ts'

type Counts = Readonly<{
  orders: number
  stops: number
  levels: number
  icebergs: number
  chases: number
  twaps: number
}>

const words: Readonly<Record<keyof Counts, readonly [string, string]>> = {
  orders: ['order', 'orders'],
  stops: ['stop', 'stops'],
  levels: ['TP/SL level', 'TP/SL levels'],
  icebergs: ['iceberg', 'icebergs'],
  chases: ['chase', 'chases'],
  twaps: ['TWAP', 'TWAPs'],
}

/** Text such as `2 orders, 1 TWAP`; empty if there are none. */
export function countsText(counts: Counts): string {
  return Object.entries(words)
    .map(([name, [one, many]]) => [counts[name as keyof Counts], one, many] as const)
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
    .join(', ')
}

const isLevel = (order: OpenOrder) => isTakeProfit(order) || isStopLoss(order)

/** Counts by kind. An order of an algo is counted with the algo. */
export function countsOf({ orders, algos, twaps }: Work): Counts {
  const children = new Set(algos.map(({ child_order_id }) => child_order_id))
  const levels = orders.filter(isLevel).length
  const stops = orders.filter(isStop).length - levels
  const resting = orders.filter((order) => !isStop(order) && !children.has(order.i)).length
  const chases = algos.filter(({ kind }) => kind === 'chase').length
  const icebergs = algos.length - chases
  return { orders: resting, stops, levels, icebergs, chases, twaps: twaps.length }
}

/** Orders and algos that stay if reduce-only orders are kept. */
function spared({ orders, algos, twaps }: Work): Work {
  const stays = new Set(orders.filter((order) => order.ro && !isLevel(order)).map(({ i }) => i))
  const ends = new Set(orders.filter((order) => !isLevel(order) && !order.ro).map(({ i }) => i))
  return {
    orders: orders.filter(
      (order) =>
        stays.has(order.i) || (isLevel(order) && !(order.si !== null && ends.has(order.si))),
    ),
    algos: algos.filter(({ reduce_only }) => reduce_only),
    twaps: twaps.filter(({ reduce_only }) => reduce_only),
  }
}

/** Which orders are cancelled; `null`: of all markets, or of both sides. */
export type CancelScope = Readonly<{
  symbol: string | null
  side: 'bid' | 'ask' | null
  /** Whether reduce-only orders stay. */
  sparing: boolean
}>

/** Work of a market and side, with the levels that are cancelled with their orders. */
function within({ orders, algos, twaps }: Work, { symbol, side }: CancelScope): Work {
  const isIn = (market: string, of: string) =>
    (symbol === null || market === symbol) && (side === null || of === side)
  const its = new Set(orders.filter(({ s, d }) => isIn(s, d)).map(({ i }) => i))
  const comesAlong = (order: OpenOrder) => isLevel(order) && order.si !== null && its.has(order.si)
  return {
    orders: orders.filter((order) => its.has(order.i) || comesAlong(order)),
    algos: algos.filter((algo) => isIn(algo.symbol, algo.side)),
    twaps: twaps.filter((twap) => isIn(twap.symbol, twap.side)),
  }
}

const less = <Row>(rows: readonly Row[], others: readonly Row[]) =>
  rows.filter((row) => !others.includes(row))

/** The orders and algos that are cancelled. */
export function endingWork(work: Work, scope: CancelScope): Work {
  const inside = within(work, scope)
  if (!scope.sparing) return inside
  const stays = spared(inside)
  return {
    orders: less(inside.orders, stays.orders),
    algos: less(inside.algos, stays.algos),
    twaps: less(inside.twaps, stays.twaps),
  }
}

export type CancelPlan = Readonly<{ ends: string; leaves: string }>

export function cancelPlan(work: Work, scope: CancelScope): CancelPlan {
  const ending = endingWork(work, scope)
  const left = {
    orders: less(work.orders, ending.orders),
    algos: less(work.algos, ending.algos),
    twaps: less(work.twaps, ending.twaps),
  }
  const [all, stay] = [countsOf(work), countsOf(left)]
  const ends = {
    orders: all.orders - stay.orders,
    stops: all.stops - stay.stops,
    levels: all.levels - stay.levels,
    icebergs: all.icebergs - stay.icebergs,
    chases: all.chases - stay.chases,
    twaps: all.twaps - stay.twaps,
  }
  return { ends: countsText(ends) || 'nothing', leaves: countsText(stay) }
}
