// JSON over HTTP, polled. A symbol is a JSON pointer (RFC 6901) to its price. The pointer to its
// time is configured in the same way.

import { msOfIso, plainDecimal } from '../decimal-text.ts'
import { type Json, textAt } from '../exact-json.ts'
import { prices, type Ticker } from '../ticker.ts'

type TimeUnit = 'ms' | 's' | 'us' | 'ns' | 'iso'

/** Pointer to the time of a price, by symbol. */
export type TimeField = Readonly<{ paths: Readonly<Record<string, string>>; unit: TimeUnit }>

/** `time` is `null` if the answer has no time of a price. */
export function httpJsonWith(time: TimeField | null): Ticker {
  return {
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
          atMs: time === null ? null : timeOf(message, symbol, time),
        })),
      )
    },
  }
}

export const httpJson: Ticker = httpJsonWith(null)

/** Decimal places by which a time is shifted to convert it to milliseconds. */
const places = { ms: 0, s: 3, us: -3, ns: -6 } as const

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Rounded down, so that a price never counts as observed later than its source reports. */
function timeOf(message: Json, symbol: string, { paths, unit }: TimeField): number | null {
  const path = paths[symbol]
  const text = path === undefined ? null : found(message, path)
  if (text === null) return null
  if (unit === 'iso') return isoTime.test(text) ? msOfIso(text) : null
  const whole = plainDecimal(text, places[unit]).split('.')[0] ?? ''
  return /^\d{1,15}$/.test(whole) ? Number.parseInt(whole, 10) : null
}

function found(message: Json, pointer: string): string | null {
  const steps = pointer.split('/').slice(1)
  return textAt(message, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')))
}
