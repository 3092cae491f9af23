// Describes the steps of an algo and their reasons (ALGO-1 to ALGO-3, TRIG-6).

import type { EventOf } from '../../../core/index.ts'
import { formatDecimal } from '../../../units/decimal.ts'
import { type MarketWords, timeOf } from '../explanation.ts'
import type { Found } from '../past.ts'

type AlgoPlaced = EventOf<'AlgoPlaced'>
type OrderPlaced = EventOf<'OrderPlaced'>

export const algoRules: Readonly<Record<AlgoPlaced['kind'], string>> = {
  twap: 'TRIG-6',
  iceberg: 'ALGO-3',
  chase: 'ALGO-2',
}

/** Describes the parameters of an algo. */
export function termsOf(algo: AlgoPlaced, words: MarketWords): string {
  const { kind, side, slippagePpm, expireTime } = algo
  const ordered = `${side} ${words.size(algo.size)}`
  const only = algo.reduceOnly ? ', reduce-only' : ''
  const until = expireTime === 0 ? '' : `, until ${timeOf(expireTime)}`
  const price = words.price(algo.price)
  if (kind === 'chase') {
    const bound = `never ${side === 'bid' ? 'above' : 'below'} ${price}`
    return `${ordered} at the best price, ${bound}${until}${only}`
  }
  if (kind === 'iceberg')
    return `${ordered} at ${price}, ${words.size(algo.display)} at a time${until}${only}`
  const slip = slippagePpm === 0 ? '' : `, slippage to ${formatDecimal(slippagePpm, 4)} %`
  return `${ordered} in ${algo.slices} slices${slip}${only}`
}

/** The step that placed this order; `null` if there is none. */
function stepOf({ parent }: OrderPlaced, { events, at }: Found): EventOf<'AlgoStepped'> | null {
  const step = events
    .slice(0, at)
    .findLast((each) => each.type === 'AlgoStepped' && each.algo === parent)
  return step?.type === 'AlgoStepped' ? step : null
}

/** The order that this one replaces, if an edit placed it. */
function replacedBy(
  { parent }: OrderPlaced,
  { events, at }: Found,
): EventOf<'OrderCancelled'> | null {
  const from = events.findLastIndex(
    (each, index) => index < at && each.type === 'AlgoStepped' && each.algo === parent,
  )
  const old = events
    .slice(from + 1, at)
    .find((each) => each.type === 'OrderCancelled' && each.reason === 'replaced')
  return from !== -1 && old?.type === 'OrderCancelled' ? old : null
}

/** Describes which algo placed this order, at which step, and why. */
export function whyPlaced(
  order: OrderPlaced,
  found: Found,
  algo: AlgoPlaced | null,
  words: MarketWords,
): string {
  const step = stepOf(order, found)?.step
  const name = `${algo?.kind ?? 'algo'} ${order.parent}`
  if (algo?.kind === 'twap') return `${name}, slice ${step} of ${algo.slices}`
  const why = algo === null ? '' : `, ${purposeOf(order, found, algo, words)}`
  return `${name}, step ${step}${why}`
}

/** Purpose of an order of a chase or iceberg. */
export function purposeOf(
  order: OrderPlaced,
  found: Found,
  { kind, price }: AlgoPlaced,
  words: MarketWords,
): string {
  if (kind === 'iceberg') return stepOf(order, found)?.step === 1 ? 'first part' : 'next part'
  const old = replacedBy(order, found)
  const place = order.price === price ? 'at the price limit' : 'at the best price'
  if (old === null) return place
  return `in place of order ${old.order} at ${words.price(old.price)}, ${place}`
}
