// Everything that can be asked of the store: what the history thread does, and how the answer
// becomes rows again in the thread that asked.

import type {
  BalanceRow,
  CandleQuery,
  CandleRow,
  CursorPage,
  DeedRow,
  EquityQuery,
  EquityRow,
  FillRow,
  FundingPaymentRow,
  FundingRateRow,
  MinuteRow,
  OrderEventRow,
  OrderRow,
  Page,
  PositionHistoryQuery,
  TapeQuery,
  TradeRow,
  TwapRow,
} from './history.ts'
import type { PackedRow } from './packed.ts'
import type { Cells } from './projection.ts'
import type { Tables } from './tables.ts'

type Read<Args extends readonly unknown[], Row> = Readonly<{
  ask(tables: Tables, ...args: Args): readonly Cells[]
  row(cells: PackedRow): Row
}>

function read<Args extends readonly unknown[], Row>(one: Read<Args, Row>): Read<Args, Row> {
  return one
}

export const reads = {
  positionHistory: read({
    ask: ({ fills }, query: PositionHistoryQuery) => fills.byOffset(query),
    row: fillRow,
  }),
  fills: read({
    ask: ({ fills }, account: string, page: Page) => fills.byCursor(account, page),
    row: fillRow,
  }),
  orders: read({
    ask: ({ orderReads }, account: string, page: Page) => orderReads.page(account, page),
    row: orderRow,
  }),
  orderEvents: read({
    ask: ({ orderReads }, order: number) => orderReads.events(order),
    row: orderEventRow,
  }),
  orderOfClientId: read({
    ask: ({ orderReads }, account: string, client: string) =>
      orderReads.ofClientId(account, client),
    row: (cells) => cells.number(0),
  }),
  filledValues: read({
    ask: ({ orderReads }, orders: readonly number[]) => orderReads.filledValues(orders),
    row: (cells) => cells.number(0),
  }),
  trades: read({
    ask: ({ trades }, market: number, query: TapeQuery) => trades.tape(market, query),
    row: tradeRow,
  }),
  minutes: read({
    ask: ({ bars }, market: number, since: number) => bars.minutesSince(market, since),
    row: minuteRow,
  }),
  candles: read({
    ask: ({ candles }, market: number, query: CandleQuery) => candles.page(market, query),
    row: (cells): CandleRow => ({
      startMs: cells.number(0),
      endMs: cells.number(1),
      open: cells.number(2),
      high: cells.number(3),
      low: cells.number(4),
      close: cells.number(5),
      lots: cells.number(6),
      trades: cells.number(7),
    }),
  }),
  recentTrades: read({
    ask: ({ trades }, limit: number) => {
      const newest = { limit, startMs: null, endMs: null }
      return trades.marketIds().flatMap((market) => trades.tape(market, newest))
    },
    row: tradeRow,
  }),
  recentMinutes: read({
    ask: ({ trades, bars }, since: number) =>
      trades.marketIds().flatMap((market) => bars.minutesSince(market, since)),
    row: minuteRow,
  }),
  fundingRates: read({
    ask: ({ funding }, market: number, page: CursorPage) => funding.ratesOf(market, page),
    row: (cells): FundingRateRow => ({
      epoch: cells.number(0),
      atMs: cells.number(1),
      market: cells.number(2),
      rate: cells.number(3),
      oracle: cells.number(4),
      impactBid: cells.number(5),
      impactAsk: cells.number(6),
      nextRate: cells.numberOrNull(7),
    }),
  }),
  fundingPayments: read({
    ask: ({ funding }, account: string, page: CursorPage) => funding.paymentsOf(account, page),
    row: (cells): FundingPaymentRow => ({
      id: cells.number(0),
      atMs: cells.number(1),
      account: cells.text(2),
      market: cells.number(3),
      lots: cells.number(4),
      payment: cells.number(5),
      rate: cells.number(6),
    }),
  }),
  deeds: read({
    ask: ({ deeds }, page: CursorPage) => deeds.newest(page),
    row: (cells): DeedRow => ({
      seq: cells.number(0),
      atMs: cells.number(1),
      who: cells.text(2),
      why: cells.text(3),
      what: cells.text(4),
      command: cells.text(5),
    }),
  }),
  balances: read({
    ask: ({ balances }, account: string, page: CursorPage) => balances.of(account, page),
    row: (cells): BalanceRow => ({
      id: cells.number(0),
      atMs: cells.number(1),
      account: cells.text(2),
      event: cells.text(3),
      amount: cells.number(4),
      balance: cells.number(5),
      pending: cells.number(6),
    }),
  }),
  equity: read({
    ask: ({ portfolio }, account: string, query: EquityQuery) => portfolio.curve(account, query),
    row: (cells): EquityRow => ({
      atMs: cells.number(0),
      equity: cells.number(1),
      pnl: cells.number(2),
    }),
  }),
  twaps: read({
    ask: ({ twaps }, account: string, page: CursorPage) => twaps.of(account, page),
    row: twapRow,
  }),
  twapSteps: read({ ask: ({ twaps }, order: number) => twaps.stepsOf(order), row: twapRow }),
  beginning: read({
    ask: ({ portfolio }, account: string) => portfolio.beginning(account),
    row: (cells) => cells.number(0),
  }),
}

