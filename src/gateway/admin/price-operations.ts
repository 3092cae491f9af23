// Price operations: prices that sources push, and the status of all sources.

import type { MarketView } from '../../core/index.ts'
import { microPriceText } from '../../projections/market-text.ts'
import { ApiError } from '../api-error.ts'
import { indexPricesOf, numberIn } from '../parameters/read-number.ts'
import { percentText } from '../price-health.ts'
import type { AdminAnswers } from './admin-operation.ts'
import type { PricesOfMarket, PushedPrice, RefusedPrice } from './operator.ts'

/** Parses a price in millionths of a tick, or returns why it is invalid. */
function priceIn({ params }: MarketView, text: string): number | string {
  try {
    return numberIn('price', text, indexPricesOf(params.tickSize))
  } catch (error) {
    // An invalid price must not prevent the others from being accepted.
    if (error instanceof ApiError) return error.message.replace(/^[A-Z_]+: /, '')
    throw error
  }
}

function apartPercentOf(words: PricesOfMarket['words']): string | null {
  const fresh = words.filter(({ isFresh }) => isFresh).map(({ price }) => price)
  if (fresh.length < 2) return null
  const lowest = Math.min(...fresh)
  return percentText(Math.max(...fresh) - lowest, lowest)
}

export const priceAnswers = {
  async push_prices({ request, exchange: { view }, operator, by }) {
    const prices: PushedPrice[] = []
    const unread: RefusedPrice[] = []
    for (const { symbol: name, price, observed_at: observedAtMs = null } of request.prices) {
      const market = view.markets.named(name)
      const read = market === undefined ? 'no such market is listed' : priceIn(market, price)
      if (typeof read === 'number') prices.push({ market: market!.id, price: read, observedAtMs })
      else unread.push({ symbol: name, market: market?.id ?? null, reason: read })
    }
    const refused = await operator.pushPrices(by.who, prices, unread)
    const all = [...unread.map(({ symbol: name, reason }) => `${name}: ${reason}`), ...refused]
    return { taken: prices.length - refused.length, refused: all }
  },
  async get_prices({ exchange: { view }, operator }) {
    const { sources, markets, unlisted } = await operator.prices()
    return {
      unlisted: unlisted.map(({ symbol: name, words }) => ({
        symbol: name,
        sources: words.map(({ ageMs, ...word }) => ({ ...word, age_ms: ageMs })),
      })),
      sources: sources.map(({ name, messageAgeMs, priceAgeMs, clockOff, ...source }) => ({
        ...source,
        source: name,
        message_age_ms: messageAgeMs,
        price_age_ms: priceAgeMs,
        clock_off: clockOff,
        refusals: source.refusals.map(({ reason, markets: of }) => ({ markets: [...of], reason })),
        unlisted: [...source.unlisted],
      })),
      markets: markets.flatMap(({ market, price, minSources, latencyMs, words }) => {
        const params = view.markets.get(market)?.params
        if (params === undefined) return []
        return {
          symbol: params.symbol,
          price: price === null ? null : microPriceText(params, price),
          min_sources: minSources,
          fresh_sources: words.filter(({ isFresh }) => isFresh).length,
          apart_percent: apartPercentOf(words),
          latency_ms: latencyMs,
          sources: words.map(({ isFresh, isTimed, ageMs, observedAgeMs, ...word }) => ({
            ...word,
            price: microPriceText(params, word.price),
            age_ms: ageMs,
            observed_age_ms: observedAgeMs,
            timed: isTimed,
            fresh: isFresh,
          })),
        }
      }),
    }
  },
} satisfies Partial<AdminAnswers>
