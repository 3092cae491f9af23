// The channels of an account's orders: subscriptions and frames.

import { algoKinds, orderEventNames, orderStatuses, orderTypes } from '../words.ts'
import type { Declarations } from './declaration.ts'
import type { Fields } from './fields.ts'

const orderHead = (is: Fields) => ({ i: is.orderId, I: is.clientId, u: is.user, s: is.symbol })
const buysOrSells = (is: Fields) => is.side('bid buys, ask sells')
const lastEvent = (is: Fields) => is.word(orderEventNames, 'The last event of the order')
const status = (is: Fields) => is.word(orderStatuses, 'Current status')
const orderStatus = (is: Fields) =>
  is.word(
    orderStatuses,
    'Current status; a stop is filled when it fired, and its order has the id of the stop in si',
  )
const orderType = (is: Fields) => is.word(orderTypes, 'Kind of order')
const stopPrice = (is: Fields) => is.decimalOrNull('Trigger price; null if not a stop')
const parent = (is: Fields) =>
  is.integerOrNull(
    'For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop',
  )
const size = (is: Fields) =>
  is.decimal('Size at placement; for a stop on the whole position, the size of the position')
const prices = (is: Fields) => ({
  p: is.decimalOrNull('Average price of its fills; null if none'),
  ip: is.decimal('Limit price; for a market order, its worst price'),
})
const options = (is: Fields) => ({
  trailing: is.trailing,
  expire_time: is.expireTime,
  mmp: is.protected,
  ...is.ties,
  ...is.firing,
})

const twap = (is: Fields) => ({
  order_id: is.orderId,
  client_order_id: is.clientId,
  symbol: is.symbol,
  side: buysOrSells(is),
  initial_amount: is.decimal('Size'),
  filled_amount: is.decimal('Size filled'),
  reduce_only: is.flag('The order may only reduce the position'),
  slippage_percent: is.decimal('Worst price of a slice, percent from mark'),
  planned_sub_order_amount: is.decimal('Size of a slice'),
  planned_sub_order_count: is.integer('Slices in all'),
  past_sub_order_count: is.integer('Slices so far'),
  total_filled_value: is.decimal('USD of its fills'),
  expiration: is.timeMs('When the last slice runs'),
  created_at: is.timeMs('Time of placement'),
  updated_at: is.timeMs('Time of the last change'),
})

const algo = (is: Fields) => ({
  order_id: is.orderId,
  client_order_id: is.clientId,
  symbol: is.symbol,
  kind: is.word(algoKinds, 'What works it off'),
  side: buysOrSells(is),
  price: is.decimal('Limit price of an iceberg; price limit of a chase'),
  initial_amount: is.decimal('Size'),
  display_amount: is.decimalOrNull('Visible size of an iceberg; null for a chase'),
  filled_amount: is.decimal('Size filled'),
  total_filled_value: is.decimal('USD of its fills'),
  reduce_only: is.flag('The order may only reduce the position'),
  child_order_id: is.integerOrNull('Its order in the book; null if there is none at the moment'),
  expire_time: is.integerOrNull('Expiry time'),
  created_at: is.timeMs('Time of placement'),
  updated_at: is.timeMs('Time of the last change'),
})

export const orderChannels = {
  orders: {
    sources: ['orders'],
    of: 'account',
    sends: 'list',
    summary: 'All open orders, then the ones that changed',
    data: (is: Fields) =>
      is.rows({
        ...orderHead(is),
        d: buysOrSells(is),
        l: is.integer('Price in ticks; 0 on a stop at the market'),
        p: is.decimal('Price'),
        a: size(is),
        r: is.decimal('Remaining size; 0: no longer open'),
        ...options(is),
        t: is.at,
        li: is.li,
      }),
  },

  accountOrders: {
    sources: ['account_orders'],
    of: 'account',
    sends: 'state',
    summary: 'All open orders on every change; changes within 50 ms share a frame',
    data: (is: Fields) =>
      is.rows({
        ...orderHead(is),
        d: buysOrSells(is),
        side: buysOrSells(is),
        p: is.decimal('Its price until the first fill, then the average price of its fills'),
        ip: is.decimal('Limit price; for a market order, its worst price'),
        a: size(is),
        f: is.decimal('Size filled'),
        c: is.decimal('Size cancelled'),
        ot: orderType(is),
        ro: is.flag('The order may only reduce the position'),
        sp: stopPrice(is),
        si: parent(is),
        oe: lastEvent(is),
        os: orderStatus(is),
        ...options(is),
        ...is.watching,
        t: is.at,
        li: is.li,
      }),
  },

  accountOrderUpdates: {
    sources: ['account_order_updates'],
    of: 'account',
    sends: 'events',
    summary: 'Every event of every order',
    data: (is: Fields) =>
      is.rows({
        ...orderHead(is),
        d: buysOrSells(is),
        side: buysOrSells(is),
        ...prices(is),
        price: is.decimal('The same'),
        lp: is.decimalOrNull('Price of the fill; null unless the event is a fill'),
        a: size(is),
        f: is.decimal('Size filled'),
        oe: lastEvent(is),
        os: orderStatus(is),
        ot: orderType(is),
        sp: stopPrice(is),
        si: parent(is),
        tp: is.textOrNull('Price that fires a stop: mark_price, last_trade_price, mid_price'),
        r: is.flag('The order may only reduce the position'),
        ...options(is),
        ct: is.timeMs('Time of placement'),
        ut: is.timeMs('When this happened'),
        li: is.li,
      }),
  },

  userOrderHistory: {
    sources: ['user_order_history', 'userOrders'],
    of: 'account',
    sends: 'events',
    summary: 'Events of orders, in short form',
    data: (is: Fields) =>
      is.rows({
        ...orderHead(is),
        a: is.decimal('Size of the event: placed, filled or cancelled'),
        p: is.decimal('Price: of the fill, otherwise of the order'),
        d: buysOrSells(is),
        e: is.word(['make', 'take', 'cancel', 'reject'], 'Placed, filled, ended unfilled, refused'),
        oe: lastEvent(is),
        t: is.at,
        li: is.li,
      }),
  },

  accountAlgoOrders: {
    sources: ['account_algo_orders'],
    of: 'account',
    sends: 'state',
    ownersOnly: true,
    summary: 'All running chases and icebergs, whenever one changed',
    data: (is: Fields) => is.rows(algo(is)),
  },

  accountTwapOrders: {
    sources: ['account_twap_orders'],
    of: 'account',
    sends: 'state',
    ownersOnly: true,
    summary: 'All running TWAP orders, whenever one changed',
    data: (is: Fields) => is.rows(twap(is)),
  },

  accountTwapOrderUpdates: {
    sources: ['account_twap_order_updates'],
    of: 'account',
    sends: 'events',
    ownersOnly: true,
    summary: 'Every event of every TWAP order',
    data: (is: Fields) =>
      is.rows({
        ...twap(is),
        order_status: status(is),
        event_type: is.word(
          ['twap_created', 'twap_triggered', 'fulfill_market', 'cancel', 'force_cancel', 'expired'],
          'Event',
        ),
        li: is.li,
      }),
  },
} as const satisfies Declarations
