// ORDER-4's table of times in force, as the document has it: what an order does where it crosses,
// and what becomes of its rest.

import type { Tif } from '../../../src/words/order-words.ts'

type Row = Readonly<{
  crossing: 'takes' | 'takes all or ends' | 'ends' | 'steps aside'
  rest: 'rests' | 'ends'
}>

const table: Readonly<Record<Tif, Row>> = {
  GTC: { crossing: 'takes', rest: 'rests' },
  IOC: { crossing: 'takes', rest: 'ends' },
  FOK: { crossing: 'takes all or ends', rest: 'ends' },
  ALO: { crossing: 'ends', rest: 'rests' },
  TOB: { crossing: 'steps aside', rest: 'rests' },
}

/** A command may say any word: then it is refused, and until then nothing is known of it. */
function crossingOf(tif: Tif): Row['crossing'] | undefined {
  return Object.hasOwn(table, tif) ? table[tif].crossing : undefined
}

export const isTif = (word: unknown): boolean => Object.keys(table).includes(word as string)
export const mayTake = (tif: Tif): boolean => crossingOf(tif)?.startsWith('takes') === true
export const mustFill = (tif: Tif): boolean => crossingOf(tif) === 'takes all or ends'
export const isPostOnly = (tif: Tif): boolean => crossingOf(tif) === 'ends'
export const stepsAside = (tif: Tif): boolean => crossingOf(tif) === 'steps aside'
export const mayRest = (tif: Tif): boolean => table[tif].rest === 'rests'
