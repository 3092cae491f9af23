// The public status of the exchange. Computed at most once a second for all callers.

import type { StatusReply } from '../../protocol/schemas/status.ts'
import type { Exchange } from '../exchange.ts'
import { priceAgeOf } from '../price-health.ts'
import { incidentsIn } from './incidents.ts'

type Seen = Pick<Exchange, 'view' | 'closed' | 'settings' | 'wallNow'>

export function statusOf(exchange: Seen): StatusReply {
  const { view } = exchange
  const closed = exchange.closed()
  const markets = view.markets
    .all()
    .filter(({ settled }) => !settled)
    .map((market) => ({
      symbol: market.params.symbol,
      status: market.status,
      feed: market.priceState,
      price_age_ms: priceAgeOf(exchange, market),
    }))
  const incidents = [...incidentsIn(view.notes)]
  const { mode, atMs } = view
  const isWhole =
    mode === 'open' &&
    markets.every(({ status }) => status === 'live') &&
    incidents.every(({ impact, resolved_at }) => impact === 'notice' || resolved_at !== null)
  const status = closed !== null ? 'closed' : isWhole ? 'operational' : 'degraded'
  return { status, closed, mode, at: atMs, markets, incidents }
}

/** Time for which a reply is reused. */
const keptMs = 1_000

export function keptFor<Made>(make: () => Made, now = () => performance.now()): () => Made {
  let made: Made | null = null
  let madeAt = 0
  return () => {
    if (made === null || now() - madeAt >= keptMs) {
      made = make()
      madeAt = now()
    }
    return made
  }
}
