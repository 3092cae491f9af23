// The public channels of markets: subscriptions and frames.

import { intervals } from '../../units/intervals.ts'
import type { Declarations } from './declaration.ts'
import type { Fields } from './fields.ts'

const candle = (is: Fields) =>
  is.object({
    t: is.timeMs('Start of the interval'),
    T: is.timeMs('End of the interval'),
    s: is.symbol,
    i: is.word(intervals, 'Interval'),
    o: is.decimal('First price'),
    c: is.decimal('Last price'),
    h: is.decimal('Highest price'),
    l: is.decimal('Lowest price'),
    v: is.decimal('Size traded, in the base asset; 0 for mark prices'),
    n: is.integer('Number of trades; 0 for mark prices'),
  })

export const marketChannels = {
  book: {
    sources: ['book', 'orderbook'],
    of: 'book',
    sends: 'state',
    summary: 'The best ten levels of a book, at most every 100 ms when they changed',
    data: (is: Fields) => is.book,
  },

  checkpoints: {
    sources: ['checkpoints'],
    of: 'all',
    sends: 'events',
    summary: 'Signed checkpoints of the journal, as in GET /checkpoints; one every ten seconds',
    data: (is: Fields) => is.checkpoint,
  },

  bookDelta: {
    sources: ['book_delta'],
    of: 'symbol',
    sends: 'state',
    inParts: true,
    summary: 'The whole book, then the levels that changed, with a checksum; at most every 50 ms',
    data: (is: Fields) =>
      is.object({
        ...is.book.properties,
        prev: is.integerOrNull(
          '`li` of the previous frame; null: this is the whole book, discard the old one',
        ),
        cs: is.integer('CRC32 of the top 25 levels of both sides after this frame'),
      }),
  },

  bbo: {
    sources: ['bbo'],
    of: 'symbol',
    sends: 'state',
    summary: 'Best bid and ask, on every change of price or size',
    data: (is: Fields) =>
      is.object({
        s: is.symbol,
        i: is.integer('Id of the order that last changed the book; 0: none yet'),
        t: is.at,
        b: is.decimalOrNull('Best bid; null: no bids'),
        B: is.decimalOrNull('Size at the best bid'),
        a: is.decimalOrNull('Best ask; null: no asks'),
        A: is.decimalOrNull('Size at the best ask'),
        li: is.li,
      }),
  },

  trades: {
    sources: ['trades'],
    of: 'symbol',
    sends: 'events',
    summary: 'Trades of a market, one row per match',
    data: (is: Fields) =>
      is.rows({
        h: is.integer('History id of the taker'),
        s: is.symbol,
        a: is.decimal('Size'),
        p: is.decimal('Price'),
        d: is.closing('Effect on the position of the taker'),
        e: is.kind('The same, force_close_* when forced'),
        side: is.side('Side of the taker'),
        tc: is.cause('Cause of the trade'),
        u: is.textOrNull('Address of the taker; null where accounts are not public'),
        c: is.textOrNull('Address of the maker; null where accounts are not public'),
        t: is.at,
        li: is.li,
      }),
  },

  candle: {
    sources: ['candle'],
    of: 'interval',
    sends: 'state',
    summary: 'The candle of the current interval, at most every 100 ms and at its end',
    data: candle,
  },

  markCandle: {
    sources: ['mark_price_candle'],
    of: 'interval',
    sends: 'state',
    summary: 'The same of the mark price',
    data: candle,
  },

  prices: {
    sources: ['prices'],
    of: 'all',
    sends: 'state',
    summary: 'All rows of GET /info/prices, at most every 250 ms when something changed',
    data: (is: Fields) => is.rowsOf(is.marketPrices),
  },

  marketStatus: {
    sources: ['market_status'],
    of: 'all',
    sends: 'events',
    summary: 'Markets whose status, mode, price state or kept tiers changed',
    data: (is: Fields) =>
      is.rows({
        symbol: is.symbol,
        status: is.marketStatus,
        mode: is.marketMode,
        price_state: is.priceState,
        tiers_kept_until: is.tiersKeptUntil,
        timestamp: is.at,
      }),
  },

  liquidations: {
    sources: ['liquidations'],
    of: 'all',
    sends: 'events',
    summary: 'Positions closed by force, on all markets',
    data: (is: Fields) =>
      is.rows({
        history_id: is.integer('History id of the record'),
        symbol: is.symbol,
        side: is.kind('Forced closes'),
        amount: is.decimal('Size'),
        price: is.decimal('Price'),
        cause: is.cause('How: sold to the market, taken by the backstop, or deleveraged'),
        created_at: is.at,
        li: is.li,
      }),
  },
} as const satisfies Declarations
