// Which two are one or the other (TRIG-14).

import type { Naive } from '../state.ts'

/** The id of the other leg, or 0. */
export function otherLeg(naive: Naive, id: number): number {
  const pair = naive.legs.find((legs) => legs.includes(id))
  if (!pair) return 0
  return pair[0] === id ? pair[1] : pair[0]
}

/** Gives what was the other leg, or 0. */
export function unlink(naive: Naive, id: number): number {
  const other = otherLeg(naive, id)
  naive.legs = naive.legs.filter((legs) => !legs.includes(id))
  return other
}
