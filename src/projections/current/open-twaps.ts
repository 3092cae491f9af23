// TWAPs that are running, newest first.

import { limits, sides } from '../../core/index.ts'
import type { State } from '../../core/state/state.ts'
import { dueOf } from '../../core/triggers/twap.ts'
import { twapsOf } from '../../core/triggers/twap-life.ts'

export type OpenTwap = Readonly<{
  order: number
  clientOrderId: string | null
  market: number
  side: 'bid' | 'ask'
  initialLots: number
  filledLots: number
  filledValue: number
  reduceOnly: boolean
  slippagePpm: number
  slices: number
  past: number
  createdAt: number
  /** When its newest slice ran. */
  updatedAt: number
}>

const sliceMs = limits.twapSliceSeconds * 1_000

export function openTwaps(state: State, account: number): readonly OpenTwap[] {
  return twapsOf(state, account)
    .map((twap) => ({
      order: twap.id,
      clientOrderId: twap.clientOrderId,
      market: twap.market,
      side: sides[twap.side]!,
      initialLots: twap.size,
      filledLots: twap.filled,
      filledValue: twap.filledValue,
      reduceOnly: twap.reduceOnly,
      slippagePpm: twap.slippagePpm,
      slices: twap.slices,
      past: twap.done,
      createdAt: twap.startedAt,
      updatedAt: twap.done === 0 ? twap.startedAt : dueOf(twap) - sliceMs,
    }))
    .reverse()
}

/** When its last slice is due. */
export function twapEnd({ createdAt, slices }: Pick<OpenTwap, 'createdAt' | 'slices'>): number {
  return createdAt + (slices - 1) * sliceMs
}
