// A stop or level, and how it follows the mark.

import type { Side, TriggerBy } from '../../../src/words/order-words.ts'

export type Trail = {
  distance: bigint | null
  ppm: bigint | null
  activation: bigint | null
  marks: bigint[]
}

export type Stop = {
  id: number
  account: number
  /** Whose key set it; null: the account's own. */
  agent: string | null
  /** ACCT-9: how far from the mark the policy of that key let it go, when the key went. */
  lastSlip: number | null
  /** How far from the mark its order goes, in ppm; null: as TRIG-3 has it. */
  slippage: bigint | null
  market: number
  side: Side
  kind: 'stop' | 'take_profit' | 'stop_loss'
  /** 0: it follows the mark. */
  stopPrice: bigint
  trail: Trail | null
  /** TRIG-10; null: as TRIG-1 has it. */
  up: boolean | null
  /** 0: market. */
  limitPrice: bigint
  /** 0: the whole position. */
  size: bigint
  /** The size it was given; `size` may be below it (TRIG-5). */
  wanted: bigint
  triggerBy: TriggerBy
  reduceOnly: boolean
  expireTime: number | null
  parent: number
  armed: boolean
  client: string | null
}
