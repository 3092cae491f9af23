// A trigger: a dormant order that a price activates. Stops, take-profit and stop-loss levels,
// attached or of a position, are all triggers (docs/rules/triggers.md).

import type { Trail } from './trail.ts'

export const BY_MARK = 0
export const BY_LAST = 1
export const BY_MID = 2

/** The wave of a trigger that has ended. Heaps that still contain it skip it. */
export const GONE = -1

export type Trigger = {
  readonly id: number
  readonly account: number
  /** The key that set the trigger, or `null` for the account's own key. */
  agent: string | null
  /** The maximum slippage of the key's policy when the key was unbound. `null`: the key is still
   *  bound, or there was no such limit. */
  lastSlippagePpm: number | null
  /** Row of the position pool. */
  readonly position: number
  readonly market: number
  /** Side of the order it will place: 0 bid, 1 ask. */
  readonly side: number
  /** Index in trigger-kinds.ts. */
  readonly kind: number
  /** 0 for a trailing stop. */
  readonly stopPrice: number
  readonly trail: Trail | null
  /** 0 for a market order. */
  readonly limitPrice: number
  /** Maximum distance of its market order from the mark. `null`: the default of the market
   *  (TRIG-3). */
  readonly slippagePpm: number | null
  /** The size set by its owner; 0: the whole position. */
  readonly wanted: number
  /** The size it would close now: below `wanted` while its parent fills, or after the position
   *  shrank. */
  size: number
  /** The part of `wanted` that was cut because the position shrank. */
  cut: number
  readonly triggerBy: number
  readonly reduceOnly: boolean
  /** Fires at price ≥ stop, otherwise at price ≤ stop. */
  readonly up: boolean
  /** Expiry, or `null` for none. */
  expireTime: number | null
  parent: number
  armed: boolean
  readonly clientOrderId: string | null
  readonly createdAt: number
  updatedAt: number
  /** The wave of a queued trigger; 0 if it is not queued; or GONE. */
  wave: number
  /** Its distance, which is its key within the wave. */
  distance: number
}
