// Whether the exchange can serve orders now, and if not, what is missing.

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
