// Hyperliquid: the best bid and ask of each coin, with their time, after every change. The oracle
// price is not used, because it has no time and is up to three seconds old. The server closes a
// connection after a minute without traffic, so the client pings.

import { middleOf, wholeOf } from '../decimal-text.ts'
import { textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

export const hyperliquid: Ticker = {
  wire: 'websocket',
  url: 'wss://api.hyperliquid.xyz/ws',
  subscriptions: (symbols) =>
    symbols.map((coin) =>
      JSON.stringify({ method: 'subscribe', subscription: { type: 'bbo', coin } }),
    ),
  keepAlive: { everyMs: 20_000, text: JSON.stringify({ method: 'ping' }) },
  read(message) {
    switch (textAt(message, 'channel')) {
      case 'bbo': {
        const symbol = textAt(message, 'data', 'coin')
        if (symbol === null) return null
        const best = (side: string) => textAt(message, 'data', 'bbo', side, 'px')
        const atMs = wholeOf(textAt(message, 'data', 'time'))
        return prices({ symbol, price: middleOf(best('0'), best('1')), atMs })
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
