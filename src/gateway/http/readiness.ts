// Whether the exchange can serve orders now, and whether requests are to be sent to this process at
// all; if not, what is missing.

import type { ExchangeView } from '../../core/index.ts'
import type { Closed } from '../exchange.ts'

export function readinessOf(view: ExchangeView, closed: Closed): string | null {
  if (closed !== null) return closed
  const waiting = view.markets
    .all()
    .filter(({ status }) => status === 'stale')
    .map(({ params }) => params.symbol)
  return waiting.length === 0 ? null : `no live price for ${waiting.join(', ')}`
}

/** For what stands in front of several: whoever has no prices or is halted still serves cancels and
 *  reads, and nobody else does it better. Who is about to end is left in time. */
export function servingOf(closed: Closed): string | null {
  return closed === 'starting' || closed === 'draining' ? closed : null
}
