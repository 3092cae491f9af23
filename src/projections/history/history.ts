// The queries of history. Rows have integers in the units of the core (ticks, lots,
// micro-dollars) and ids; the gateway turns them into text. What each row has is in schema/.

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

/** A stretch of the public tape; times inclusive, null: no border there. */
export type TapeQuery = Readonly<{
  limit: number
  startMs: number | null
  endMs: number | null
  /** Only trades with smaller ids; null: the newest too. */
  before: number | null
}>

export type PositionHistoryQuery = Readonly<{
  /** Null: all accounts. */
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
  /** Id of the newest order, chase or iceberg with this client id, else of the newest TWAP, whose
   *  client ids are their own; null when there never was one. `before`: with a lower id. */
  orderOfClientId(
    seq: number,
    account: string,
    clientOrderId: string,
    before?: number | null,
  ): Promise<number | null>
}>

/** Rows of what happened after this seq, newest first. */
export type AfterQuery = Readonly<{ seq: number; limit: number }>

export type CursorPage = Readonly<{ limit: number; before: number | null }>

/** Moments at the multiples of `stepMs` from `startMs` on, and `endMs` itself. */
export type EquityQuery = Readonly<{ startMs: number; endMs: number; stepMs: number }>

/** From `fromMs` on and before `toMs`, both on full minutes: of those the marks are known. Null:
 *  from the beginning, and to the newest row. */
export type StatementQuery = Readonly<{
  fromMs: number | null
  toMs: number | null
  /** The newest line of the page before; null: the first one. */
  after: number | null
  limit: number
}>

/** Candles from the interval that contains `startMs` to the one that contains `endMs`, or as many
 *  of them as wanted. `kind` mark: of the mark price, which has no lots. */
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
  /** Of all accounts, oldest first, after this one. */
  payments(seq: number, page: PaymentPage): Promise<readonly PaymentRow[]>
  /** What a statement of the account is made of (statements/statement.ts). */
  statement(seq: number, account: string, query: StatementQuery): Promise<readonly StatementRow[]>
  /** The steps of one withdrawal, oldest first. */
  paymentsOf(seq: number, withdrawal: number): Promise<readonly PaymentRow[]>
  /** When an account's history begins, null when it has none. */
  beginning(seq: number, account: string): Promise<number | null>
}>

export type TwapHistory = Readonly<{
  /** The cursor is the order id. */
  twaps(seq: number, account: string, page: CursorPage): Promise<readonly TwapRow[]>
  /** Those whose orders rest, the same. */
  algos(seq: number, account: string, page: CursorPage): Promise<readonly AlgoRow[]>
  /** Every step of one, whatever its kind, newest first. */
  algoSteps(seq: number, order: number): Promise<readonly AlgoRow[]>
  /** The same of a TWAP; none of another kind. */
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
  /** Of one market or of all. */
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
