// The second leg of an OCO is checked as if the first leg were already open (TRIG-14): the first
// leg counts towards limits, uses its client id and holds its lots.

import type { PlaceOrder, PlaceStop } from '../commands/commands.ts'

/** One leg, counted as an open order or stop. */
export type StandingLeg = Readonly<{
  clientOrderId: string | null
  /** 1 for a stop; `trails` is 1 for a trailing stop. */
  stops: number
  trails: number
  /** Lots that count as open on its side. */
  lots: number
}>

export function standing(leg: PlaceOrder | PlaceStop): StandingLeg {
  if (leg.type === 'PlaceStop') {
    const { clientOrderId, trail } = leg.level
    return { clientOrderId, stops: 1, trails: trail == null ? 0 : 1, lots: 0 }
  }
  const { clientOrderId, reduceOnly, size } = leg
  return { clientOrderId, stops: 0, trails: 0, lots: reduceOnly ? 0 : size }
}
