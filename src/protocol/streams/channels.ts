// Every channel of the websocket, declared once: the names it is subscribed to by, what it is of,
// when it speaks and what it says. The gateway, the AsyncAPI document and the tests read this list.

import type { TSchema } from 'typebox'
import * as account from './account-rows.ts'
import * as market from './market-rows.ts'

/** What a subscription names besides the source. */
export type ChannelOf = 'book' | 'symbol' | 'interval' | 'all' | 'account'

/** `state`: sends its present value first. `list`: a full list first, then changed rows. `events`:
 *  only what happens. */
export type ChannelSends = 'state' | 'list' | 'events'

export type Channel = Readonly<{
  /** All spellings; a frame's `channel` is the one that was subscribed to. */
  sources: readonly [string, ...string[]]
  of: ChannelOf
  sends: ChannelSends
  /** Of the frame's `data`. */
  data: TSchema
  summary: string
}>

const channel = <const C extends Channel>(each: C): C => each

export const channels = {
  book: channel({
    sources: ['book', 'orderbook'],
    of: 'book',
    sends: 'state',
    data: market.book,
    summary: 'The best ten levels of a book, at most every 100 ms when they changed',
  }),
  bookDelta: channel({
    sources: ['book_delta'],
    of: 'symbol',
    sends: 'state',
    data: market.bookDelta,
    summary: 'The whole book, then the levels that changed, with a checksum; at most every 50 ms',
  }),
  bbo: channel({
    sources: ['bbo'],
    of: 'symbol',
    sends: 'state',
    data: market.bbo,
    summary: 'Best bid and ask, on every change of price or size',
  }),
  trades: channel({
    sources: ['trades'],
    of: 'symbol',
    sends: 'events',
    data: market.trades,
    summary: 'Trades of a market, one row per match',
  }),
  candle: channel({
    sources: ['candle'],
    of: 'interval',
    sends: 'state',
    data: market.candle,
    summary: 'The candle of the present interval, at most every 100 ms and at its end',
  }),
  markCandle: channel({
    sources: ['mark_price_candle'],
    of: 'interval',
    sends: 'state',
    data: market.candle,
    summary: 'The same of the mark price',
  }),
  prices: channel({
    sources: ['prices'],
    of: 'all',
    sends: 'state',
    data: market.prices,
    summary: 'All rows of GET /info/prices, at most every 250 ms when something changed',
  }),
  marketStatus: channel({
    sources: ['market_status'],
    of: 'all',
    sends: 'events',
    data: market.marketStatus,
    summary: 'Markets whose status changed',
  }),
  liquidations: channel({
    sources: ['liquidations'],
    of: 'all',
    sends: 'events',
    data: market.liquidations,
    summary: 'Positions closed by force, on all markets',
  }),
  orders: channel({
    sources: ['orders'],
    of: 'account',
    sends: 'list',
    data: account.orders,
    summary: 'All open orders, then the ones that changed',
  }),
  accountOrders: channel({
    sources: ['account_orders'],
    of: 'account',
    sends: 'list',
    data: account.accountOrders,
    summary: 'The same with more fields, as existing clients read them',
  }),
  accountOrderUpdates: channel({
    sources: ['account_order_updates'],
    of: 'account',
    sends: 'events',
    data: account.accountOrderUpdates,
    summary: 'Every event of every order',
  }),
  positions: channel({
    sources: ['positions', 'account_positions'],
    of: 'account',
    sends: 'state',
    data: account.positions,
    summary: 'All open positions, whenever one changed; with the marks at most every second',
  }),
  userOrderHistory: channel({
    sources: ['user_order_history', 'userOrders'],
    of: 'account',
    sends: 'events',
    data: account.userOrderHistory,
    summary: 'What happened to orders, in a few words',
  }),
  userTradeHistory: channel({
    sources: ['user_trade_history', 'userTrades', 'account_trades'],
    of: 'account',
    sends: 'events',
    data: account.userTradeHistory,
    summary: 'Fills of the account',
  }),
  accountData: channel({
    sources: ['account_data', 'account_info', 'accountBalance'],
    of: 'account',
    sends: 'state',
    data: account.accountData,
    summary: 'Balance, equity and margin; with the marks at most every second',
  }),
  accountMargin: channel({
    sources: ['account_margin', 'accountMargin'],
    of: 'account',
    sends: 'events',
    data: account.accountMargin,
    summary: 'Changes of the margin mode',
  }),
  accountLeverage: channel({
    sources: ['account_leverage', 'accountLeverage'],
    of: 'account',
    sends: 'events',
    data: account.accountLeverage,
    summary: 'Changes of the leverage',
  }),
  accountLiquidations: channel({
    sources: ['account_liquidations'],
    of: 'account',
    sends: 'events',
    data: account.accountLiquidations,
    summary: 'Liquidation, takeover and deleveraging of the account',
  }),
  accountTransfers: channel({
    sources: ['account_transfers'],
    of: 'account',
    sends: 'events',
    data: account.accountTransfers,
    summary: 'Deposits, withdrawals and transfers',
  }),
  accountTwapOrders: channel({
    sources: ['account_twap_orders'],
    of: 'account',
    sends: 'state',
    data: account.accountTwapOrders,
    summary: 'All running TWAP orders, whenever one changed',
  }),
  accountTwapOrderUpdates: channel({
    sources: ['account_twap_order_updates'],
    of: 'account',
    sends: 'events',
    data: account.accountTwapOrderUpdates,
    summary: 'Every event of every TWAP order',
  }),
} as const

export type ChannelName = keyof typeof channels

const bySource = new Map<string, ChannelName>(
  (Object.keys(channels) as ChannelName[]).flatMap((name) =>
    channels[name].sources.map((source): [string, ChannelName] => [source, name]),
  ),
)

export function channelOfSource(source: string): ChannelName | undefined {
  return bySource.get(source)
}

export const allSources: readonly string[] = [...bySource.keys()]
