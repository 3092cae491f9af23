// Whether the exchange can execute orders, and whether requests may be routed to this process; if
// not, what is missing. `/ready`, the admin API, the console and the metrics all use this, so that
// they agree.

import type { MarketView } from '../../core/index.ts'
import { apartText, causeOf, secondsText } from '../../protocol/words.ts'
import type { Closed, Exchange } from '../exchange.ts'
import { priceAgeOf, sinceNewestEntry, sourcesApartIn } from '../price-health.ts'

export type MarketReadiness = Readonly<{
  symbol: string
  /** Status as in `GET /info`; `not_listed` if the exchange has no such market. */
  status: string
  /** Whether the exchange is ready only if this market is. */
  required: boolean
  /** Whether orders that increase a position are accepted. */
  ready: boolean
  /** Why the market is not ready; `null` if it is. */
  reason: string | null
}>

export type Readiness = Readonly<{
  /** What is missing; `null` if ready. */
  missing: string | null
  markets: readonly MarketReadiness[]
}>

export type ReadinessParts = Readonly<{
  exchange: Pick<Exchange, 'view' | 'closed' | 'wallNow' | 'settings' | 'disputedPrices'>
  /** What this process lacks apart from markets, such as its history; `null` if nothing. */
  missing: string | null
  /** Symbols of the markets that must be ready. If empty, all markets that no operator has
   *  restricted. */
  requireMarkets: readonly string[]
}>

export function readinessOf({ exchange, missing, requireMarkets }: ReadinessParts): Readiness {
  const all = exchange.view.markets.all()
  const sinceMs = sinceNewestEntry(exchange)
  const aheadMs = -sinceMs > aheadMsMax ? -sinceMs : 0
  const markets = all
    .filter(({ settled }) => !settled)
    .map((market) => marketReadiness(market, { exchange, requireMarkets, aheadMs }))
  const unlisted = requireMarkets
    .filter((symbol) => all.every(({ params }) => params.symbol !== symbol))
    .map(notListed)
  const priceless = markets
    .filter(({ required, status }) => required && !acceptsOrders(status))
    .map(({ symbol }) => `${symbol}${disputeIn(exchange, symbol)}`)
  const absent = unlisted.map(({ symbol }) => `no market ${symbol} is listed`)
  const waiting = [
    ...(aheadMs === 0 ? [] : [standsStill(aheadMs)]),
    ...(priceless.length === 0 ? [] : [`no live price for ${priceless.join(', ')}`]),
    ...absent,
  ]
  const ofMarkets = waiting.length === 0 ? null : waiting.join('; ')
  return { missing: exchange.closed() ?? ofMarkets ?? missing, markets: [...markets, ...unlisted] }
}

/** Larger than the corrections of a time daemon. */
const aheadMsMax = 5_000

const standsStill = (aheadMs: number) =>
  `engine time is ${secondsText(aheadMs)} ahead of the clock and stands still until the clock ` +
  'reaches it'

const acceptsOrders = (status: string) => status === 'live' || status === 'catching_up'

/** Explains that a market has no price because its live sources disagree; empty if that is not the
 *  cause. */
function disputeIn(exchange: ReadinessParts['exchange'], symbol: string): string {
  const market = exchange.view.markets.named(symbol)
  const apart = market === undefined ? null : sourcesApartIn(exchange, market)
  return apart === null || apart.has_price ? '' : ` (${apartText(apart)})`
}

type Conditions = Pick<ReadinessParts, 'requireMarkets' | 'exchange'> &
  Readonly<{ aheadMs: number }>

/** A market that an operator restricted (any mode stricter than open) counts as ready. */
function marketReadiness(
  market: MarketView,
  { exchange, requireMarkets, aheadMs }: Conditions,
): MarketReadiness {
  const { status, mode, priceState, params } = market
  const { symbol, staleAfterMs } = params
  const ready = acceptsOrders(status) && aheadMs === 0
  const isNamed = requireMarkets.length === 0 || requireMarkets.includes(symbol)
  const standing = {
    ...{ status, mode, price_state: priceState },
    ...{ price_age_ms: priceAgeOf(exchange, market), stale_after_ms: staleAfterMs },
    sources_apart: sourcesApartIn(exchange, market),
  }
  const restricted = `in mode ${mode}, set by an operator or after a broken invariant`
  const cause = aheadMs === 0 ? causeOf(standing) : `${standsStill(aheadMs)}; no price counts`
  const reason = mode === 'open' ? cause : restricted
  return { symbol, status, required: isNamed && mode === 'open', ready, reason }
}

const notListed = (symbol: string): MarketReadiness => ({
  ...{ symbol, status: 'not_listed', required: true, ready: false },
  reason: 'named by requireMarkets, and the exchange has no such market',
})

/** For load balancers. A node without prices, or a halted one, still serves cancels and reads as
 *  well as any other. A node that is about to stop should receive no more requests. */
export function servingOf(closed: Closed): string | null {
  return closed === 'starting' || closed === 'draining' ? closed : null
}
