// What the public asks of a market beyond its state: the newest trades, the volume and the oracle
// price of 24 hours ago. Fed by events in the trading thread; kept small.

import type { TradeRow } from './history/history.ts'

export type MarketStatistics = Readonly<{
  /** Newest first. */
  trades(market: number, limit: number): readonly TradeRow[]
  /** Micro-dollars matched in the last 24 hours of engine time. */
  volume24h(market: number, atMs: number): number
  /** Oracle price 24 hours ago in millionths of a tick; the oldest known while younger. */
  oracle24hAgo(market: number, atMs: number): number
}>
