// The exchange as read by the feeds: its view and sequence number, both as of the newest durable
// batch, and queries of history for data that is not in memory.

import type { ExchangeView } from '../core/index.ts'
import type { BalanceRow, FillRow, OrderStepRow, TwapRow } from '../projections/history/history.ts'
import type { MarketStatistics } from '../projections/market-statistics.ts'
import type { Checkpoint } from '../protocol/schemas/proofs/receipts.ts'
import type { Interval } from '../units/intervals.ts'

/** Rows of the queries of accounts in history. */
export type PastRows = Readonly<{
  fillsAfter: FillRow
  ledgerAfter: BalanceRow
  orderStepsAfter: OrderStepRow
  twapsAfter: TwapRow
}>
export type PastKind = keyof PastRows

export type CandleKind = 'trade' | 'mark'

/** Prices in ticks; `start` and `end` in milliseconds. */
export type CandleNumbers = Readonly<{
  start: number
  end: number
  open: number
  high: number
  low: number
  close: number
  lots: number
  trades: number
}>

export type CandleQuery = Readonly<{
  market: number
  kind: CandleKind
  interval: Interval
  /** Returns the candle of the interval that contains this engine time. */
  atMs: number
}>

/** A value as of this sequence number. */
export type AsOf<T> = Readonly<{ seq: number; value: T }>

/** Queries the events of an account after the sequence number `from`, once history has read
 *  `until`. */
export type PastQuery = Readonly<{
  address: string
  from: number
  until: number
  limit: number
  /** Only events since this time, including events that were reverted; `null` for any time. */
  sinceMs: number | null
}>

/** Returns rows newest first; `null` if history does not have all of them. */
export type ReadPastRows<Row> = (query: PastQuery) => Promise<readonly Row[] | null>

export type FeedHistory = Readonly<{
  past: { readonly [K in PastKind]: ReadPastRows<PastRows[K]> }
  candle(seq: number, query: CandleQuery): Promise<AsOf<CandleNumbers | null>>
  /** Values in micro-dollars of the fills of these orders, in the same order. */
  filledValues(seq: number, orders: readonly number[]): Promise<AsOf<readonly number[]>>
}>

export type FeedContext = Readonly<{
  view: ExchangeView
  seq(): number
  statistics: MarketStatistics
  history: FeedHistory
  /** Adds a listener for new checkpoints; returns the function that removes it. */
  onCheckpoint(listener: (checkpoint: Checkpoint) => void): () => void
  /** Whether public channels show account addresses. */
  namesAccounts: boolean
}>
