// The tape of markets, and their bars of one minute and longer (tables/bars/bar.ts).

import { causes, fillKinds, sides } from '../../../words/order-words.ts'
import { computed, flag, int, intOrNull, numbers, word } from '../rows/column.ts'
import { type Stored, table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

export const trades = table(
  'trades',
  {
    market: int,
    history: int,
    seq: int,
    at: int,
    kind: word(fillKinds),
    side: word(sides),
    cause: word(causes),
    price: int,
    lots: int,
  },
  { key: ['market', 'history'] },
)

const { columns: trade } = trades

/** A match as shown on the public tape. */
export const tradeRow = wireRow((row) => ({
  history: row.int(trade.history),
  seq: row.int(trade.seq),
  atMs: row.int(trade.at),
  market: row.int(trade.market),
  /** Kind of the first part of the taker's fill: open_long … close_short. */
  kind: row.word(trade.kind),
  /** Side of the taker. */
  side: row.word(trade.side),
  cause: row.word(trade.cause),
  price: row.int(trade.price),
  lots: row.int(trade.lots),
}))
export type TradeRow = RowOf<typeof tradeRow>

const barKinds = {
  level: int,
  market: int,
  /** Start in milliseconds, a multiple of the bar's length. */
  start: int,
  /** In micro-dollars. Only for minutes, because the volume of a busy month may exceed a safe
   *  integer. */
  volume: int,
  lots: int,
  trades: int,
  first: int,
  high: int,
  low: int,
  /** Price of the newest trade, in this interval or earlier. */
  last: int,
  oracle: int,
  mark: int,
  /** Open interest in lots at the end of the interval. */
  openInterest: int,
  markFirst: int,
  markHigh: int,
  markLow: int,
}

export const bars = table('bars', barKinds, { key: ['level', 'market', 'start'] })
export type Bar = Stored<typeof bars>

/** The newest minute of each market as of a snapshot. */
export const savedBars = table(
  'saved_bars',
  { snapshot: int, ...barKinds },
  { key: ['snapshot', 'market'] },
)

const { columns: bar } = bars
const minute = computed(int, `${bar.start.sql} / 60000`)

/** Volume of a minute, and the oracle price (millionths of a tick) at its end. */
export const minuteRow = wireRow((row) => ({
  market: row.int(bar.market),
  /** Minutes since the epoch. */
  minute: row.int(minute),
  volume: row.int(bar.volume),
  trades: row.int(bar.trades),
  oracle: row.int(bar.oracle),
}))
export type MinuteRow = RowOf<typeof minuteRow>

const extreme = (name: string) => computed(intOrNull, name)

/** Highest and lowest prices of some minutes, and the starts of the minutes that have them. `null`
 *  if there was no such price. */
export const extremesRow = wireRow((row) => ({
  markHigh: row.intOrNull(extreme('markHigh')),
  markHighAt: row.intOrNull(extreme('markHighAt')),
  markLow: row.intOrNull(extreme('markLow')),
  markLowAt: row.intOrNull(extreme('markLowAt')),
  high: row.intOrNull(extreme('high')),
  highAt: row.intOrNull(extreme('highAt')),
  low: row.intOrNull(extreme('low')),
  lowAt: row.intOrNull(extreme('lowAt')),
}))
export type ExtremesRow = RowOf<typeof extremesRow>

/** Trades at one price. `isWhole`: whether all trades since the given time are counted. */
export const tradedRow = wireRow((row) => ({
  trades: row.int(computed(int, 'trades')),
  lots: row.int(computed(int, 'lots')),
  isWhole: row.flag(computed(flag, 'whole')),
}))
export type TradedRow = RowOf<typeof tradedRow>

const candle = numbers('startMs', 'endMs', 'open', 'high', 'low', 'close', 'lots', 'trades')

/** A candle with prices in ticks. `endMs` is the start of the next interval. */
export const candleRow = wireRow((row) => ({
  startMs: row.int(candle.startMs),
  endMs: row.int(candle.endMs),
  open: row.int(candle.open),
  high: row.int(candle.high),
  low: row.int(candle.low),
  close: row.int(candle.close),
  lots: row.int(candle.lots),
  trades: row.int(candle.trades),
}))
export type CandleRow = RowOf<typeof candleRow>

const state = numbers('startMs', 'endMs', 'oracle', 'mark', 'openInterest')

/** State of a market at the end of an interval: index price in millionths of a tick, mark price in
 *  ticks, open interest in lots. `startMs` is the cursor. */
export const marketStateRow = wireRow((row) => ({
  startMs: row.int(state.startMs),
  endMs: row.int(state.endMs),
  oracle: row.int(state.oracle),
  mark: row.int(state.mark),
  openInterest: row.int(state.openInterest),
}))
export type MarketStateRow = RowOf<typeof marketStateRow>
