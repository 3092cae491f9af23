// Times in force: what an order does when it meets the book, and what becomes of its rest (ORDER-3,
// ORDER-4). A new one is a row here, at the end: events and journals keep the place.

import { type Tif, tifs, timesInForce } from '../../words/order-words.ts'

// Places of those that the engine itself gives to orders.
export const GTC = 0
export const IOC = 1
export const FOK = 2
export const ALO = 3

/** What a command says may be any word. */
export function isTif(word: string): word is Tif {
  return Object.hasOwn(timesInForce, word)
}

/** The place of a word, −1 for any other. */
export function tifOf(word: string): number {
  return tifs.indexOf(word as Tif)
}

const byPlace = Object.values(timesInForce)

/** An order whose word is none is refused; until then it is treated like any. */
export function timeInForceOf(place: number): (typeof byPlace)[number] {
  return byPlace[place] ?? timesInForce.GTC
}
