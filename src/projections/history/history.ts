// The queries of history. Rows have integers in the units of the core (ticks, lots, micro-dollars)
// and ids; the gateway turns them into text. schema/ describes the rows.

import type { Interval } from '../../units/intervals.ts'
import type { Sight } from '../sight.ts'
import type { PaymentPage } from './payments/payments.ts'
import type { AlgoRow, TwapRow } from './schema/algo-table.ts'
import type { BalanceRow, EquityRow } from './schema/balance-table.ts'
import type { FillRow, LiquidationRow } from './schema/fill-table.ts'
import type { FundingPaymentRow, FundingRateRow } from './schema/funding-table.ts'
import type { CandleRow, MarketStateRow, MinuteRow, TradeRow } from './schema/market-table.ts'
import type { OrderEventRow, OrderRow, OrderStepRow } from './schema/order-table.ts'
import type { PaymentRow } from './schema/payment-table.ts'
import type { StatementRow } from './schema/statement-table.ts'
import type { OperatorActionRow } from './schema/store-table.ts'

export type {
  AlgoRow,
  BalanceRow,
  CandleRow,
  EquityRow,
  FillRow,
  FundingPaymentRow,
  FundingRateRow,
  LiquidationRow,
  MarketStateRow,
  MinuteRow,
  OperatorActionRow,
  OrderEventRow,
  OrderRow,
  OrderStepRow,
  PaymentRow,
  StatementRow,
  TradeRow,
  TwapRow,
}

/** Newest first. `before`: only rows whose id is below (the cursor); times inclusive. */
export type Page = Readonly<{
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  before: number | null
  /** Which orders the reader may see (default: all, as the owner). */
  sight?: Sight
}>

/** A range of the public tape; times are inclusive, `null` for no limit. */
export type TapeQuery = Readonly<{
  limit: number
  startMs: number | null
  endMs: number | null
  /** Only trades with smaller ids; `null` to include the newest. */
  before: number | null
}>

export type PositionHistoryQuery = Readonly<{
  /** `null` for all accounts. */
  account: string | null
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  offset: number
}>

/** Every read first waits until history has reached `seq` (at most 250 ms, then it rejects with
 *  HistoryBehind). */
export type History = Readonly<{
  positionHistory(seq: number, query: PositionHistoryQuery): Promise<readonly FillRow[]>
  fills(seq: number, account: string, page: Page): Promise<readonly FillRow[]>
  orders(seq: number, account: string, page: Page): Promise<readonly OrderRow[]>
  orderEvents(seq: number, order: number): Promise<readonly OrderEventRow[]>
  /** Id of the newest order, chase or iceberg with this client id, otherwise of the newest TWAP,
   *  whose client ids are separate; `null` if there never was one. `before`: only lower ids. */
  orderOfClientId(
    seq: number,
    account: string,
    clientOrderId: string,
    before?: number | null,
  ): Promise<number | null>
}>

/** Rows of events after this seq, newest first. */
export type AfterQuery = Readonly<{ seq: number; limit: number }>

export type CursorPage = Readonly<{ limit: number; before: number | null }>

/** Moments at the multiples of `stepMs` from `startMs` on, and `endMs` itself. */
export type EquityQuery = Readonly<{ startMs: number; endMs: number; stepMs: number }>

/** From `fromMs` up to but excluding `toMs`, both full minutes, because marks are known for those.
 *  `null` means the beginning, and the newest row. */
export type StatementQuery = Readonly<{
  fromMs: number | null
  toMs: number | null
  /** The last line of the previous page; `null` for the first page. */
  after: number | null
  limit: number
}>

/** Candles from the interval that contains `startMs` to the one that contains `endMs`, limited in
 *  number. `kind` mark: of the mark price, without volume. */
export type CandleQuery = Readonly<{
  kind: 'trade' | 'mark'
  interval: Interval
  startMs: number
  endMs: number
  limit: number
}>

/** Intervals that contain a time from `startMs` to `endMs`; `before`: only those that begin
 *  earlier. */
export type MarketStateQuery = Readonly<{
  interval: Interval
  startMs: number | null
  endMs: number
  limit: number
  before: number | null
}>

/** Further queries of the store; as in `History`, each read names the seq that it waits for. */
export type MoneyHistory = Readonly<{
  fundingPayments(
    seq: number,
    account: string,
    page: CursorPage,
  ): Promise<readonly FundingPaymentRow[]>
  balances(seq: number, account: string, page: CursorPage): Promise<readonly BalanceRow[]>
  /** Oldest first. */
  equity(seq: number, account: string, query: EquityQuery): Promise<readonly EquityRow[]>
  /** Of all accounts, oldest first, after this position. */
  payments(seq: number, page: PaymentPage): Promise<readonly PaymentRow[]>
  /** The parts of an account's statement (statements/statement.ts). */
  statement(seq: number, account: string, query: StatementQuery): Promise<readonly StatementRow[]>
  /** The steps of one withdrawal, oldest first. */
  paymentsOf(seq: number, withdrawal: number): Promise<readonly PaymentRow[]>
  /** Time at which an account's history begins; `null` if it has none. */
  beginning(seq: number, account: string): Promise<number | null>
}>

export type TwapHistory = Readonly<{
  /** The cursor is the order id. */
  twaps(seq: number, account: string, page: CursorPage): Promise<readonly TwapRow[]>
  /** Algos whose orders rest, likewise. */
  algos(seq: number, account: string, page: CursorPage): Promise<readonly AlgoRow[]>
  /** Every step of one algo of any kind, newest first. */
  algoSteps(seq: number, order: number): Promise<readonly AlgoRow[]>
  /** Every step of a TWAP; empty for other kinds. */
  twapSteps(seq: number, order: number): Promise<readonly TwapRow[]>
}>

export type MarketHistory = Readonly<{
  /** Newest first. */
  trades(seq: number, market: number, query: TapeQuery): Promise<readonly TradeRow[]>
  /** Oldest first: rows from this minute on, and the newest one before it. */
  minutes(seq: number, market: number, since: number): Promise<readonly MinuteRow[]>
  /** Oldest first and without a gap. */
  candles(seq: number, market: number, query: CandleQuery): Promise<readonly CandleRow[]>
  fundingRates(seq: number, market: number, page: CursorPage): Promise<readonly FundingRateRow[]>
  /** Newest first and without a gap. */
  marketStates(
    seq: number,
    market: number,
    query: MarketStateQuery,
  ): Promise<readonly MarketStateRow[]>
  /** Of one market or of all markets. */
  liquidations(seq: number, page: Page): Promise<readonly LiquidationRow[]>
}>

export type OperatorHistory = Readonly<{
  /** Newest first; only those before `beforeSeq`. */
  operatorActions(
    seq: number,
    limit: number,
    beforeSeq: number | null,
  ): Promise<readonly OperatorActionRow[]>
}>

export type AllHistory = History & MoneyHistory & TwapHistory & MarketHistory & OperatorHistory

export class HistoryBehind extends Error {}
