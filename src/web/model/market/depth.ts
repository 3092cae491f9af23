// The part of the book that a market order would take, for the confirmation before it is sent.

import type { Level, Side } from './book-rows.ts'

export type Taking = Readonly<{
  /** Size on the other side of the book within the order's worst price. */
  depth: number
  /** The order's size as a share of `depth`; above 1 the order is larger. */
  share: number
  /** Average price of the available part. */
  average: number
}>

export type Taker = Readonly<{ side: Side; amount: number; mark: number; slippagePercent: number }>

/** Share of the depth above which a market order needs a confirmation. */
export const muchOfDepth = 0.25

/** Distance beyond the mark in percent above which a limit order needs a confirmation, because a
 *  typing error may make it take at every price up to its own. */
export const farPercent = 3

/** Distance of a price beyond the mark in percent; negative where the order would rest. */
export function percentBeyond(side: Side, price: number, mark: number): number {
  if (mark === 0) return 0
  return (price / mark - 1) * (side === 'bid' ? 100 : -100)
}

/** Computes the effect of a market order. `levels` are those of the other side, best first. `null`
 *  if nothing could be taken. */
export function takingOf(levels: readonly Level[], taker: Taker): Taking | null {
  const { side, amount, mark, slippagePercent } = taker
  const sign = side === 'bid' ? 1 : -1
  const worst = mark * (1 + (sign * slippagePercent) / 100)
  let depth = 0
  let taken = 0
  let value = 0
  for (const { price, size } of levels) {
    if ((price - worst) * sign > 0) break
    const part = Math.max(0, Math.min(size, amount - taken))
    depth += size
    taken += part
    value += part * price
  }
  return taken === 0 ? null : { depth, share: amount / depth, average: value / taken }
}
