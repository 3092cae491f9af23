// Binance spot: the mini ticker of each symbol, once a second. It pings by frames, which the
// websocket answers by itself, and ends a connection after a day, with a word before it.

import { plainDecimal, wholeOf } from '../decimal-text.ts'
import { at, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

const streamOf = (symbol: string) => `${symbol.toLowerCase()}@miniTicker`

export const binance: Ticker = {
  wire: 'websocket',
  url: 'wss://stream.binance.com:9443/ws',
  subscriptions: (symbols) => [
    JSON.stringify({ method: 'SUBSCRIBE', params: symbols.map(streamOf), id: 1 }),
  ],
  keepAlive: null,
  read(message) {
    const event = textAt(message, 'e')
    if (event === '24hrMiniTicker') {
      const symbol = textAt(message, 's')
      if (symbol === null) return null
      const price = plainDecimal(textAt(message, 'c') ?? '')
      return prices({ symbol, price, atMs: wholeOf(textAt(message, 'E')) })
    }
    if (event === 'serverShutdown') return ends('the server shuts down')
    if (at(message, 'error') !== undefined) return refused(textAt(message, 'error', 'msg'))
    if (textAt(message, 'code') !== null) return refused(textAt(message, 'msg'))
    return at(message, 'result') === null ? idle : null
  },
}
