// What can be asked of history. Rows carry integers in the units of the core (ticks, lots,
// micro-dollars) and ids; the gateway turns them into text.

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

export type OrderStatus = 'open' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected'

/** An order as it is now or as it ended. */
export type OrderRow = Readonly<{
  order: number
  clientOrderId: string | null
  account: string
  market: number
  side: 'bid' | 'ask'
  /** Words of the API: limit, market, stop_limit … stop_loss_market. */
  orderType: string
  initialPrice: number
  price: number
  initialLots: number
  filledLots: number
  cancelledLots: number
  /** Micro-dollars of its fills. */
  filledValue: number
  status: OrderStatus
  stopPrice: number | null
  parent: number | null
  reduceOnly: boolean
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
  orderType: string
  price: number
  initialLots: number
  filledLots: number
  cancelledLots: number
  status: OrderStatus
  stopPrice: number | null
  parent: number | null
  reduceOnly: boolean
}>

/** Newest first. `before`: only rows whose id is below (the cursor); times inclusive. */
export type Page = Readonly<{
  market: number | null
  startMs: number | null
  endMs: number | null
  limit: number
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
  /** Id of the newest order with this client id, null when there never was one. */
  orderOfClientId(seq: number, account: string, clientOrderId: string): Promise<number | null>
}>

export class HistoryBehind extends Error {}
