// All reads of the store: the query that runs in the history thread, and the rows that it returns
// to the calling thread.

import type {
  AfterQuery,
  CandleQuery,
  CursorPage,
  EquityQuery,
  MarketStateQuery,
  Page,
  PositionHistoryQuery,
  StatementQuery,
  TapeQuery,
  TradedQuery,
} from './history.ts'
import type { PaymentPage } from './payments/payments.ts'
import type { Cells } from './rows/column.ts'
import { type Packed, packed, type RowOf, unpacked, type WireRow } from './rows/wire-row.ts'
import { algoRow, twapRow } from './schema/algo-table.ts'
import { balanceRow, beginningRow, equityRow } from './schema/balance-table.ts'
import { fillRow, liquidationRow, liquidationStartRow } from './schema/fill-table.ts'
import { fundingPaymentRow, fundingRateRow } from './schema/funding-table.ts'
import {
  candleRow,
  extremesRow,
  marketStateRow,
  minuteRow,
  tradedRow,
  tradeRow,
} from './schema/market-table.ts'
import {
  filledValueRow,
  orderEventRow,
  orderIdRow,
  orderRow,
  orderSeqRow,
  orderStepRow,
} from './schema/order-table.ts'
import { paymentRow } from './schema/payment-table.ts'
import { statementRow } from './schema/statement-table.ts'
import { completeAfterRow, operatorActionRow, stepsCompleteAfterRow } from './schema/store-table.ts'
import type { Tables } from './tables.ts'

type Read<Args extends readonly unknown[], Row> = Readonly<{
  row: WireRow<Row>
  /** Returns the cells of the rows. */
  ask(tables: Tables, ...args: Args): readonly Cells[]
  /** Writes cached rows that the query needs. The query itself writes nothing. */
  before(tables: Tables, ...args: Args): void
}>

function read<Args extends readonly unknown[], Row>(
  row: WireRow<Row>,
  ask: Read<Args, Row>['ask'],
  before: Read<Args, Row>['before'] = () => undefined,
): Read<Args, Row> {
  return { row, ask, before }
}

