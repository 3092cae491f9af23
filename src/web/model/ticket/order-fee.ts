// Maximum fee of an order. The preview knows what it takes of the present book; when the order
// arrives, the market may have reached its price, and then all of it takes.

import { fixed, NONE } from '../number-text.ts'
import type { Preview } from '../wire.ts'
import type { Draft } from './order-draft.ts'
import { orderKinds } from './order-kinds.ts'

/** Whatever the book is then, it rests or has no effect. */
export function neverTakes({ kind, postOnly, tif }: Draft): boolean {
  if (kind === 'limit') return postOnly || tif === 'TOB'
  return orderKinds[kind].rests || (kind === 'scale' && postOnly)
}

/** `takerRate`: of the value; `null` if unknown. */
export function feeAtMost(
  draft: Draft,
  preview: Pick<Preview, 'notional' | 'fee'> | null,
  takerRate: number | null,
): string | number | null {
  if (preview === null || preview.notional === null) return null
  if (takerRate === null || neverTakes(draft)) return preview.fee
  // It may take at a better price than its own: a sale is then worth more.
  return Math.max(Number(preview.fee), Number(preview.notional) * takerRate)
}

/** Rounded up, because it is the maximum. Many fees of small orders are less than a cent, but not
 *  zero. */
export function feeText(fee: string | number | null): string {
  if (fee === null) return NONE
  const value = Number(fee)
  const places = value !== 0 && Math.abs(value) < 0.01 ? 4 : 2
  const scale = 10 ** places
  // A float may be slightly above its value; the exchange counts millionths.
  return `${fixed(Math.ceil(value * scale - 1e-6) / scale, places)} USD`
}
