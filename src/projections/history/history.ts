// The parameters and rows of the queries of history (reads.ts). Rows contain ids, and integers in
// the units of the core (ticks, lots, micro-dollars); the gateway formats them. schema/ describes
// the rows.

import type { Interval } from '../../units/intervals.ts'
import type { Sight } from '../sight.ts'

export type { AlgoRow, TwapRow } from './schema/algo-table.ts'
export type { BalanceRow, EquityRow } from './schema/balance-table.ts'
export type { FillRow, LiquidationRow } from './schema/fill-table.ts'
export type { FundingPaymentRow, FundingRateRow } from './schema/funding-table.ts'
export type { CandleRow, MarketStateRow, MinuteRow, TradeRow } from './schema/market-table.ts'
export type { OrderEventRow, OrderRow, OrderStepRow } from './schema/order-table.ts'
export type { PaymentRow } from './schema/payment-table.ts'
export type { StatementRow } from './schema/statement-table.ts'
export type { OperatorActionRow } from './schema/store-table.ts'

/** A page, newest first. `before`: cursor, only rows with lower ids. Times are inclusive. */
export type Page = Readonly<{
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  before: number | null
  /** Which orders the reader may see (default: all orders, as for the owner). */
  sight?: Sight
}>

/** A period of the public tape. Times are inclusive; `null` means no limit. */
export type TapeQuery = Readonly<{
  limit: number
  startMs: number | null
  endMs: number | null
  /** Only trades with lower ids; `null` to include the newest. */
  before: number | null
}>

/** Trades of a market at this price, since a time. */
export type TradedQuery = Readonly<{ market: number; price: number; sinceMs: number }>

export type PositionHistoryQuery = Readonly<{
  /** `null` for all accounts. */
  account: string | null
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  offset: number
}>

/** Selects events after this seq, newest first. */
export type AfterQuery = Readonly<{ seq: number; limit: number }>

export type CursorPage = Readonly<{ limit: number; before: number | null }>

/** Selects the multiples of `stepMs` from `startMs` on, and `endMs` itself. */
export type EquityQuery = Readonly<{ startMs: number; endMs: number; stepMs: number }>

/** A period from `fromMs` (inclusive) to `toMs` (exclusive). Both are full minutes, because mark
 *  prices are stored by the minute. `null` means from the beginning, or up to the newest row. */
export type StatementQuery = Readonly<{
  fromMs: number | null
  toMs: number | null
  /** The last line of the previous page; `null` for the first page. */
  after: number | null
  limit: number
}>

/** Candles from the interval that contains `startMs` to the one that contains `endMs`, limited in
 *  number. Candles of kind `mark` are of the mark price and have no volume. */
export type CandleQuery = Readonly<{
  kind: 'trade' | 'mark'
  interval: Interval
  startMs: number
  endMs: number
  limit: number
}>

/** Intervals between `startMs` and `endMs`, including partial ones. `before`: only intervals that
 *  begin earlier. */
export type MarketStateQuery = Readonly<{
  interval: Interval
  startMs: number | null
  endMs: number
  limit: number
  before: number | null
}>

export class HistoryBehind extends Error {}
