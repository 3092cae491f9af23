// Self-trade prevention (ORDER-15): the taker says which of two orders of one owner gives way. A
// new word goes to the end: orders and journals keep the place.

import { STP_SHIFT } from './order-pool.ts'

export const selfTradeModes = ['cancel_maker', 'cancel_taker', 'cancel_both'] as const

export type Stp = (typeof selfTradeModes)[number]

export const CANCEL_MAKER = 0
export const CANCEL_TAKER = 1
export const CANCEL_BOTH = 2

/** The place of a word, −1 for any other; none is as the first. */
export function stpOf(word: Stp | null | undefined): number {
  return word == null ? CANCEL_MAKER : selfTradeModes.indexOf(word)
}

/** The place that the flags of an order have. */
export function stpOfFlags(flags: number): number {
  return (flags >> STP_SHIFT) & 3
}
