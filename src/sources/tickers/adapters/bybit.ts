// Bybit spot, version 5: the best bid and ask of each symbol, with the time of the matching engine.
// An unchanged book is sent again every 3 seconds, with the time of its last change. The client
// pings every 20 seconds.

import { middleOf, wholeOf } from '../decimal-text.ts'
import { at, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

/** Maximum number of symbols in one request. */
const topicsMax = 10

export const bybit: Ticker = {
  wire: 'websocket',
  url: 'wss://stream.bybit.com/v5/public/spot',
  subscriptions(symbols) {
    const topics = symbols.map((symbol) => `orderbook.1.${symbol}`)
    const requests: string[] = []
    for (let first = 0; first < topics.length; first += topicsMax)
      requests.push(
        JSON.stringify({ op: 'subscribe', args: topics.slice(first, first + topicsMax) }),
      )
    return requests
  },
  keepAlive: { everyMs: 20_000, text: JSON.stringify({ op: 'ping' }) },
  read(message) {
    if (textAt(message, 'topic')?.startsWith('orderbook.1.')) {
      const symbol = textAt(message, 'data', 's')
      if (symbol === null) return null
      const best = (side: string) => textAt(message, 'data', side, '0', '0')
      const atMs = wholeOf(textAt(message, 'cts'))
      return prices({ symbol, price: middleOf(best('b'), best('a')), atMs })
    }
    const op = textAt(message, 'op')
    if (op === 'unsubscribe') return ends('unsubscribed by the server')
    if (at(message, 'success') === false) return refused(textAt(message, 'ret_msg'))
    return op === null ? null : idle
  },
}
