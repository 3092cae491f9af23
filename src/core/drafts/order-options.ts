// The options of an order as bits of its flags, which its draft has too: self-trade prevention
// (ORDER-15) and market maker protection (ORDER-18).

import { type OptionName, type OrderOptions, selfTradeModes } from '../../words/order-words.ts'
import { PROTECTED, STP_SHIFT } from '../pools/order-pool.ts'

export const CANCEL_MAKER = 0
export const CANCEL_TAKER = 1
export const CANCEL_BOTH = 2

/** The bits of each option in the flags of an order. */
const optionBits = { stp: 3 << STP_SHIFT, mmp: PROTECTED } as const satisfies Readonly<
  Record<OptionName, number>
>
export const OPTIONS = optionBits.stp | optionBits.mmp

/** The bits of the options; −1 if a word is unknown. */
export function optionsOf({ stp, mmp }: OrderOptions): number {
  const place = stp == null ? CANCEL_MAKER : selfTradeModes.indexOf(stp)
  return place < 0 ? -1 : (place << STP_SHIFT) | (mmp === true ? PROTECTED : 0)
}

export function hasOptions({ stp, mmp }: OrderOptions): boolean {
  return stp != null || mmp === true
}

/** Whether `false` is stated: the fixed record of a command cannot tell it apart from absent. */
export function isSpelledOut({ mmp }: OrderOptions): boolean {
  return mmp === false
}

/** Whether all words are known, and fit an order that takes or rests. */
export function areCompatible(options: number, takes: boolean): boolean {
  return options >= 0 && !((options & PROTECTED) !== 0 && takes)
}

/** The index of the self-trade prevention mode. */
export function stpOf(flags: number): number {
  return (flags >> STP_SHIFT) & 3
}

export function isProtected(flags: number): boolean {
  return (flags & PROTECTED) !== 0
}
