// Enums of an order as typed.

import { misused } from '../frame/exit-codes.ts'

const sides = {
  bid: 'bid',
  buy: 'bid',
  long: 'bid',
  ask: 'ask',
  sell: 'ask',
  short: 'ask',
} as const

/** Positional arguments of all kinds of orders. */
export const marketAndSide = [
  { name: 'symbol', about: 'market, such as BTC', required: true },
  { name: 'side', about: 'bid (buy, long) or ask (sell, short)', required: true },
] as const

export function sideOf(word: string): 'bid' | 'ask' {
  const side = (sides as Readonly<Record<string, 'bid' | 'ask'>>)[word.toLowerCase()]
  if (side !== undefined) return side
  throw misused(`${word} is not a side`, 'bid (or buy, long) or ask (or sell, short)')
}

/** One of these words, in any case. */
export function oneOf<const W extends string>(
  flag: string,
  given: string,
  ...words: readonly W[]
): W {
  const found = words.find((each) => each.toLowerCase() === given.toLowerCase())
  if (found !== undefined) return found
  throw misused(`${flag} ${given} is not one of ${words.join(', ')}`)
}

export function orderIdOf(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number.parseInt(word, 10)
  throw misused(`${word} is not an order id`, '`openperp orders` lists yours')
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/** Flags of all kinds of orders. */
export const ownFlags = {
  'reduce-only': { about: 'reduce the position only' },
  'client-id': { value: '<uuid>', about: 'client order id, chosen by you' },
} as const
