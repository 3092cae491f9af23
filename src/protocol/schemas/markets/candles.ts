// Candles and the history of funding rates.

import { intervals } from '../../../units/intervals.ts'
import { decimal, optional, symbol, timeMs } from '../field-types.ts'
import { cursor, limitOf, listFormat, listLimit, offset } from '../lists.ts'
import { Type } from '../typebox.ts'

export const CANDLE_LIMIT = 4_000

const interval = Type.Enum([...intervals], {
  description: 'Length: minutes, hours, days (UTC), weeks (from Monday), months (1M, calendar)',
})

export const candlesQuery = Type.Object({
  symbol,
  interval,
  start_time: timeMs('The interval that contains this time is the first'),
  end_time: optional(timeMs('The interval that contains this time is the last; now by default')),
  limit: limitOf({
    maximum: CANDLE_LIMIT,
    default: CANDLE_LIMIT,
    rows: 'candles, counted from the start',
  }),
})

export const candle = Type.Object({
  t: timeMs('Start of the interval'),
  T: timeMs('End of the interval, and start of the next one'),
  s: Type.String({ description: 'Market symbol' }),
  i: interval,
  o: decimal('First price; the last close in an interval without any'),
  c: decimal('Last price'),
  h: decimal('Highest price'),
  l: decimal('Lowest price'),
  v: decimal('Traded size in base units; 0 for mark prices'),
  n: Type.Integer({ description: 'Number of trades; 0 for mark prices' }),
})

export const fundingRatesQuery = Type.Object({
  symbol,
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

export const fundingRate = Type.Object({
  oracle_price: decimal('Index price at which funding was paid'),
  bid_impact_price: Type.Union([decimal('Price'), Type.Null()], {
    description:
      'Average price of selling the impact notional into the last sampled book; null if ' +
      'the book is too thin',
  }),
  ask_impact_price: Type.Union([decimal('Price'), Type.Null()], {
    description: 'Average price of buying it; null if the book is too thin',
  }),
  funding_rate: decimal('Rate of the hour; if positive, longs pay shorts'),
  next_funding_rate: decimal('Rate of the next hour; the newest row has the current estimate'),
  created_at: timeMs('Time at which the rate was fixed'),
})
