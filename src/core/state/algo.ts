// An algo: a size that the engine executes through ordinary orders, step by step (ALGO-1).
// algo-life.ts starts and ends algos; the file of each kind defines its steps.

import type { AlgoKind } from '../../words/order-words.ts'

/** Kinds with orders that rest in the book. */
export type RestingKind = Exclude<AlgoKind, 'twap'>

export type Algo = {
  readonly id: number
  readonly kind: AlgoKind
  readonly account: number
  /** The key that placed the algo, or `null` for the account's own key. */
  agent: string | null
  readonly position: number
  readonly market: number
  readonly side: number
  readonly size: number
  readonly reduceOnly: boolean
  readonly clientOrderId: string | null
  readonly startedAt: number
  /** Set for a TWAP, otherwise 0. */
  readonly slippagePpm: number
  readonly slices: number
  /** Set for algos with resting orders, otherwise 0: the limit price, which is the bound of a
   *  chase, and the displayed lots of an iceberg. */
  readonly price: number
  readonly display: number
  /** Expiry, or `null` for none (ORDER-14). */
  readonly expireTime: number | null
  /** Number of steps, time of the last step (before the first: when the algo was placed), and when
   *  the next step is due (0: none is planned). */
  steps: number
  steppedAt: number
  dueAt: number
  /** Consecutive rejections. */
  refusals: number
  filled: number
  /** Total value of its fills, for the average price. */
  filledValue: number
  /** Ids of its open orders, rising; usually none or one. */
  readonly orders: number[]
}

/** Whether its orders rest in the book, one at a time. Orders of a TWAP take and are closed. */
export function rests({ kind }: Algo): boolean {
  return kind !== 'twap'
}
