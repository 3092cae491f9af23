// Times in force: what an order does when it meets the book, and what happens to its remainder
// (ORDER-3, ORDER-4). Add a new one as the last row, because events and journals store the index.

import { type Tif, tifs, timesInForce } from '../../words/order-words.ts'

// Indexes of the times in force that the engine itself gives to orders.
export const GTC = 0
export const IOC = 1
export const FOK = 2
export const ALO = 3

/** A command may contain any word. */
export function isTif(word: string): word is Tif {
  return Object.hasOwn(timesInForce, word)
}

/** Returns the index of a word, or −1 if it is unknown. */
export function tifOf(word: string): number {
  return tifs.indexOf(word as Tif)
}

const byPlace = Object.values(timesInForce)

/** An order with an unknown word is rejected. Until then it is handled like any other order. */
export function timeInForceOf(place: number): (typeof byPlace)[number] {
  return byPlace[place] ?? timesInForce.GTC
}
