// A TWAP: one size worked off in equal slices of time (TRIG-6). How it begins and ends is in
// twap-life.ts, what it does in run-twap.ts.

import { limits } from '../rules/limits.ts'

export type Twap = {
  readonly id: number
  readonly account: number
  /** The key that placed it; null: the account's own. */
  agent: string | null
  readonly position: number
  readonly market: number
  readonly side: number
  readonly size: number
  readonly reduceOnly: boolean
  readonly slippagePpm: number
  readonly slices: number
  readonly clientOrderId: string | null
  readonly startedAt: number
  done: number
  filled: number
  /** Money of its fills, for the average price. */
  filledValue: number
  /** Ids of its slices' orders that have not ended, rising: mostly none or one, as a slice waits
   *  for much less time than lies between two of them. */
  readonly orders: number[]
}

const sliceMs = limits.twapSliceSeconds * 1_000

/** When its next slice is due. */
export function dueOf(twap: Twap): number {
  return twap.startedAt + twap.done * sliceMs
}

/** When the newest slice ran; before the first, when it began. */
export function slicedAt(twap: Twap): number {
  return twap.startedAt + Math.max(0, twap.done - 1) * sliceMs
}

/** When the last slice of a TWAP that began then is due. */
export function twapEnd(startedAt: number, slices: number): number {
  return startedAt + (slices - 1) * sliceMs
}
