// A trigger: a dormant order that wakes on a price. Stops, take-profit and stop-loss levels,
// attached or of a position, are all triggers (docs/rules/triggers.md).

import type { Trail } from './trail.ts'

export const BY_MARK = 0
export const BY_LAST = 1
export const BY_MID = 2

/** The wave of one that has ended: heaps that still have it step over it. */
export const GONE = -1

export type Trigger = {
  readonly id: number
  readonly account: number
  /** The key that set it; null: the account's own. */
  agent: string | null
  /** What the policy of that key said when it went: how far from the mark; null: it has not gone,
   *  or there was no such limit. */
  lastSlippagePpm: number | null
  /** Row of the position pool. */
  readonly position: number
  readonly market: number
  /** Side of the order it will make: 0 bid, 1 ask. */
  readonly side: number
  /** Place in trigger-kinds.ts. */
  readonly kind: number
  /** 0: it trails. */
  readonly stopPrice: number
  readonly trail: Trail | null
  /** 0: market. */
  readonly limitPrice: number
  /** How far from the mark its market order may go; null: as the market has it (TRIG-3). */
  readonly slippagePpm: number | null
  /** The size that its owner set; 0: the whole position. */
  readonly wanted: number
  /** What it would close now: below `wanted` while its parent fills, or after the position
   *  shrank. */
  size: number
  /** How much of `wanted` it lost because the position shrank. */
  cut: number
  readonly triggerBy: number
  readonly reduceOnly: boolean
  /** Fires at price ≥ stop, otherwise at price ≤ stop. */
  readonly up: boolean
  /** When it ends, if not before; null: nothing ends it then. */
  expireTime: number | null
  parent: number
  armed: boolean
  readonly clientOrderId: string | null
  readonly createdAt: number
  updatedAt: number
  /** Of those that are reached and wait for their turn; 0: it does not wait; or GONE. */
  wave: number
  /** Its place in the wave. */
  distance: number
}
