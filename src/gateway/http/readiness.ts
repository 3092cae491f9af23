// Whether the exchange can serve orders now, and if not, what is missing.

import type { State } from '../../core/engine.ts'
import { allMarkets } from '../../projections/current/markets.ts'
import type { Closed } from '../exchange.ts'

export function readinessOf(state: State, closed: Closed): string | null {
  if (closed !== null) return closed
  const waiting = allMarkets(state)
    .filter(({ status }) => status === 'stale')
    .map(({ params }) => params.symbol)
  return waiting.length === 0 ? null : `no live price for ${waiting.join(', ')}`
}
