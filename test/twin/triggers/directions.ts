// Which way a trigger fires (TRIG-1, TRIG-10).

import type { Stop } from '../state.ts'

/** A bid stop, a long's take-profit (it sells), a short's stop-loss (it buys): up. */
export function firesUp({ side, kind, up }: Pick<Stop, 'side' | 'kind' | 'up'>): boolean {
  return up ?? (kind === 'take_profit' ? side === 'ask' : side === 'bid')
}
