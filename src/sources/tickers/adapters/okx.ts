// OKX, version 5: the best bid and ask of each instrument, with their time. The server closes a
// connection after 30 seconds without traffic, so the client sends `ping` before that and gets
// `pong`. Neither is JSON.

import { middleOf, wholeOf } from '../decimal-text.ts'
import { listAt, textAt } from '../exact-json.ts'
import { ends, idle, prices, refused, type Ticker } from '../ticker.ts'

export const okx: Ticker = {
  wire: 'websocket',
  url: 'wss://ws.okx.com:8443/ws/v5/public',
  subscriptions: (symbols) => [
    JSON.stringify({
      op: 'subscribe',
      args: symbols.map((instId) => ({ channel: 'tickers', instId })),
    }),
  ],
  keepAlive: { everyMs: 15_000, text: 'ping' },
  pong: 'pong',
  read(message) {
    switch (textAt(message, 'event')) {
      case 'error':
        return refused(textAt(message, 'msg'))
      case 'unsubscribe':
        return ends('unsubscribed by the server')
      case 'notice':
        return ends(textAt(message, 'msg') ?? 'the server ends the connection')
      case null:
        break
      default:
        return idle
    }
    const rows = listAt(message, 'data')
    if (textAt(message, 'arg', 'channel') !== 'tickers' || rows.length === 0) return null
    const instrument = textAt(message, 'arg', 'instId')
    return prices(
      ...rows.map((row) => ({
        symbol: textAt(row, 'instId') ?? instrument ?? '',
        price: middleOf(textAt(row, 'bidPx'), textAt(row, 'askPx')),
        atMs: wholeOf(textAt(row, 'ts')),
      })),
    )
  },
}
