// An algo: a size that the engine works off through ordinary orders, step by step (ALGO-1). How one
// begins and ends is in algo-life.ts, what its steps do in the file of its kind.

import type { AlgoKind } from '../../words/order-words.ts'

/** Those whose orders rest in the book. */
export type RestingKind = Exclude<AlgoKind, 'twap'>

export type Algo = {
  readonly id: number
  readonly kind: AlgoKind
  readonly account: number
  /** The key that placed it; null: the account's own. */
  agent: string | null
  readonly position: number
  readonly market: number
  readonly side: number
  readonly size: number
  readonly reduceOnly: boolean
  readonly clientOrderId: string | null
  readonly startedAt: number
  /** Of a TWAP, else 0. */
  readonly slippagePpm: number
  readonly slices: number
  /** Of what rests in the book, else 0: its price, which a chase never goes beyond, and of an
   *  iceberg the lots that it shows. */
  readonly price: number
  readonly display: number
  /** When it ends, if not before (ORDER-14). */
  readonly expireTime: number | null
  /** Steps that have run, when the newest did (before the first: when it was placed), and when the
   *  next is due; 0: none is planned. */
  steps: number
  steppedAt: number
  dueAt: number
  /** In a row. */
  refusals: number
  filled: number
  /** Money of its fills, for the average price. */
  filledValue: number
  /** Ids of its orders that have not ended, rising: mostly none or one. */
  readonly orders: number[]
}

/** Its orders rest in the book, one at a time; those of a TWAP take and are closed. */
export function rests({ kind }: Algo): boolean {
  return kind !== 'twap'
}
