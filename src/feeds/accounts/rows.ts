// Facts and states of accounts as the rows of their channels. Each list of keys is the one of the
// channel's schema; a test holds them together.

import { triggerBys } from '../../core/events/event-fields.ts'
import type { MarketParams } from '../../core/markets/market-params.ts'
import type { State } from '../../core/state.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { divFloor } from '../../units/rounding.ts'
import { averagePriceText, fillPriceText, moneyText, priceText, sizeText } from '../market-text.ts'
import type {
  Fact,
  FillFact,
  LiquidationFact,
  OrderFact,
  SettingFact,
  TransferFact,
  TwapFact,
} from './facts.ts'
import { isEnded } from './live-orders.ts'
import { expirationOf, type LiveTwap } from './live-twaps.ts'

/** Whose rows they are. */
export type Owner = Readonly<{ state: State; address: string }>

type Row = Readonly<Record<string, unknown>>

const paramsOf = ({ state }: Owner, market: number): MarketParams => state.markets[market]!.params

function orderHead(owner: Owner, { order }: OrderFact, params: MarketParams) {
  return { i: order.id, I: order.clientOrderId, u: owner.address, s: params.symbol, d: order.side }
}

export function orderRow(owner: Owner, fact: OrderFact): Row {
  const { order, atMs, seq } = fact
  const params = paramsOf(owner, order.market)
  const left = isEnded(order) ? 0 : order.lots - order.filled - order.cancelled
  return {
    ...orderHead(owner, fact, params),
    l: order.price,
    p: priceText(params, order.price),
    a: sizeText(params, order.lots),
    r: sizeText(params, left),
    t: atMs,
    li: seq,
  }
}

function averageText(params: MarketParams, { order, value }: OrderFact): string | null {
  return order.filled === 0 || value === 0 ? null : averagePriceText(params, value, order.filled)
}

const stopText = (params: MarketParams, stopPrice: number | null) =>
  stopPrice === null ? null : priceText(params, stopPrice)

export function accountOrderRow(owner: Owner, fact: OrderFact): Row {
  const { order, atMs, seq } = fact
  const params = paramsOf(owner, order.market)
  return {
    ...orderHead(owner, fact, params),
    side: order.side,
    p: averageText(params, fact),
    ip: priceText(params, order.price),
    a: sizeText(params, order.lots),
    f: sizeText(params, order.filled),
    c: sizeText(params, order.cancelled),
    ot: order.orderType,
    ro: order.reduceOnly,
    sp: stopText(params, order.stopPrice),
    si: order.parent,
    oe: order.event,
    os: order.status,
    t: atMs,
    li: seq,
  }
}

const triggerWords: Readonly<Record<string, string>> = {
  mark: 'mark_price',
  last: 'last_trade_price',
  mid: 'mid_price',
}

export function orderUpdateRow(owner: Owner, fact: OrderFact): Row {
  const { order, atMs, seq, fillPrice } = fact
  const params = paramsOf(owner, order.market)
  const price = priceText(params, order.price)
  return {
    ...orderHead(owner, fact, params),
    side: order.side,
    p: averageText(params, fact),
    ip: price,
    price,
    lp: fillPrice === 0 ? null : priceText(params, fillPrice),
    a: sizeText(params, order.lots),
    f: sizeText(params, order.filled),
    oe: order.event,
    os: order.status,
    ot: order.orderType,
    sp: stopText(params, order.stopPrice),
    si: order.parent,
    tp: order.triggerBy < 0 ? null : triggerWords[triggerBys[order.triggerBy]!]!,
    r: order.reduceOnly,
    ct: order.createdAt,
    ut: atMs,
    li: seq,
  }
}

/** What an event was, in one of four words. */
function shortEvent({ event, status }: OrderFact['order']): string {
  if (event.startsWith('fulfill_')) return 'take'
  if (status === 'rejected') return 'reject'
  return status === 'cancelled' ? 'cancel' : 'make'
}

