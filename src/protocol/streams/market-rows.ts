// What the public channels send.

import { intervals } from '../../units/intervals.ts'
import { book, marketPrices, marketRisk } from '../schemas/market-replies.ts'
import { Type } from '../schemas/typebox.ts'
import {
  at,
  closings,
  decimal,
  kinds,
  li,
  orNull,
  side,
  symbol,
  textOrNull,
  timeMs,
  tradeCauses,
  word,
} from './field-types.ts'

export { book }

export const bookDelta = Type.Object({
  ...book.properties,
  prev: Type.Union([Type.Integer(), Type.Null()], {
    description: '`li` of the frame before; null: this is the whole book, forget what you have',
  }),
  cs: Type.Integer({ description: 'CRC32 of the top 25 levels of both sides after this frame' }),
})

export const bbo = Type.Object({
  s: symbol,
  i: Type.Integer({ description: 'Id of the order that last touched the book, 0: none yet' }),
  t: at,
  b: orNull('Best bid; null: no bids'),
  B: orNull('Size at the best bid'),
  a: orNull('Best ask; null: no asks'),
  A: orNull('Size at the best ask'),
  li,
})

export const trades = Type.Array(
  Type.Object({
    h: Type.Integer({ description: 'History id of the taker' }),
    s: symbol,
    a: decimal('Size'),
    p: decimal('Price'),
    d: word(closings, 'What it did to the position of the taker'),
    e: word(kinds, 'The same, force_close_* when forced'),
    side: side('Side of the taker'),
    tc: word(tradeCauses, 'Why the lots changed hands'),
    u: textOrNull('Address of the taker; null where accounts are not public'),
    c: textOrNull('Address of the maker; null where accounts are not public'),
    t: at,
    li,
  }),
)

export const candle = Type.Object({
  t: timeMs('Start of the interval'),
  T: timeMs('End of the interval'),
  s: symbol,
  i: word(intervals, 'Interval'),
  o: decimal('First price'),
  c: decimal('Last price'),
  h: decimal('Highest price'),
  l: decimal('Lowest price'),
  v: decimal('Size traded, in the base asset; 0 for mark prices'),
  n: Type.Integer({ description: 'Number of trades; 0 for mark prices' }),
})

export const prices = Type.Array(marketPrices)

export const marketStatus = Type.Array(
  Type.Object({ symbol, status: marketRisk.properties.status, timestamp: at }),
)

export const liquidations = Type.Array(
  Type.Object({
    history_id: Type.Integer({ description: 'History id of the record' }),
    symbol,
    side: word(kinds, 'What was closed by force'),
    amount: decimal('Size'),
    price: decimal('Price'),
    cause: word(tradeCauses, 'How: sold to the market, taken by the backstop, or deleveraged'),
    created_at: at,
    li,
  }),
)
