// How the exchange stands, for everybody. Made anew once a second at most, however many ask.

import type { ExchangeView } from '../../core/index.ts'
import type { StatusReply } from '../../protocol/schemas/status.ts'
import type { Closed } from '../exchange.ts'
import { incidentsIn } from './incidents.ts'

export function statusOf(view: ExchangeView, closed: Closed): StatusReply {
  const markets = view.markets
    .all()
    .filter(({ settled }) => !settled)
    .map(({ params, status, priceState, priceAgeMs }) => ({
      symbol: params.symbol,
      status,
      feed: priceState,
      price_age_ms: priceAgeMs,
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

/** The same answer for whoever asks within this time. */
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
