// Determines what is cancelled together with an order: the algo of an order, both legs of an OCO,
// the levels of an order or stop.

import { isStop, isStopLoss, isTakeProfit, twinOf } from '../account/positions.ts'
import { amountText, fixed, wordsOf } from '../number-text.ts'
import type { OpenAlgo, OpenOrder } from '../wire.ts'

type Open = Readonly<{ orders: readonly OpenOrder[]; algos: readonly OpenAlgo[] }>

export type CancelEffect = Readonly<{
  /** Label of the button. */
  button: string
  /** Description of what else is cancelled; empty if nothing is. */
  also: string
}>

export function cancelEffect(id: number, { orders, algos }: Open): CancelEffect {
  const algo = algos.find(({ child_order_id }) => child_order_id === id)
  if (algo !== undefined) {
    const all = `${amountText(algo.filled_amount)} of ${amountText(algo.initial_amount)} filled`
    return { button: `Cancel ${algo.kind}`, also: `The whole ${algo.kind} ends, ${all}.` }
  }
  const order = orders.find(({ i }) => i === id)
  if (order !== undefined && twinOf(order, orders) !== null)
    return { button: 'Cancel both', also: 'Both legs of the OCO end.' }
  const levels = orders.filter((each) => each.si === id && isLevel(each))
  if (order === undefined || levels.length === 0) return { button: 'Cancel', also: '' }
  const its = levels.length === 1 ? 'its level ends' : `its ${levels.length} levels end`
  return { button: 'Cancel with TP/SL', also: `With it ${its}.` }
}

const isLevel = (order: OpenOrder) => isTakeProfit(order) || isStopLoss(order)

/** Describes an order, such as `Buy 0.02 BTC, Limit`; the order of an algo with the algo's whole
 *  size. */
export function cancelledText(id: number, { orders, algos }: Open, tickPlaces: number): string {
  const algo = algos.find(({ order_id }) => order_id === id)
  if (algo !== undefined)
    return `${verb(algo.side)} ${amountText(algo.initial_amount)} ${algo.symbol}, ${algo.kind}.`
  const order = orders.find(({ i }) => i === id)
  if (order === undefined) return ''
  const { d, a, s, ot } = order
  const price = isStop(order) ? order.sp : order.ip
  const at = price === null ? '' : ` at ${fixed(price, tickPlaces)}`
  return `${verb(d)} ${amountText(a)} ${s}, ${wordsOf(ot)}${at}.`
}

const verb = (side: string) => (side === 'bid' ? 'Buy' : 'Sell')
