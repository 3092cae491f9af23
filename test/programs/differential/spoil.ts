// Puts one wrong value into a valid command: a number off its grid or out of range, an unknown
// word, a text too short or too long. Both engines must refuse it for the same reason, or agree
// that it does no harm.

import type { Made } from './making.ts'
import type { Random } from './random.ts'

const words = new Set(['side', 'tif', 'triggerBy', 'mode', 'stp'])
const texts = new Set([
  'clientOrderId',
  'address',
  'reference',
  'agent',
  'ip',
  'prefix',
  'connection',
  'digest',
  'symbol',
  'baseAsset',
  'backstopAddress',
])
/** Flags, facts of the gateway and free numbers of operators, which have no wrong values. */
const leftAlone = new Set([
  'type',
  'proof',
  'invariant',
  'reduceOnly',
  'mmp',
  'excludeReduceOnly',
  'keepProtective',
  'isolated',
  'enabled',
  'frozen',
  'jump',
])

/** A record or null: a number is not valid here. */
const records = new Set(['takeProfit', 'stopLoss', 'policy', 'markets', 'limits'])

export const badNumbers: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -1,
  0.5,
  1.25,
  2 ** 31,
  2 ** 32 + 1,
  2 ** 52,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  1e300,
]
export const badTexts: readonly string[] = ['', 'x'.repeat(128), 'x'.repeat(129), 'unknown']
export const badWords: readonly string[] = ['', 'nonsense', 'BID', 'gtc']

type Slot = Readonly<{ holder: Record<string, unknown>; key: string }>

function slotsOf(value: unknown, slots: Slot[]): Slot[] {
  if (typeof value !== 'object' || value === null) return slots
  const holder = value as Record<string, unknown>
  for (const [key, inner] of Object.entries(holder)) {
    if (leftAlone.has(key) || (inner === null && records.has(key))) continue
    if (typeof inner === 'object' && inner !== null) slotsOf(inner, slots)
    else slots.push({ holder, key })
  }
  return slots
}

export function malformed(made: Made, random: Random): Made {
  const copy = structuredClone(made)
  const slot = random.any(slotsOf(copy, []))
  if (slot === undefined) return copy
  const { holder, key } = slot
  if (words.has(key) || typeof holder[key] === 'boolean') holder[key] = random.pick(badWords)
  else if (texts.has(key) || typeof holder[key] === 'string') holder[key] = random.pick(badTexts)
  else holder[key] = badNumber(holder[key], random)
  return copy
}

function badNumber(value: unknown, random: Random): number {
  if (typeof value !== 'number' || random.chance(0.7)) return random.pick(badNumbers)
  return random.pick([value + 0.5, -value - 1, value * 1_000 + 1, value + 1])
}
