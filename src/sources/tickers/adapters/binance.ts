// Binance spot: the trades of each symbol, with their time, because its quotes have none. It sends
// protocol pings, which the websocket answers automatically. It closes a connection after a day and
// announces that by a message.

import { plainDecimal, wholeOf } from '../decimal-text.ts'
import { at, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

const streamOf = (symbol: string) => `${symbol.toLowerCase()}@aggTrade`

export const binance: Ticker = {
  wire: 'websocket',
  url: 'wss://stream.binance.com:9443/ws',
  subscriptions: (symbols) => [
    JSON.stringify({ method: 'SUBSCRIBE', params: symbols.map(streamOf), id: 1 }),
  ],
  keepAlive: null,
  read(message) {
    const event = textAt(message, 'e')
    if (event === 'aggTrade') {
      const symbol = textAt(message, 's')
      if (symbol === null) return null
      const price = plainDecimal(textAt(message, 'p') ?? '')
      return prices({ symbol, price, atMs: wholeOf(textAt(message, 'T')) })
    }
    if (event === 'serverShutdown') return ends('the server shuts down')
    if (at(message, 'error') !== undefined) return refused(textAt(message, 'error', 'msg'))
    if (textAt(message, 'code') !== null) return refused(textAt(message, 'msg'))
    return at(message, 'result') === null ? idle : null
  },
}
