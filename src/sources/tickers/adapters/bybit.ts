// Bybit spot, version 5: the ticker of each symbol. A client sends its ping every 20 seconds.

import { plainDecimal, wholeOf } from '../decimal-text.ts'
import { at, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

/** More are refused in one request. */
const topicsMax = 10

export const bybit: Ticker = {
  wire: 'websocket',
  url: 'wss://stream.bybit.com/v5/public/spot',
  subscriptions(symbols) {
    const topics = symbols.map((symbol) => `tickers.${symbol}`)
    const requests: string[] = []
    for (let first = 0; first < topics.length; first += topicsMax)
      requests.push(
        JSON.stringify({ op: 'subscribe', args: topics.slice(first, first + topicsMax) }),
      )
    return requests
  },
  keepAlive: { everyMs: 20_000, text: JSON.stringify({ op: 'ping' }) },
  read(message) {
    if (textAt(message, 'topic')?.startsWith('tickers.')) {
      const symbol = textAt(message, 'data', 'symbol')
      if (symbol === null) return null
      // What a change does not name is as it was.
      const last = textAt(message, 'data', 'lastPrice')
      if (last === null && textAt(message, 'type') === 'delta') return idle
      const atMs = wholeOf(textAt(message, 'ts'))
      return prices({ symbol, price: plainDecimal(last ?? ''), atMs })
    }
    const op = textAt(message, 'op')
    if (op === 'unsubscribe') return ends('unsubscribed by the server')
    if (at(message, 'success') === false) return refused(textAt(message, 'ret_msg'))
    return op === null ? null : idle
  },
}
