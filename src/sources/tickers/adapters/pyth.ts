// Pyth through a Hermes server: a stream of price updates, as server-sent events. A price is an
// integer with a power of ten. Its time has whole seconds, so a price counts as up to a second
// older than it is.

import { plainDecimal, wholeOf } from '../decimal-text.ts'
import { type Json, listAt, textAt } from '../exact-json.ts'
import { prices, type Quote, type Ticker } from '../ticker.ts'

const bareId = (id: string) => id.toLowerCase().replace(/^0x/, '')

export const pyth: Ticker = {
  wire: 'events',
  url: 'https://hermes.pyth.network',
  addressOf(url, symbols) {
    const address = new URL(url)
    address.pathname = `${address.pathname.replace(/\/$/, '')}/v2/updates/price/stream`
    for (const id of symbols) address.searchParams.append('ids[]', bareId(id))
    address.searchParams.append('parsed', 'true')
    return address.href
  },
  subscriptions: () => [],
  keepAlive: null,
  read(message, symbols) {
    const updates = listAt(message, 'parsed')
    if (updates.length === 0) return null
    return prices(...updates.map((update) => quoteOf(update, symbols)))
  },
}

function quoteOf(update: Json, symbols: readonly string[]): Quote {
  const id = bareId(textAt(update, 'id') ?? '')
  const exponent = wholeOf(textAt(update, 'price', 'expo'))
  const seconds = wholeOf(textAt(update, 'price', 'publish_time'))
  return {
    symbol: symbols.find((symbol) => bareId(symbol) === id) ?? id,
    price: exponent === null ? '' : plainDecimal(textAt(update, 'price', 'price') ?? '', exponent),
    atMs: seconds === null ? null : seconds * 1_000,
  }
}
