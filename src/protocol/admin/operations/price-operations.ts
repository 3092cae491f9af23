// Prices: what sources push, and the status of all sources.

import { count, optional, orNull, symbol, text } from '../../schemas/field-types.ts'
import { Type } from '../../schemas/typebox.ts'
import type { AdminRows } from '../admin-row.ts'

const sourceRow = Type.Object({
  source: text('Name of the token or of the entry of priceSources'),
  kind: text('push, or the configured kind'),
  state: text(
    'For a source that is read: connecting, connected, or waiting to retry; otherwise push',
  ),
  weight: count(),
  message_age_ms: orNull(count('Time since the last message; null if there was none')),
  price_age_ms: orNull(count('Time since the last accepted price; null if there was none')),
  messages: count('Messages of a connection since startup'),
  accepted: count('Prices accepted since startup'),
  refused: count('Invalid prices, and prices of markets that are not listed'),
  garbage: count('Malformed or unexpected messages'),
  thinned: count('Messages skipped because too many arrived'),
  clock_off: count('Prices whose own time was more than 10 s from ours'),
  reconnects: count('Lost connections and failed attempts to connect'),
  fault: orNull(text('Reason why the last connection was lost, or a request was refused')),
  refusals: Type.Array(
    Type.Object({
      markets: Type.Array(text(), { description: 'Markets to which the refusal applies' }),
      reason: text(),
    }),
    {
      description:
        'What the source refused on its newest connection, such as a subscription; for a ' +
        'token: its refused prices, until one of the market is accepted',
    },
  ),
  unlisted: Type.Array(text(), {
    description: 'Configured markets that the exchange does not have',
  }),
})

const wordRow = Type.Object({
  source: text(),
  weight: count(),
  price: text(),
  age_ms: count('Time since it was received'),
  observed_age_ms: count(
    'Time since it was observed by its own timestamp, less 100 ms for clock differences',
  ),
  timed: Type.Boolean({ description: 'Whether the source gave the time of the price' }),
  fresh: Type.Boolean({ description: 'Whether it is used now' }),
})

export const priceOperations = {
  push_prices: {
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
                'Time of this trade or quote at its source, Unix milliseconds. Without it, or ' +
                'with one after the receipt, the price counts as 500 ms older than its receipt',
            }),
          ),
        }),
        { minItems: 1, maxItems: 256 },
      ),
    }),
    reply: Type.Object({
      taken: count(),
      refused: Type.Array(text(), {
        description: 'Refused prices with market and reason; `GET /prices` also shows them',
      }),
    }),
  },
  get_prices: {
    http: 'GET /prices',
    scope: 'read',
    summary:
      'Show the status of each price source, its price of each market, and the combined ' +
      'prices',
    request: Type.Object({}),
    reply: Type.Object({
      sources: Type.Array(sourceRow),
      markets: Type.Array(
        Type.Object({
          symbol: text(),
          price: orNull(text('Combined price; null if there is none')),
          min_sources: count('Minimum number of fresh sources for a price'),
          fresh_sources: count(),
          apart_percent: orNull(
            text(
              'Distance of the highest from the lowest fresh price, in percent of the lowest; ' +
                'null if fewer than two are fresh',
            ),
          ),
          latency_ms: orNull(
            count('Median age of the price in the last minute; null if not known yet'),
          ),
          sources: Type.Array(wordRow),
        }),
      ),
      unlisted: Type.Array(
        Type.Object({
          symbol: text(),
          sources: Type.Array(
            Type.Object({
              source: text(),
              price: text('Price in the form the source sent'),
              age_ms: count(),
            }),
          ),
        }),
        { description: 'Prices of markets that have sources but are not listed' },
      ),
    }),
  },
} as const satisfies AdminRows
