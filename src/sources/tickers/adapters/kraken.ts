// Kraken spot, version 2: the best bid and ask of each pair, with their time, after every change.
// Prices are JSON numbers, parsed exactly as written. Without other traffic the server sends a
// heartbeat once per second. It answers a ping with a pong.

import { middleOf, msOfIso } from '../decimal-text.ts'
import { at, listAt, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

export const kraken: Ticker = {
  wire: 'websocket',
  url: 'wss://ws.kraken.com/v2',
  subscriptions: (symbols) => [
    JSON.stringify({
      method: 'subscribe',
      params: { channel: 'ticker', symbol: symbols, event_trigger: 'bbo' },
    }),
  ],
  keepAlive: { everyMs: 15_000, text: JSON.stringify({ method: 'ping' }) },
  read(message) {
    const channel = textAt(message, 'channel')
    if (channel === 'heartbeat' || channel === 'status') return idle
    if (channel === 'ticker') {
      const rows = listAt(message, 'data')
      if (rows.length === 0) return null
      return prices(
        ...rows.map((row) => ({
          symbol: textAt(row, 'symbol') ?? '',
          price: middleOf(textAt(row, 'bid'), textAt(row, 'ask')),
          atMs: msOfIso(textAt(row, 'timestamp')),
        })),
      )
    }
    const method = textAt(message, 'method')
    if (method === 'unsubscribe') return ends('unsubscribed by the server')
    if (at(message, 'success') === false) return refused(textAt(message, 'error'))
    return method === null ? null : idle
  },
}
