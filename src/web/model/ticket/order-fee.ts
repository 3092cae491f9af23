// Maximum fee of an order. The preview computes what would be taken from the current book. When the
// order arrives, the market may have reached its price, so that all of it takes.

import { fixed, NONE } from '../number-text.ts'
import type { Preview } from '../wire.ts'
import type { Draft } from './order-draft.ts'
import { orderKinds } from './order-kinds.ts'

/** Whether the order never takes, whatever the book is when it arrives. */
export function neverTakes({ kind, postOnly, tif }: Draft): boolean {
  if (kind === 'limit') return postOnly || tif === 'TOB'
  return orderKinds[kind].rests || (kind === 'scale' && postOnly)
}

/** Maximum fee. `takerRate` is a fraction of the value; the result is `null` if the rate is
 *  unknown. */
export function feeAtMost(
  draft: Draft,
  preview: Pick<Preview, 'notional' | 'fee'> | null,
  takerRate: number | null,
): string | number | null {
  if (preview === null || preview.notional === null) return null
  if (takerRate === null || neverTakes(draft)) return preview.fee
  // The order may take at a better price than its own, and a sale is then worth more.
  return Math.max(Number(preview.fee), Number(preview.notional) * takerRate)
}

/** Formats a fee, rounded up because it is a maximum. Fees of small orders may be less than a cent,
 *  but not zero. */
export function feeText(fee: string | number | null): string {
  if (fee === null) return NONE
  const value = Number(fee)
  const places = value !== 0 && Math.abs(value) < 0.01 ? 4 : 2
  const scale = 10 ** places
  // A float may be slightly above its value. The exchange counts millionths.
  return `${fixed(Math.ceil(value * scale - 1e-6) / scale, places)} USD`
}
