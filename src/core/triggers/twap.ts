// A TWAP: one size worked off in equal slices of time (TRIG-6), and the TWAPs of an account. The
// verbs are in run-twap.ts.

import type { State } from '../state.ts'

export type Twap = {
  readonly id: number
  readonly account: number
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
}

/** Takes a running TWAP into the state; it must have the largest id of its account. */
export function adoptTwap(state: State, twap: Twap): void {
  const { positions, accounts } = state
  const record = accounts.records[twap.account]!
  state.twaps.set(twap.id, twap)
  record.twaps ??= new Set()
  record.twaps.add(twap.id)
  positions.twapCount[twap.position] = positions.twapCount[twap.position]! + 1
}

export function dropTwap(state: State, twap: Twap): void {
  const { positions, accounts } = state
  state.twaps.delete(twap.id)
  accounts.records[twap.account]!.twaps!.delete(twap.id)
  positions.twapCount[twap.position] = positions.twapCount[twap.position]! - 1
}

/** Those of one account by rising id, without a look at anybody else's. */
export function twapsOf(state: State, account: number): Twap[] {
  const ids = state.accounts.records[account]?.twaps ?? []
  return [...ids].map((id) => state.twaps.get(id)!)
}