export function orderHistoryRow(owner: Owner, fact: OrderFact): Row {
  const { order, lots, fillPrice, atMs, seq } = fact
  const params = paramsOf(owner, order.market)
  const { d, ...head } = orderHead(owner, fact, params)
  return {
    ...head,
    a: sizeText(params, lots === 0 ? order.lots : lots),
    p: priceText(params, fillPrice === 0 ? order.price : fillPrice),
    d,
    e: shortEvent(order),
    oe: order.event,
    t: atMs,
    li: seq,
  }
}

export function fillRow(owner: Owner, fact: FillFact): Row {
  const params = paramsOf(owner, fact.market)
  const { accounts } = owner.state
  return {
    h: fact.history,
    i: fact.order === 0 ? null : fact.order,
    I: fact.clientOrderId,
    u: owner.address,
    c: accounts.records[fact.counterparty]!.address,
    s: params.symbol,
    a: sizeText(params, fact.lots),
    p: fillPriceText(params, fact),
    o: averagePriceText(params, fact.entryCost, fact.entryLots),
    f: moneyText(fact.fee),
    n: moneyText(fact.pnl),
    e: fact.kind,
    te: fact.role === 'maker' ? 'fulfill_maker' : 'fulfill_taker',
    ts: fact.kind.replace(/^force_/, ''),
    tc: fact.cause,
    t: fact.atMs,
    li: fact.seq,
  }
}

export function settingRow(owner: Owner, fact: SettingFact): Row {
  const { symbol } = paramsOf(owner, fact.market)
  const head = { u: owner.address, s: symbol }
  return fact.type === 'margin'
    ? { ...head, i: fact.isolated, t: fact.atMs }
    : { ...head, l: `${fact.leverage}`, t: fact.atMs }
}

export function transferRow({ address }: Owner, fact: TransferFact): Row {
  return {
    account: address,
    amount: moneyText(fact.amount),
    balance: moneyText(fact.balance),
    pending_balance: moneyText(fact.pending),
    event_type: fact.event,
    created_at: fact.atMs,
    li: fact.seq,
  }
}

export function liquidationRow(owner: Owner, fact: LiquidationFact): Row {
  const { market, lots, value, equity, maintenance } = fact
  const params = market === 0 ? null : paramsOf(owner, market)
  const isMoney = lots === null && value !== null
  const money = (amount: number | null) => (amount === null ? null : moneyText(amount))
  const size = params === null || lots === null ? null : sizeText(params, lots)
  const hasPrice = params !== null && lots !== null && value !== null
  return {
    account: owner.address,
    event_type: fact.event,
    symbol: params?.symbol ?? null,
    amount: isMoney ? moneyText(value) : size,
    price: hasPrice ? averagePriceText(params, value, lots) : null,
    equity: money(equity),
    maintenance_margin: money(maintenance),
    created_at: fact.atMs,
    li: fact.seq,
  }
}

export function twapRow(owner: Owner, twap: Readonly<LiveTwap>): Row {
  const params = paramsOf(owner, twap.market)
  return {
    order_id: twap.id,
    client_order_id: twap.clientOrderId,
    symbol: params.symbol,
    side: twap.side,
    initial_amount: sizeText(params, twap.lots),
    filled_amount: sizeText(params, twap.filled),
    reduce_only: twap.reduceOnly,
    // A ten-thousandth of a percent is a millionth.
    slippage_percent: formatDecimal(twap.slippagePpm, 4),
    planned_sub_order_amount: sizeText(params, divFloor(twap.lots, twap.slices)),
    planned_sub_order_count: twap.slices,
    past_sub_order_count: twap.done,
    total_filled_value: moneyText(twap.value),
    expiration: expirationOf(twap),
    created_at: twap.createdAt,
    updated_at: twap.updatedAt,
  }
}

export function twapUpdateRow(owner: Owner, { twap, event, status, seq }: TwapFact): Row {
  return { ...twapRow(owner, twap), order_status: status, event_type: event, li: seq }
}

export type RowOf = (owner: Owner, fact: Fact) => Row | null
