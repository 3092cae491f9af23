// The options of an order as bits in the flags of the order and its draft: self-trade prevention
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

/** Returns the bits of the options, or −1 if a word is unknown. */
export function optionsOf({ stp, mmp }: OrderOptions): number {
  const place = stp == null ? CANCEL_MAKER : selfTradeModes.indexOf(stp)
  return place < 0 ? -1 : (place << STP_SHIFT) | (mmp === true ? PROTECTED : 0)
}

export function hasOptions({ stp, mmp }: OrderOptions): boolean {
  return stp != null || mmp === true
}

/** Whether the command states `false` explicitly. Its fixed record cannot distinguish that from
 *  absent. */
export function isSpelledOut({ mmp }: OrderOptions): boolean {
  return mmp === false
}

/** Whether all words are known and apply to an order that takes, or that rests. */
export function areCompatible(options: number, takes: boolean): boolean {
  return options >= 0 && !((options & PROTECTED) !== 0 && takes)
}

/** Returns the index of the self-trade prevention mode. */
export function stpOf(flags: number): number {
  return (flags >> STP_SHIFT) & 3
}

export function isProtected(flags: number): boolean {
  return (flags & PROTECTED) !== 0
}
