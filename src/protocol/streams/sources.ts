// The channels of the websocket by name: the spellings each is subscribed to by, what it is of and
// when it speaks. Without schemas, so that a browser loads none; those are in channels.ts.

/** What a subscription names besides the source. */
export type ChannelOf = 'book' | 'symbol' | 'interval' | 'all' | 'account'

/** `state`: sends its present value first. `list`: a full list first, then changed rows. `events`:
 *  only what happens. */
export type ChannelSends = 'state' | 'list' | 'events'

export type ChannelKind = Readonly<{
  /** All spellings; a frame's `channel` is the one that was subscribed to. */
  sources: readonly [string, ...string[]]
  of: ChannelOf
  sends: ChannelSends
}>

export const channelKinds = {
  book: { sources: ['book', 'orderbook'], of: 'book', sends: 'state' },
  bookDelta: { sources: ['book_delta'], of: 'symbol', sends: 'state' },
  bbo: { sources: ['bbo'], of: 'symbol', sends: 'state' },
  trades: { sources: ['trades'], of: 'symbol', sends: 'events' },
  candle: { sources: ['candle'], of: 'interval', sends: 'state' },
  markCandle: { sources: ['mark_price_candle'], of: 'interval', sends: 'state' },
  prices: { sources: ['prices'], of: 'all', sends: 'state' },
  marketStatus: { sources: ['market_status'], of: 'all', sends: 'events' },
  liquidations: { sources: ['liquidations'], of: 'all', sends: 'events' },
  orders: { sources: ['orders'], of: 'account', sends: 'list' },
  accountOrders: { sources: ['account_orders'], of: 'account', sends: 'list' },
  accountOrderUpdates: { sources: ['account_order_updates'], of: 'account', sends: 'events' },
  positions: { sources: ['positions', 'account_positions'], of: 'account', sends: 'state' },
  userOrderHistory: {
    sources: ['user_order_history', 'userOrders'],
    of: 'account',
    sends: 'events',
  },
  userTradeHistory: {
    sources: ['user_trade_history', 'userTrades', 'account_trades'],
    of: 'account',
    sends: 'events',
  },
  accountData: {
    sources: ['account_data', 'account_info', 'accountBalance'],
    of: 'account',
    sends: 'state',
  },
  accountMargin: { sources: ['account_margin', 'accountMargin'], of: 'account', sends: 'events' },
  accountLeverage: {
    sources: ['account_leverage', 'accountLeverage'],
    of: 'account',
    sends: 'events',
  },
  accountLiquidations: { sources: ['account_liquidations'], of: 'account', sends: 'events' },
  accountTransfers: { sources: ['account_transfers'], of: 'account', sends: 'events' },
  accountTwapOrders: { sources: ['account_twap_orders'], of: 'account', sends: 'state' },
  accountTwapOrderUpdates: {
    sources: ['account_twap_order_updates'],
    of: 'account',
    sends: 'events',
  },
} as const satisfies Readonly<Record<string, ChannelKind>>

export type ChannelName = keyof typeof channelKinds
export type Source = (typeof channelKinds)[ChannelName]['sources'][number]
export type NameOf<S extends Source> = {
  [N in ChannelName]: S extends (typeof channelKinds)[N]['sources'][number] ? N : never
}[ChannelName]

const bySource = new Map<string, ChannelName>(
  (Object.keys(channelKinds) as ChannelName[]).flatMap((name) =>
    channelKinds[name].sources.map((source): [string, ChannelName] => [source, name]),
  ),
)

export function channelOfSource(source: string): ChannelName | undefined {
  return bySource.get(source)
}

export const allSources: readonly string[] = [...bySource.keys()]
