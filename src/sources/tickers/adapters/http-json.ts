// Any JSON that is to be had by HTTP, asked for again and again. A symbol is where its price
// stands, as a JSON pointer (RFC 6901).

import { plainDecimal } from '../decimal-text.ts'
import { type Json, textAt } from '../exact-json.ts'
import { prices, type Ticker } from '../ticker.ts'

export const httpJson: Ticker = {
  wire: 'poll',
  url: null,
  subscriptions: () => [],
  keepAlive: null,
  read(message, symbols) {
    const texts = symbols.map((pointer) => found(message, pointer))
    if (texts.every((text) => text === null)) return null
    return prices(
      ...symbols.map((symbol, index) => ({
        symbol,
        price: plainDecimal(texts[index] ?? ''),
        atMs: null,
      })),
    )
  },
}

function found(message: Json, pointer: string): string | null {
  const steps = pointer.split('/').slice(1)
  return textAt(message, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')))
}
