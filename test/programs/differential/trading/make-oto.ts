// Levels that come with a stop (TRIG-13), made of the stop that was drawn: by the place of the
// command, so that all else is drawn as without them.

import type { Making, Side } from '../making.ts'
import { several } from './make-levels.ts'

type Stop = Readonly<{
  side: Side
  reduceOnly: boolean
  level: Readonly<{ stopPrice: number; limitPrice: number | null; size: number | null }>
  mark: number
}>

/** Most stops that may have levels have some; of the others now and then one. */
export function broughtLevels(making: Making, { side, reduceOnly, level, mark }: Stop) {
  const turn = Math.floor(making.index / 2)
  if (making.index % 2 === 1 || turn % (reduceOnly ? 9 : 4) === 1) return {}
  const price = level.limitPrice ?? (level.stopPrice || mark)
  const long = side === 'bid'
  const sign = long ? 1 : -1
  const of = (direction: number, away: number) => ({
    stopPrice: Math.max(1, price + direction * Math.max(1, Math.floor((price * away) / 1_000))),
    limitPrice: null,
    size: sizeOf(level.size, turn),
    triggerBy: turn % 5 === 0 ? 'last' : 'mark',
    clientOrderId: turn % 7 === 0 ? `c${turn % 12}` : null,
  })
  // Now and then on the wrong side.
  const profit = of(turn % 29 === 0 ? -sign : sign, 2 + (turn % 17))
  const loss = { ...of(-sign, 1 + (turn % 13)), ...trailOf(turn, price) }
  return {
    takeProfit: several(making, turn % 3 === 0 ? null : profit, long),
    ...(turn % 16 === 0 ? {} : { stopLoss: several(making, turn % 4 === 0 ? null : loss, !long) }),
  }
}

function sizeOf(size: number | null, turn: number): number | null {
  if (size === null || turn % 3 === 1) return null
  return [size, Math.ceil(size / 2), Math.ceil(size / 3), size + 1][
    turn % 31 === 0 ? 3 : turn % 3
  ] as number
}

/** Now and then one that is as far as the price is high. */
function trailOf(turn: number, price: number) {
  if (turn % 6 !== 2) return {}
  const near = Math.max(1, Math.floor(price / (50 + (turn % 200))))
  const distance = turn % 4 === 0 ? (turn % 5 === 0 ? price : near) : null
  const ppm = distance === null ? [1_000, 5_000, 20_000][turn % 3]! : null
  return {
    stopPrice: 0,
    triggerBy: 'mark',
    clientOrderId: null,
    trail: { distance, ppm, activation: null },
  }
}