const reads = {
  positionHistory: read(fillRow, ({ fills }, query: PositionHistoryQuery) => fills.byOffset(query)),
  fills: read(fillRow, ({ fills }, account: string, page: Page) => fills.byCursor(account, page)),
  fillsAfter: read(fillRow, ({ fills }, account: string, query: AfterQuery) =>
    fills.after(account, query),
  ),
  ledgerAfter: read(balanceRow, ({ balances }, account: string, query: AfterQuery) =>
    balances.ledger.after(account, query),
  ),
  /** The seq after which all rows are stored. It never decreases. */
  completeAfter: read(completeAfterRow, ({ completeAfter }) => completeAfter()),
  stepsCompleteAfter: read(stepsCompleteAfterRow, (tables) => tables.stepsCompleteAfter()),
  orderStepsAfter: read(orderStepRow, ({ orderReads }, account: string, query: AfterQuery) =>
    orderReads.after(account, query),
  ),
  twapsAfter: read(twapRow, ({ algos }, account: string, query: AfterQuery) =>
    algos.twapsAfter(account, query),
  ),
  orders: read(orderRow, ({ orderReads }, account: string, page: Page) =>
    orderReads.page(account, page),
  ),
  orderSeqs: read(orderSeqRow, ({ orderReads }, order: number) => orderReads.commandsOf(order)),
  orderEvents: read(orderEventRow, ({ orderReads }, order: number) => orderReads.events(order)),
  /** Id of the newest order, chase or iceberg with this client id. If there is none, id of the
   *  newest TWAP, whose client ids are separate. `before`: only lower ids. */
  orderOfClientId: read(
    orderIdRow,
    ({ orderReads }, account: string, client: string, before?: number | null) =>
      orderReads.ofClientId(account, client, before),
  ),
  filledValues: read(filledValueRow, ({ orderReads }, orders: readonly number[]) =>
    orderReads.filledValues(orders),
  ),
  /** Newest first. */
  trades: read(tradeRow, ({ trades }, market: number, query: TapeQuery) =>
    trades.tape(market, query),
  ),
  /** The minutes from `since` on, and the newest one before it, oldest first. */
  minutes: read(minuteRow, ({ bars }, market: number, since: number) =>
    bars.minutesSince(market, since),
  ),
  /** Extremes of the mark and of trades, from bars of one minute. */
  extremes: read(extremesRow, ({ bars }, market: number, sinceMs: number) =>
    bars.extremes(market, sinceMs),
  ),
  /** Trades of a market at one price. */
  tradedAt: read(tradedRow, ({ trades }, query: TradedQuery) => trades.tradedAt(query)),
  /** Without gaps, oldest first. */
  candles: read(
    candleRow,
    ({ candles }, market: number, query: CandleQuery) => candles.page(market, query),
    ({ bars }, market) => bars.writeLonger(market),
  ),
  /** Without gaps, newest first. */
  marketStates: read(
    marketStateRow,
    ({ marketStates }, market: number, query: MarketStateQuery) => marketStates.page(market, query),
    ({ bars }, market) => bars.writeLonger(market),
  ),
  /** In one market, or in all. */
  liquidations: read(liquidationRow, ({ liquidations }, page: Page) => liquidations.page(page)),
  liquidationStart: read(liquidationStartRow, ({ liquidations }, account: string, upTo: number) =>
    liquidations.started(account, upTo),
  ),
  recentTrades: read(tradeRow, ({ trades }, limit: number) => {
    const newest = { limit, startMs: null, endMs: null, before: null }
    return trades.marketIds().flatMap((market) => trades.tape(market, newest))
  }),
  recentMinutes: read(minuteRow, ({ trades, bars }, since: number) =>
    trades.marketIds().flatMap((market) => bars.minutesSince(market, since)),
  ),
  fundingRates: read(fundingRateRow, ({ funding }, market: number, page: CursorPage) =>
    funding.ratesOf(market, page),
  ),
  fundingPayments: read(fundingPaymentRow, ({ funding }, account: string, page: CursorPage) =>
    funding.paymentsOf(account, page),
  ),
  /** Newest first. */
  operatorActions: read(operatorActionRow, ({ operatorActions }, page: CursorPage) =>
    operatorActions.newest(page),
  ),
  balances: read(balanceRow, ({ balances }, account: string, page: CursorPage) =>
    balances.ledger.of(account, page),
  ),
  /** Of all accounts after this position, oldest first. */
  payments: read(paymentRow, ({ payments }, page: PaymentPage) => payments.after(page)),
  /** The steps of a withdrawal, oldest first. */
  paymentsOf: read(paymentRow, ({ payments }, withdrawal: number) =>
    payments.ofWithdrawal(withdrawal),
  ),
  /** Oldest first. */
  equity: read(equityRow, ({ portfolio }, account: string, query: EquityQuery) =>
    portfolio.curve(account, query),
  ),
  /** The parts of an account's statement (statements/statement.ts). */
  statement: read(statementRow, ({ statements }, account: string, query: StatementQuery) =>
    statements.of(account, query),
  ),
  /** The cursor is the order id. */
  twaps: read(twapRow, ({ algos }, account: string, page: CursorPage) =>
    algos.twapsOf(account, page),
  ),
  /** Algos with resting orders. The cursor is the order id. */
  algos: read(algoRow, ({ algos }, account: string, page: CursorPage) => algos.of(account, page)),
  /** All steps of an algo of any kind, newest first. */
  algoSteps: read(algoRow, ({ algos }, order: number) => algos.lifeOf(order)),
  /** All steps of a TWAP, newest first; empty for other kinds of algos. */
  twapSteps: read(twapRow, ({ algos }, order: number) => algos.stepsOf(order)),
  /** Time at which an account's history begins. */
  beginning: read(beginningRow, ({ portfolio }, account: string) => portfolio.beginning(account)),
}

export type ReadName = keyof typeof reads
export const readNames = Object.keys(reads) as ReadName[]
export type ReadArgs<N extends ReadName> =
  (typeof reads)[N] extends Read<infer Args, unknown> ? Args : never
export type ReadRow<N extends ReadName> = RowOf<(typeof reads)[N]['row']>

export type HistoryRead = Readonly<{ name: ReadName; args: readonly unknown[] }>

/** Called by the writer of the store before the query. */
export function writeFor(tables: Tables, name: ReadName, args: readonly unknown[]): void {
  const { before } = reads[name] as Read<readonly unknown[], unknown>
  before(tables, ...args)
}

/** Runs the query and packs its rows for transfer. Must be called in the thread that owns the
 *  store. */
export function answerOf(tables: Tables, name: ReadName, args: readonly unknown[]): Packed {
  const { row, ask } = reads[name] as Read<readonly unknown[], unknown>
  return packed(row, ask(tables, ...args), (account) => tables.accounts.addressOf(account))
}

/** Called in the calling thread. */
export function rowsOf<N extends ReadName>(name: N, answer: Packed): ReadRow<N>[] {
  return unpacked(reads[name].row as unknown as WireRow<ReadRow<N>>, answer)
}
