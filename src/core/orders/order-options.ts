// What few orders ask for beside the ordinary: which of two own orders gives way (ORDER-15), and to
// go when their account is filled too fast (ORDER-18). Each is some bits of an order's flags, and a
// draft has them as they will be there. A new word goes to the end: orders and journals keep the
// place.

import { PROTECTED, STP_SHIFT } from './order-pool.ts'

export const selfTradeModes = ['cancel_maker', 'cancel_taker', 'cancel_both'] as const

export type Stp = (typeof selfTradeModes)[number]

export const CANCEL_MAKER = 0
export const CANCEL_TAKER = 1
export const CANCEL_BOTH = 2

export type OrderOptions = Readonly<{ stp?: Stp | null; mmp?: boolean }>
/** Those that an order may have which never rests. */
export const takerOptions = ['stp'] as const
export type TakerOptions = Pick<OrderOptions, (typeof takerOptions)[number]>

/** What each is where commands are spelled. */
export const optionShapes = { stp: 'text', mmp: 'flag' } as const satisfies Readonly<
  Record<keyof OrderOptions, 'text' | 'flag'>
>

/** All of them in the flags. */
export const OPTIONS = (3 << STP_SHIFT) | PROTECTED

/** Their bits; −1: one of them is not a word of it. */
export function optionsOf({ stp, mmp }: OrderOptions): number {
  const place = stp == null ? CANCEL_MAKER : selfTradeModes.indexOf(stp)
  return place < 0 ? -1 : (place << STP_SHIFT) | (mmp === true ? PROTECTED : 0)
}

export function hasOptions({ stp, mmp }: OrderOptions): boolean {
  return stp != null || mmp === true
}

/** The fixed record of a command has no room for it: that somebody asked for none is told from
 *  that nobody asked. */
export function isSpelledOut({ mmp }: OrderOptions): boolean {
  return mmp === false
}

/** Words of it, and fit for an order that takes, or does not. */
export function goTogether(options: number, takes: boolean): boolean {
  return options >= 0 && !((options & PROTECTED) !== 0 && takes)
}

/** The mode that flags have. */
export function stpOf(flags: number): number {
  return (flags >> STP_SHIFT) & 3
}

export function isProtected(flags: number): boolean {
  return (flags & PROTECTED) !== 0
}
