// Every channel of the websocket, declared once with sources.ts: the gateway, the AsyncAPI document
// and the tests read this list, and the client takes its types from it.

import type { TSchema } from '../schemas/typebox.ts'
import * as account from './account-rows.ts'
import * as market from './market-rows.ts'
import { type ChannelKind, type ChannelName, channelKinds } from './sources.ts'

export type Channel = ChannelKind &
  Readonly<{
    /** Of the frame's `data`. */
    data: TSchema
    summary: string
  }>

export const channels = {
  book: {
    ...channelKinds.book,
    data: market.book,
    summary: 'The best ten levels of a book, at most every 100 ms when they changed',
  },
  bookDelta: {
    ...channelKinds.bookDelta,
    data: market.bookDelta,
    summary: 'The whole book, then the levels that changed, with a checksum; at most every 50 ms',
  },
  bbo: {
    ...channelKinds.bbo,
    data: market.bbo,
    summary: 'Best bid and ask, on every change of price or size',
  },
  trades: {
    ...channelKinds.trades,
    data: market.trades,
    summary: 'Trades of a market, one row per match',
  },
  candle: {
    ...channelKinds.candle,
    data: market.candle,
    summary: 'The candle of the present interval, at most every 100 ms and at its end',
  },
  markCandle: {
    ...channelKinds.markCandle,
    data: market.candle,
    summary: 'The same of the mark price',
  },
  prices: {
    ...channelKinds.prices,
    data: market.prices,
    summary: 'All rows of GET /info/prices, at most every 250 ms when something changed',
  },
  marketStatus: {
    ...channelKinds.marketStatus,
    data: market.marketStatus,
    summary: 'Markets whose status changed',
  },
  liquidations: {
    ...channelKinds.liquidations,
    data: market.liquidations,
    summary: 'Positions closed by force, on all markets',
  },
  orders: {
    ...channelKinds.orders,
    data: account.orders,
    summary: 'All open orders, then the ones that changed',
  },
  accountOrders: {
    ...channelKinds.accountOrders,
    data: account.accountOrders,
    summary: 'The same with more fields, as existing clients read them',
  },
  accountOrderUpdates: {
    ...channelKinds.accountOrderUpdates,
    data: account.accountOrderUpdates,
    summary: 'Every event of every order',
  },
  positions: {
    ...channelKinds.positions,
    data: account.positions,
    summary: 'All open positions, whenever one changed; with the marks at most every second',
  },
  userOrderHistory: {
    ...channelKinds.userOrderHistory,
    data: account.userOrderHistory,
    summary: 'What happened to orders, in a few words',
  },
  userTradeHistory: {
    ...channelKinds.userTradeHistory,
    data: account.userTradeHistory,
    summary: 'Fills of the account',
  },
  accountData: {
    ...channelKinds.accountData,
    data: account.accountData,
    summary: 'Balance, equity and margin; with the marks at most every second',
  },
  accountMargin: {
    ...channelKinds.accountMargin,
    data: account.accountMargin,
    summary: 'Changes of the margin mode',
  },
  accountLeverage: {
    ...channelKinds.accountLeverage,
    data: account.accountLeverage,
    summary: 'Changes of the leverage',
  },
  accountLiquidations: {
    ...channelKinds.accountLiquidations,
    data: account.accountLiquidations,
    summary: 'Liquidation, takeover and deleveraging of the account',
  },
  accountTransfers: {
    ...channelKinds.accountTransfers,
    data: account.accountTransfers,
    summary: 'Deposits, withdrawals and transfers',
  },
  accountTwapOrders: {
    ...channelKinds.accountTwapOrders,
    data: account.accountTwapOrders,
    summary: 'All running TWAP orders, whenever one changed',
  },
  accountTwapOrderUpdates: {
    ...channelKinds.accountTwapOrderUpdates,
    data: account.accountTwapOrderUpdates,
    summary: 'Every event of every TWAP order',
  },
} as const satisfies Readonly<Record<ChannelName, Channel>>
