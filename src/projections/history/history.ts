// What can be asked of history. Rows carry integers in the units of the core (ticks, lots,
// micro-dollars) and ids; the gateway turns them into text.

import type { BalanceEvent, OrderStatus, TwapEventName } from '../../protocol/words.ts'
import type { Interval } from '../../units/intervals.ts'

export type FillRow = Readonly<{
  history: number
  /** Place in the journal. */
  seq: number
  atMs: number
  account: string
  counterparty: string
  order: number
  clientOrderId: string | null
  market: number
  kind: string
  role: string
  cause: string
  lots: number
  /** Ticks; 0 for a deleveraging, whose price is `value` ÷ `lots`. */
  price: number
  value: number
  fee: number
  pnl: number
  entryCost: number
  entryLots: number
}>

/** One row per match, as the public tape shows it. */
export type TradeRow = Readonly<{
  history: number
  seq: number
  atMs: number
  market: number
  /** Kind of the taker's (first) part: open_long … close_short. */
  kind: string
  /** Side of the taker. */
  side: 'bid' | 'ask'
  cause: string
  price: number
  lots: number
}>

export type { OrderStatus }

/** An order as it is now or as it ended. */
export type OrderRow = Readonly<{
  order: number
  clientOrderId: string | null
  account: string
  market: number
  side: 'bid' | 'ask'
  /** Words of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: string
  /** Limit in ticks; a market order's is its worst price, a market stop's 0. */
  initialPrice: number
  /** As it is now: TOB and reducing orders may be moved when they run. */
  price: number
  /** 0: a level or stop for the whole position. */
  initialLots: number
  filledLots: number
  cancelledLots: number
  /** Micro-dollars of its fills. */
  filledValue: number
  /** A stop that was triggered counts as filled: the order it made has it as `parent`. */
  status: OrderStatus
  stopPrice: number | null
  /** The order a level came with, the stop that made this order, or the TWAP it is a slice of. */
  parent: number | null
  reduceOnly: boolean
  /** Why it ended unfilled: a cancel reason of the core, or the name of the rejection. */
  reason: string | null
  createdAt: number
  updatedAt: number
}>

/** One step in the life of an order. `id` strictly grows. */
export type OrderEventRow = Readonly<{
  id: number
  /** Words of the API: make, stop_created, fulfill_limit … */
  event: string
  atMs: number
  order: number
  clientOrderId: string | null
  account: string
  market: number
  side: 'bid' | 'ask'
  /** Words of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: string
  price: number
  initialLots: number
  filledLots: number
  cancelledLots: number
  status: OrderStatus
  stopPrice: number | null
  parent: number | null
  reduceOnly: boolean
  /** Micro-dollars of what was filled until then. */
  filledValue: number
}>

/** Newest first. `before`: only rows whose id is below (the cursor); times inclusive. */
export type Page = Readonly<{
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
  before: number | null
}>

/** A stretch of the public tape; times inclusive, null: no border there. */
export type TapeQuery = Readonly<{ limit: number; startMs: number | null; endMs: number | null }>

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
  /** Id of the newest order with this client id, null when there never was one. */
  orderOfClientId(seq: number, account: string, clientOrderId: string): Promise<number | null>
}>

export type CursorPage = Readonly<{ limit: number; before: number | null }>

/** What became of an epoch of funding. `rate` in billionths; prices in millionths of a tick, an
 *  impact price 0 where the side lacked the depth. `epoch` is the cursor. */
export type FundingRateRow = Readonly<{
  epoch: number
  atMs: number
  market: number
  rate: number
  oracle: number
  impactBid: number
  impactAsk: number
  /** Of the epoch after it; null: it has not ended yet. */
  nextRate: number | null
}>

/** `payment` is what the account got (negative: paid) on these signed lots. */
export type FundingPaymentRow = Readonly<{
  id: number
  atMs: number
  account: string
  market: number
  lots: number
  payment: number
  rate: number
}>

/** What changed an account's balance (or only what waits to be withdrawn), and what was there
 *  after it. */
export type BalanceRow = Readonly<{
  id: number
  atMs: number
  account: string
  event: BalanceEvent
  amount: number
  balance: number
  pending: number
}>

/** Moments at the multiples of `stepMs` from `startMs` on, and `endMs` itself. */
export type EquityQuery = Readonly<{ startMs: number; endMs: number; stepMs: number }>

/** Money and open profit of an account; `pnl` is what of it did not come from outside. */
export type EquityRow = Readonly<{ atMs: number; equity: number; pnl: number }>

/** Volume of one minute, and the oracle (millionths of a tick) at its end. */
export type MinuteRow = Readonly<{
  market: number
  /** Minutes since the epoch. */
  minute: number
  volume: number
  trades: number
  oracle: number
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

/** Prices in ticks. `endMs` is when the next one begins. */
export type CandleRow = Readonly<{
  startMs: number
  endMs: number
  open: number
  high: number
  low: number
  close: number
  lots: number
  trades: number
}>

/** What an operator did; a revert does not take it back. `command` is JSON. */
export type DeedRow = Readonly<{
  seq: number
  atMs: number
  who: string
  why: string
  what: string
  command: string
}>

/** A TWAP at one of its steps; in a list, at its newest. */
export type TwapRow = Readonly<{
  /** Of the step; strictly grows. */
  id: number
  atMs: number
  /** Words of the API: twap_created, twap_triggered, fulfill_market, cancel … */
  event: TwapEventName
  status: OrderStatus
  /** Slices that are over, and what they filled. */
  past: number
  filledLots: number
  filledValue: number
  order: number
  clientOrderId: string | null
  account: string
  market: number
  side: 'bid' | 'ask'
  initialLots: number
  slices: number
  reduceOnly: boolean
  slippagePpm: number
  createdAt: number
}>

/** What else the store can tell; as in `History`, each read names the seq it waits for. */
export type MoneyHistory = Readonly<{
  fundingPayments(
    seq: number,
    account: string,
    page: CursorPage,
  ): Promise<readonly FundingPaymentRow[]>
  balances(seq: number, account: string, page: CursorPage): Promise<readonly BalanceRow[]>
  /** Oldest first. */
  equity(seq: number, account: string, query: EquityQuery): Promise<readonly EquityRow[]>
  /** When an account's history begins, null when it has none. */
  beginning(seq: number, account: string): Promise<number | null>
}>

export type TwapHistory = Readonly<{
  /** The cursor is the order id. */
  twaps(seq: number, account: string, page: CursorPage): Promise<readonly TwapRow[]>
  /** Every step of one, newest first. */
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
}>

export type OperatorHistory = Readonly<{
  /** Newest first; only those before `beforeSeq`. */
  deeds(seq: number, limit: number, beforeSeq: number | null): Promise<readonly DeedRow[]>
}>

export type AllHistory = History & MoneyHistory & TwapHistory & MarketHistory & OperatorHistory

export class HistoryBehind extends Error {}
