// Hyperliquid: the context of each coin, about once a second. Of a perpetual the oracle price
// counts, which its validators make of spot prices elsewhere; of a spot pair, which has none, the
// middle of its book. It tells no time. A connection on which nothing comes for a minute is closed,
// so a client pings.

import { plainDecimal } from '../decimal-text.ts'
import { textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

export const hyperliquid: Ticker = {
  wire: 'websocket',
  url: 'wss://api.hyperliquid.xyz/ws',
  subscriptions: (symbols) =>
    symbols.map((coin) =>
      JSON.stringify({ method: 'subscribe', subscription: { type: 'activeAssetCtx', coin } }),
    ),
  keepAlive: { everyMs: 20_000, text: JSON.stringify({ method: 'ping' }) },
  read(message) {
    switch (textAt(message, 'channel')) {
      case 'activeAssetCtx':
      case 'activeSpotAssetCtx': {
        const symbol = textAt(message, 'data', 'coin')
        if (symbol === null) return null
        const oracle = textAt(message, 'data', 'ctx', 'oraclePx')
        const price = plainDecimal(oracle ?? textAt(message, 'data', 'ctx', 'midPx') ?? '')
        return prices({ symbol, price, atMs: null })
      }
      case 'subscriptionResponse':
        return textAt(message, 'data', 'method') === 'unsubscribe'
          ? ends('unsubscribed by the server')
          : idle
      case 'pong':
        return idle
      case 'error':
        return refused(textAt(message, 'data'))
      default:
        return null
    }
  },
}
