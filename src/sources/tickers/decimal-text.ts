// Converts numbers in foreign formats to plain decimal text.

import { parseDecimal, pointed } from '../../units/decimal.ts'

const written = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/
const placesMax = 60

/** Shifts the decimal point to the right by `places`, and removes an exponent. Empty if the text is
 *  not a number. */
export function plainDecimal(text: string, places = 0): string {
  const match = written.exec(text)
  if (match === null) return ''
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = match
  const moved = places + Number.parseInt(exponent, 10)
  if (!(Math.abs(moved) <= placesMax)) return ''
  const digits = (integer + fraction).replace(/^0+(?=\d)/, '')
  const scale = fraction.length - moved
  return (
    sign + (scale <= 0 ? digits + '0'.repeat(digits === '0' ? 0 : -scale) : pointed(digits, scale))
  )
}

/** Exact midpoint of the best bid and ask. Empty if a side is missing or invalid, or if the book is
 *  crossed. */
export function middleOf(bidText: string | null, askText: string | null): string {
  const [bid, ask] = [plainDecimal(bidText ?? ''), plainDecimal(askText ?? '')]
  if (bid === '' || ask === '' || bid.startsWith('-') || ask.startsWith('-')) return ''
  const scale = Math.max(scaleOf(bid), scaleOf(ask))
  const [low, high] = [digitsOf(bid, scale), digitsOf(ask, scale)]
  return low > high ? '' : pointed(((low + high) * 5n).toString(), scale + 1)
}

const scaleOf = (text: string) => text.split('.')[1]?.length ?? 0
const digitsOf = (text: string, scale: number) =>
  BigInt(text.replace('.', '') + '0'.repeat(scale - scaleOf(text)))

/** Parses a whole number, such as milliseconds; `null` if it is invalid. */
export function wholeOf(text: string | null): number | null {
  const parsed = text === null ? null : parseDecimal(text, 0)
  return parsed?.ok ? parsed.value : null
}

/** Parses an ISO 8601 time to milliseconds; `null` if it is invalid. */
export function msOfIso(text: string | null): number | null {
  const ms = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : ms
}
