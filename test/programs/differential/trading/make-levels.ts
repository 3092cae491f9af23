// Several levels of a kind (TRIG-12), made of one that was drawn: by the place of the command, so
// that all else is drawn as without them.

import type { Making } from '../making.ts'

type Drawn = Readonly<{ stopPrice: number; size: number | null; clientOrderId: string | null }>

/** Now and then a list of none, one, a few, or more than are allowed. */
export function several<T extends Drawn>(
  { index }: Making,
  level: T | null,
  up: boolean,
): T | null | readonly T[] {
  const turn = Math.floor(index / 3)
  if (level === null) return turn % 5 === 2 ? [] : null
  if (index % 3 !== 1) return level
  const count = [1, 2, 2, 3, 3, 5, 6][turn % 7]!
  const twice = turn % 11 === 0
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return level
    const { stopPrice, size } = level
    const away = at * (1 + (turn % 4)) * (up ? 1 : -1)
    return {
      ...level,
      stopPrice: stopPrice === 0 ? 0 : Math.max(1, stopPrice + away),
      size: size === null ? null : Math.max(1, Math.floor(size / (at + 1))),
      clientOrderId: twice ? level.clientOrderId : null,
    }
  })
}
