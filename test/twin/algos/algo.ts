// An algo as the naive exchange knows it (ALGO-1).

import type { AlgoKind, Side } from '../../../src/words/order-words.ts'

/** `O`: its orders. */
export type AlgoOf<O> = {
  id: number
  kind: AlgoKind
  account: number
  agent: string | null
  market: number
  side: Side
  size: bigint
  slices: number
  /** Steps that have run. */
  done: number
  filled: bigint
  filledValue: bigint
  reduceOnly: boolean
  slippagePpm: bigint
  startMs: number
  client: string | null
  /** Of what rests: where, what of it is shown, when it ends; how many steps in a row were refused;
   *  when the next is due, or null. */
  price: bigint
  display: bigint
  expireTime: number | null
  refusals: number
  dueAt: number | null
  /** Orders of it that have not ended. */
  live: O[]
}
