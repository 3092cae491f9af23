// The most that an order would be charged. The preview knows what it takes of the book as it is; by
// the time that the order arrives the market may have come to its price, and then all of it takes.

import { fixed, NONE } from '../number-text.ts'
import type { Preview } from '../wire.ts'
import type { Draft } from './order-draft.ts'
import { orderKinds } from './order-kinds.ts'

/** Whatever the book is when it arrives: it rests, or nothing comes of it. */
export function neverTakes({ kind, postOnly, tif }: Draft): boolean {
  if (kind === 'limit') return postOnly || tif === 'TOB'
  return orderKinds[kind].rests || (kind === 'scale' && postOnly)
}

/** `takerRate`: of the value, null while it is not known. */
export function feeAtMost(
  draft: Draft,
  preview: Pick<Preview, 'notional' | 'fee'> | null,
  takerRate: number | null,
): string | number | null {
  if (preview === null || preview.notional === null) return null
  if (takerRate === null || neverTakes(draft)) return preview.fee
  // What it takes now may be better than its price: a sale is then worth more.
  return Math.max(Number(preview.fee), Number(preview.notional) * takerRate)
}

/** Rounded up, because it is the most. Many fees of small orders are less than a cent, and none of
 *  them is nothing. */
export function feeText(fee: string | number | null): string {
  if (fee === null) return NONE
  const value = Number(fee)
  const places = value !== 0 && Math.abs(value) < 0.01 ? 4 : 2
  const scale = 10 ** places
  // A float may lie a hair above what it means; the exchange counts millionths.
  return `${fixed(Math.ceil(value * scale - 1e-6) / scale, places)} USD`
}
