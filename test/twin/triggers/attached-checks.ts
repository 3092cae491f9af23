// Whether levels fit what they come with (TRIG-5, TRIG-13).

import type { Level } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import type { Side } from '../../../src/words/order-words.ts'
import { signOfSide } from '../core/lookup.ts'
import type { Market } from '../state.ts'
import { given, isInt, shown } from '../units/numbers.ts'
import { hasGoodSlip, hasGoodTicks } from './level-words.ts'
import { tooFar } from './trailing.ts'

type Brought = Readonly<{ takeProfit: readonly Level[]; stopLoss: readonly Level[] }>
type Priced = Brought & Readonly<{ market: Market; side: Side; price: bigint | null }>
/** `size` null: of a stop for the whole position. */
type Sized = Brought & Readonly<{ size: bigint | null; reduceOnly: boolean }>

/** `price` null: its price is not known yet, and only the grid and the mark are looked at. */
export function levelTicks(parent: Priced): Rejection | null {
  const { market, side, price } = parent
  const sign = signOfSide(side)
  const directed = [
    ...parent.takeProfit.map((level) => ({ level, direction: sign })),
    ...parent.stopLoss.map((level) => ({ level, direction: -sign })),
  ]
  for (const { level, direction } of directed) {
    if (!hasGoodTicks(market, level)) return refuse('INVALID_STOP_TICK')
    if (level.trail != null) {
      const far = tooFar(level, side === 'bid' ? 'ask' : 'bid', price ?? market.mark)
      if (far) return far
    } else if (price !== null && direction * (BigInt(level.stopPrice) - price) <= 0n) {
      return refuse('INVALID_STOP_TICK', level.stopPrice, shown(price))
    }
  }
  return null
}

/** TRIG-2 */
export function levelSlips(market: Market, levels: readonly Level[]): Rejection | null {
  const bad = levels.find((level) => !hasGoodSlip(market, level))
  return bad ? refuse('INVALID_AMOUNT', given(bad.slippagePpm)) : null
}

export function levelSizes({ takeProfit, stopLoss, size: most, reduceOnly }: Sized) {
  const levels = [...takeProfit, ...stopLoss]
  const max = most === null ? Number.MAX_SAFE_INTEGER : shown(most)
  for (const { size } of levels) {
    if (size == null || (isInt(size) && size >= 1 && size <= max)) continue
    return refuse('INVALID_STOP_ORDER_AMOUNT', given(size), max)
  }
  return levels.length > 0 && reduceOnly ? refuse('INVALID_STOP_ORDER_REDUCE_ONLY') : null
}
