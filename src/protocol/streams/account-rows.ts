// What the channels of an account send.

import { Type } from '../schemas/typebox.ts'
import { orderEventNames, orderStatuses, orderTypes } from '../words.ts'
import {
  address,
  at,
  clientId,
  closings,
  decimal,
  flag,
  idOrNull,
  kinds,
  li,
  orderId,
  orNull,
  side,
  symbol,
  textOrNull,
  timeMs,
  tradeCauses,
  user,
  word,
} from './field-types.ts'

const order = { i: orderId, I: clientId, u: user, s: symbol }
const d = side('bid buys, ask sells')
const oe = word(orderEventNames, 'What happened to the order last')
const os = word(orderStatuses, 'How far it has come')
const ot = word(orderTypes, 'Kind of order')
const sp = orNull('Price at which it fires; null: not a stop')
const si = idOrNull('Order a level is attached to, or stop an order came from')

export const orders = Type.Array(
  Type.Object({
    ...order,
    d,
    l: Type.Integer({ description: 'Price in ticks; 0 on a stop at the market' }),
    p: decimal('Price'),
    a: decimal('Size it was placed with; a stop for the whole position: as large as that is'),
    r: decimal('What is left; 0: it is no longer open'),
    t: at,
    li,
  }),
)

export const accountOrders = Type.Array(
  Type.Object({
    ...order,
    d,
    side: d,
    p: orNull('Average price of its fills; null: none yet'),
    ip: decimal('Its price; the worst price of a market order'),
    a: decimal('Size it was placed with; a stop for the whole position: as large as that is'),
    f: decimal('Size filled'),
    c: decimal('Size cancelled'),
    ot,
    ro: flag('May only shrink the position'),
    sp,
    si,
    oe,
    os,
    t: at,
    li,
  }),
)

export const accountOrderUpdates = Type.Array(
  Type.Object({
    ...order,
    d,
    side: d,
    p: orNull('Average price of its fills; null: none yet'),
    ip: decimal('Its price; the worst price of a market order'),
    price: decimal('The same'),
    lp: orNull('Price of the fill this event tells; null: it tells none'),
    a: decimal('Size it was placed with; a stop for the whole position: as large as that is'),
    f: decimal('Size filled'),
    oe,
    os,
    ot,
    sp,
    si,
    tp: textOrNull('Price that fires a stop: mark_price, last_trade_price, mid_price'),
    r: flag('May only shrink the position'),
    ct: timeMs('When it was placed'),
    ut: timeMs('When this happened'),
    li,
  }),
)

export const positions = Type.Array(
  Type.Object({
    u: user,
    s: symbol,
    d: side('bid is long, ask is short'),
    a: decimal('Size'),
    p: decimal('Average entry price'),
    m: decimal('Margin, as GET /positions has it'),
    am: decimal('Isolated: margin beyond the initial one; cross: 0'),
    f: decimal('Funding paid since it was opened; negative was received'),
    i: flag('Whether it has a margin of its own'),
    l: orNull('Liquidation price; null: no price liquidates it'),
    lt: idOrNull('The same in ticks'),
    at: Type.Integer({ minimum: 0, maximum: 4, description: 'Rank in deleveraging, 4 is first' }),
    t: at,
    li,
  }),
)

export const userOrderHistory = Type.Array(
  Type.Object({
    ...order,
    a: decimal('Size of the event: placed, filled or cancelled'),
    p: decimal('Price: of the fill, otherwise of the order'),
    d,
    e: word(['make', 'take', 'cancel', 'reject'], 'Placed, filled, ended unfilled, refused'),
    oe,
    t: at,
    li,
  }),
)

export const userTradeHistory = Type.Array(
  Type.Object({
    h: Type.Integer({ description: 'History id' }),
    i: idOrNull('Order that was filled; null: forced without one'),
    I: clientId,
    u: user,
    c: address('Address of the other account'),
    s: symbol,
    a: decimal('Size'),
    p: decimal('Price'),
    o: decimal('Entry price, as in the history of positions'),
    f: decimal('Fee; negative is a rebate'),
    n: decimal('Profit, net of the fee'),
    e: word(kinds, 'What it did to the position, force_close_* when forced'),
    te: word(['fulfill_maker', 'fulfill_taker'], 'Role of the account'),
    ts: word(closings, 'What it did to the position'),
    tc: word(tradeCauses, 'Why the lots changed hands'),
    t: at,
    li,
  }),
)

export const accountData = Type.Object({
  u: user,
  ae: decimal('Equity, with that of isolated positions'),
  ce: decimal('Equity of the cross account: balance and the profit of cross positions'),
  as: decimal('Spendable'),
  aw: decimal('Withdrawable'),
  b: decimal('Balance'),
  f: Type.Integer({ description: 'Fee tier' }),
  mu: decimal('Margin used'),
  cm: decimal('Maintenance margin of the cross positions'),
  pb: decimal('Withdrawals asked for and not yet completed'),
  oc: Type.Integer({ description: 'Open orders' }),
  pc: Type.Integer({ description: 'Open positions' }),
  sc: Type.Integer({ description: 'Stops and levels' }),
  t: at,
  li,
})

export const accountMargin = Type.Object({
  u: user,
  s: symbol,
  i: flag('Whether new positions get a margin of their own'),
  t: at,
})

export const accountLeverage = Type.Object({
  u: user,
  s: symbol,
  l: Type.String({ description: 'Leverage' }),
  t: at,
})

export const accountLiquidations = Type.Array(
  Type.Object({
    account: user,
    event_type: word(
      [
        'liquidation_started',
        'market_liquidation',
        'backstop_liquidation',
        'adl_liquidation',
        'insurance_paid',
      ],
      'What happened',
    ),
    symbol: textOrNull('Market; null: the cross account'),
    amount: orNull('Size; of insurance_paid the money'),
    price: orNull('Price'),
    equity: orNull('At the start: equity …'),
    maintenance_margin: orNull('… below this maintenance margin'),
    created_at: at,
    li,
  }),
)

export const accountTransfers = Type.Array(
  Type.Object({
    account: user,
    amount: decimal('Negative: it left'),
    balance: decimal('Balance after it'),
    pending_balance: decimal('Withdrawals asked for and not yet completed'),
    event_type: word(
      ['deposit', 'withdraw', 'withdraw_completed', 'withdraw_failed', 'subaccount_transfer'],
      'What happened',
    ),
    created_at: at,
    li,
  }),
)

const twap = {
  order_id: orderId,
  client_order_id: clientId,
  symbol,
  side: d,
  initial_amount: decimal('Size'),
  filled_amount: decimal('Size filled'),
  reduce_only: flag('May only shrink the position'),
  slippage_percent: decimal('Worst price of a slice, percent from mark'),
  planned_sub_order_amount: decimal('Size of a slice'),
  planned_sub_order_count: Type.Integer({ description: 'Slices in all' }),
  past_sub_order_count: Type.Integer({ description: 'Slices so far' }),
  total_filled_value: decimal('USD of its fills'),
  expiration: timeMs('When the last slice runs'),
  created_at: timeMs('When it was placed'),
  updated_at: timeMs('When it last changed'),
}

export const accountTwapOrders = Type.Array(Type.Object(twap))

export const accountTwapOrderUpdates = Type.Array(
  Type.Object({
    ...twap,
    order_status: os,
    event_type: word(
      ['twap_created', 'twap_triggered', 'fulfill_market', 'cancel', 'force_cancel', 'expired'],
      'What happened',
    ),
    li,
  }),
)
