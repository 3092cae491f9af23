// The queries of history. Rows contain ids, and integers in the units of the core (ticks, lots,
// micro-dollars); the gateway formats them. schema/ describes the rows.

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

export type PositionHistoryQuery = Readonly<{
  /** `null` for all accounts. */
  account: string | null
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  offset: number
}>

/** Every read first waits until history has reached `seq`. After the wait (default: 250 ms) it
 *  rejects with HistoryBehind. */
export type History = Readonly<{
  positionHistory(seq: number, query: PositionHistoryQuery): Promise<readonly FillRow[]>
  fills(seq: number, account: string, page: Page): Promise<readonly FillRow[]>
  orders(seq: number, account: string, page: Page): Promise<readonly OrderRow[]>
  orderEvents(seq: number, order: number): Promise<readonly OrderEventRow[]>
  /** Id of the newest order, chase or iceberg with this client id. If there is none, id of the
   *  newest TWAP, whose client ids are separate. `null` if there never was one. `before`: only
   *  lower ids. */
  orderOfClientId(
    seq: number,
    account: string,
    clientOrderId: string,
    before?: number | null,
  ): Promise<number | null>
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

/** Further queries of the store. As in `History`, each read waits for the given seq. */
export type MoneyHistory = Readonly<{
  fundingPayments(
    seq: number,
    account: string,
    page: CursorPage,
  ): Promise<readonly FundingPaymentRow[]>
  balances(seq: number, account: string, page: CursorPage): Promise<readonly BalanceRow[]>
  /** Returns equity, oldest first. */
  equity(seq: number, account: string, query: EquityQuery): Promise<readonly EquityRow[]>
  /** Returns payments of all accounts after this position, oldest first. */
  payments(seq: number, page: PaymentPage): Promise<readonly PaymentRow[]>
  /** Returns the parts of an account's statement (statements/statement.ts). */
  statement(seq: number, account: string, query: StatementQuery): Promise<readonly StatementRow[]>
  /** Returns the steps of a withdrawal, oldest first. */
  paymentsOf(seq: number, withdrawal: number): Promise<readonly PaymentRow[]>
  /** Returns the time at which an account's history begins; `null` if it has none. */
  beginning(seq: number, account: string): Promise<number | null>
}>

export type TwapHistory = Readonly<{
  /** Returns TWAPs. The cursor is the order id. */
  twaps(seq: number, account: string, page: CursorPage): Promise<readonly TwapRow[]>
  /** Returns algos with resting orders. The cursor is the order id. */
  algos(seq: number, account: string, page: CursorPage): Promise<readonly AlgoRow[]>
  /** Returns all steps of an algo of any kind, newest first. */
  algoSteps(seq: number, order: number): Promise<readonly AlgoRow[]>
  /** Returns all steps of a TWAP, newest first; empty for other kinds of algos. */
  twapSteps(seq: number, order: number): Promise<readonly TwapRow[]>
}>

export type MarketHistory = Readonly<{
  /** Returns trades, newest first. */
  trades(seq: number, market: number, query: TapeQuery): Promise<readonly TradeRow[]>
  /** Returns the minutes from `since` on, and the newest one before it, oldest first. */
  minutes(seq: number, market: number, since: number): Promise<readonly MinuteRow[]>
  /** Returns candles without gaps, oldest first. */
  candles(seq: number, market: number, query: CandleQuery): Promise<readonly CandleRow[]>
  fundingRates(seq: number, market: number, page: CursorPage): Promise<readonly FundingRateRow[]>
  /** Returns states without gaps, newest first. */
  marketStates(
    seq: number,
    market: number,
    query: MarketStateQuery,
  ): Promise<readonly MarketStateRow[]>
  /** Returns liquidations in one market, or in all. */
  liquidations(seq: number, page: Page): Promise<readonly LiquidationRow[]>
}>

export type OperatorHistory = Readonly<{
  /** Returns the actions of operators before `beforeSeq`, newest first. */
  operatorActions(
    seq: number,
    limit: number,
    beforeSeq: number | null,
  ): Promise<readonly OperatorActionRow[]>
}>

export type AllHistory = History & MoneyHistory & TwapHistory & MarketHistory & OperatorHistory

export class HistoryBehind extends Error {}
