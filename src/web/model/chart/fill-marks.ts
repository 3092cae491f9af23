// Own fills as marks on the bars: one for each bar and side.

import { type Interval, intervalStart } from '../../../units/intervals.ts'
import { amountText, averageText } from '../number-text.ts'
import type { Fill } from '../wire.ts'

export type FillMark = Readonly<{
  /** Start of the bar, in ms. */
  at: number
  side: 'buy' | 'sell'
  size: number
  value: number
  fills: number
}>

/** Whether a fill bought. Opening a long and closing a short buy. */
const isBuy = ({ ts }: Fill) => ts === 'open_long' || ts === 'close_short'

export function fillMarks(
  fills: readonly Fill[],
  symbol: string,
  interval: Interval,
): readonly FillMark[] {
  const marks = new Map<string, FillMark>()
  for (const fill of fills) {
    if (fill.s !== symbol) continue
    const at = intervalStart(interval, fill.t)
    const side = isBuy(fill) ? 'buy' : 'sell'
    const before = marks.get(`${at} ${side}`)
    marks.set(`${at} ${side}`, {
      at,
      side,
      size: (before?.size ?? 0) + Number(fill.a),
      value: (before?.value ?? 0) + Number(fill.a) * Number(fill.p),
      fills: (before?.fills ?? 0) + 1,
    })
  }
  return [...marks.values()].sort((a, b) => a.at - b.at)
}

/** Such as `Bought 0.5 at 100,012 in 3 fills`. */
export function markText({ side, size, value, fills }: FillMark, places: number): string {
  const amount = amountText(Number(size.toPrecision(12)))
  const price = averageText(value / size, places)
  const count = fills === 1 ? '' : ` in ${fills} fills`
  return `${side === 'buy' ? 'Bought' : 'Sold'} ${amount} at ${price}${count}`
}
