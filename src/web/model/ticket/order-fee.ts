// The most that an order would be charged. The preview knows what it takes of the book as it is; by
// the time that the order arrives the market may have come to its price, and then all of it takes.

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
