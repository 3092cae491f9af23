// Own fills as marks on the bars: one for each bar and side.

import { type Interval, intervalStart } from '../../../units/intervals.ts'

/** What is read of a fill: market, time, size, price, and what it did to the position. */
type MarkedFill = Readonly<{ s: string; t: number; a: string; p: string; ts: string }>

export type FillMark = Readonly<{
  /** Start of the bar, in ms. */
  at: number
  side: 'buy' | 'sell'
  size: number
  value: number
  fills: number
}>

/** Whether a fill bought. Opening a long and closing a short buy. */
const isBuy = ({ ts }: MarkedFill) => ts === 'open_long' || ts === 'close_short'

export function fillMarks(
  fills: readonly MarkedFill[],
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
