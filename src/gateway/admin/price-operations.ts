// Prices: what sources push, and how all sources stand.

import type { MarketView } from '../../core/index.ts'
import { optional, symbol } from '../../protocol/schemas/field-types.ts'
import { Type } from '../../protocol/schemas/typebox.ts'
import { ApiError } from '../api-error.ts'
import { microPriceText } from '../market-text.ts'
import { percentText } from '../price-health.ts'
import { admin } from './admin-operation.ts'
import type { PricesOfMarket, PushedPrice, RefusedPrice } from './operator.ts'
import { indexPricesOf, numberIn } from './read-number.ts'

export const pushPrices = admin({
  name: 'push_prices',
  http: 'POST /prices',
  scope: 'prices',
  summary:
    'Push index prices of this source; several sources are combined. Each price is ' +
    'accepted or refused separately',
  request: Type.Object({
    prices: Type.Array(
      Type.Object({
        symbol,
        price: Type.String({ maxLength: 64, description: 'Index price' }),
        observed_at: optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description:
              'Time of this trade or quote at its source, Unix milliseconds. Without it, or with ' +
              'one after the receipt, the price counts as 500 ms older than its receipt',
          }),
        ),
      }),
      { minItems: 1, maxItems: 256 },
    ),
  }),
  reply: Type.Object({
    taken: Type.Integer(),
    refused: Type.Array(Type.String(), {
      description: 'Each with its market and the reason; `GET /prices` counts and shows them',
    }),
  }),
  async handle({ request, exchange: { view }, operator, by }) {
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
})

/** In millionths of a tick, or why it is none. */
function priceIn({ params }: MarketView, text: string): number | string {
  try {
    return numberIn('price', text, indexPricesOf(params.tickSize))
  } catch (error) {
    // One wrong price must not keep the others out.
    if (error instanceof ApiError) return error.message.replace(/^[A-Z_]+: /, '')
    throw error
  }
}

const count = (description: string) => Type.Integer({ description })
const orNull = <T extends ReturnType<typeof Type.Integer | typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])

const sourceRow = Type.Object({
  source: Type.String({ description: 'Its name: of a token, or of priceSources' }),
  kind: Type.String({ description: 'push, or the configured kind' }),
  state: Type.String({
    description:
      'For a source that is read: connecting, connected, or waiting to retry; otherwise ' + 'push',
  }),
  weight: Type.Integer(),
  message_age_ms: orNull(count('Since anything came; null: nothing has')),
  price_age_ms: orNull(count('Since a price was taken; null: none was')),
  messages: count('Of a connection, since the start'),
  accepted: count('Prices taken since the start'),
  refused: count('Prices that were none, or of a market that is not listed'),
  garbage: count('Malformed or unexpected messages'),
  thinned: count('Messages that were not read because too many came'),
  clock_off: count('Prices whose own time was more than 10 s from ours'),
  reconnects: count('Connections lost and attempts that failed'),
  fault: orNull(
    Type.String({ description: 'Why the last connection was lost, or what was refused' }),
  ),
  refusals: Type.Array(
    Type.Object({
      markets: Type.Array(Type.String(), { description: 'Those whose symbols the reason names' }),
      reason: Type.String(),
    }),
    {
      description:
        'What the source refused on its newest connection, such as a subscription; for a ' +
        'token: its refused prices, until one of the market is accepted',
    },
  ),
  unlisted: Type.Array(Type.String(), {
    description: 'Configured markets that the exchange does not have',
  }),
})

const wordRow = Type.Object({
  source: Type.String(),
  weight: Type.Integer(),
  price: Type.String(),
  age_ms: count('Since its receipt'),
  observed_age_ms: count('Since it was observed: its own time, less 100 ms for clocks'),
  timed: Type.Boolean({ description: 'Whether the source gave the time of the price' }),
  fresh: Type.Boolean({ description: 'Whether it counts now' }),
})

export const getPrices = admin({
  name: 'get_prices',
  http: 'GET /prices',
  scope: 'read',
  summary:
    'Show the status of each price source, its price of each market, and the combined ' + 'prices',
  request: Type.Object({}),
  reply: Type.Object({
    sources: Type.Array(sourceRow),
    markets: Type.Array(
      Type.Object({
        symbol: Type.String(),
        price: orNull(Type.String({ description: 'The combined price; null if there is none' })),
        min_sources: count('Fresh sources that a price needs'),
        fresh_sources: Type.Integer(),
        apart_percent: orNull(
          Type.String({
            description:
              'Distance of the highest from the lowest fresh price, in percent of the lowest; ' +
              'null: fewer than two are fresh',
          }),
        ),
        latency_ms: orNull(
          count('Median age of the price in the last minute; null: not known yet'),
        ),
        sources: Type.Array(wordRow),
      }),
    ),
    unlisted: Type.Array(
      Type.Object({
        symbol: Type.String(),
        sources: Type.Array(
          Type.Object({
            source: Type.String(),
            price: Type.String({ description: 'As the source wrote it' }),
            age_ms: Type.Integer(),
          }),
        ),
      }),
      { description: 'Prices of markets that are configured and not listed' },
    ),
  }),
  async handle({ exchange: { view }, operator }) {
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
})

function apartPercentOf(words: PricesOfMarket['words']): string | null {
  const fresh = words.filter(({ isFresh }) => isFresh).map(({ price }) => price)
  if (fresh.length < 2) return null
  const lowest = Math.min(...fresh)
  return percentText(Math.max(...fresh) - lowest, lowest)
}
