// Coinbase Exchange: the trades of each product, with their time, and a heartbeat once per second,
// which keeps an idle connection open.

import { msOfIso, plainDecimal } from '../decimal-text.ts'
import { listAt, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

export const coinbase: Ticker = {
  wire: 'websocket',
  url: 'wss://ws-feed.exchange.coinbase.com',
  subscriptions: (symbols) => [
    JSON.stringify({
      type: 'subscribe',
      product_ids: symbols,
      channels: ['ticker', 'heartbeat'],
    }),
  ],
  keepAlive: null,
  read(message) {
    switch (textAt(message, 'type')) {
      case 'ticker': {
        const symbol = textAt(message, 'product_id')
        if (symbol === null) return null
        const price = plainDecimal(textAt(message, 'price') ?? '')
        return prices({ symbol, price, atMs: msOfIso(textAt(message, 'time')) })
      }
      case 'heartbeat':
        return idle
      case 'subscriptions':
        return listAt(message, 'channels').length === 0 ? ends('unsubscribed by the server') : idle
      case 'error':
        return refused(textAt(message, 'reason') ?? textAt(message, 'message'))
      default:
        return null
    }
  },
}