export type ReadName = keyof typeof reads
export type ReadArgs<N extends ReadName> =
  (typeof reads)[N] extends Read<infer A, unknown> ? A : never
export type ReadRow<N extends ReadName> = ReturnType<(typeof reads)[N]['row']>

function fillRow(cells: PackedRow): FillRow {
  return {
    history: cells.number(0),
    seq: cells.number(1),
    atMs: cells.number(2),
    account: cells.text(3),
    counterparty: cells.text(4),
    order: cells.number(5),
    clientOrderId: cells.textOrNull(17),
    market: cells.number(6),
    kind: cells.text(7),
    role: cells.text(8),
    cause: cells.text(9),
    lots: cells.number(10),
    price: cells.number(11),
    value: cells.number(12),
    fee: cells.number(13),
    pnl: cells.number(14),
    entryCost: cells.number(15),
    entryLots: cells.number(16),
  }
}

function orderRow(cells: PackedRow): OrderRow {
  return {
    order: cells.number(0),
    clientOrderId: cells.textOrNull(1),
    account: cells.text(2),
    market: cells.number(3),
    side: cells.text(4),
    orderType: cells.text(5),
    initialPrice: cells.number(6),
    price: cells.number(7),
    initialLots: cells.number(8),
    filledLots: cells.number(9),
    cancelledLots: cells.number(10),
    filledValue: cells.number(11),
    status: cells.text(12),
    stopPrice: cells.numberOrNull(13),
    parent: cells.numberOrNull(14),
    reduceOnly: cells.number(15) === 1,
    reason: cells.textOrNull(16),
    createdAt: cells.number(17),
    updatedAt: cells.number(18),
  }
}

function orderEventRow(cells: PackedRow): OrderEventRow {
  return {
    id: cells.number(0),
    event: cells.text(1),
    atMs: cells.number(2),
    order: cells.number(3),
    clientOrderId: cells.textOrNull(4),
    account: cells.text(5),
    market: cells.number(6),
    side: cells.text(7),
    orderType: cells.text(8),
    price: cells.number(9),
    initialLots: cells.number(10),
    filledLots: cells.number(11),
    cancelledLots: cells.number(12),
    status: cells.text(13),
    stopPrice: cells.numberOrNull(14),
    parent: cells.numberOrNull(15),
    reduceOnly: cells.number(16) === 1,
    filledValue: cells.number(17),
  }
}

function tradeRow(cells: PackedRow): TradeRow {
  return {
    history: cells.number(0),
    seq: cells.number(1),
    atMs: cells.number(2),
    market: cells.number(3),
    kind: cells.text(4),
    side: cells.text(5),
    cause: cells.text(6),
    price: cells.number(7),
    lots: cells.number(8),
  }
}

function minuteRow(cells: PackedRow): MinuteRow {
  return {
    market: cells.number(1),
    minute: cells.number(2) / 60_000,
    volume: cells.number(3),
    trades: cells.number(5),
    oracle: cells.number(10),
  }
}

function twapRow(cells: PackedRow): TwapRow {
  return {
    id: cells.number(0),
    atMs: cells.number(1),
    event: cells.text(2),
    status: cells.text(3),
    past: cells.number(4),
    filledLots: cells.number(5),
    filledValue: cells.number(6),
    order: cells.number(7),
    clientOrderId: cells.textOrNull(8),
    account: cells.text(9),
    market: cells.number(10),
    side: cells.text(11),
    initialLots: cells.number(12),
    slices: cells.number(13),
    reduceOnly: cells.number(14) === 1,
    slippagePpm: cells.number(15),
    createdAt: cells.number(16),
  }
}
