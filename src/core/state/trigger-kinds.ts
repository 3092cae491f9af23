// Kinds of triggers: where each fires, and whether it is a level of a position. Add a new one at
// the end, because events and snapshots store the index.

type TriggerKind = Readonly<{
  /** Whether a trigger for an order of this side (0 bid, 1 ask) fires at or above its stop price,
   *  or at or below it. A stop follows the direction of the price, a take-profit opposes it
   *  (TRIG-1). */
  firesAbove(side: number): boolean
  /** The slot of the position that it takes when it is armed, or `null` if it is independent
   *  (TRIG-4). */
  level: 'takeProfit' | 'stopLoss' | null
}>

export const triggerKinds = {
  stop: { firesAbove: (side) => side === 0, level: null },
  take_profit: { firesAbove: (side) => side === 1, level: 'takeProfit' },
  stop_loss: { firesAbove: (side) => side === 0, level: 'stopLoss' },
} as const satisfies Readonly<Record<string, TriggerKind>>

export type TriggerKindName = keyof typeof triggerKinds

export const triggerKindNames = Object.keys(triggerKinds) as readonly TriggerKindName[]

export const STOP = 0
export const TAKE_PROFIT = 1
export const STOP_LOSS = 2

export function triggerKindOf(place: number): TriggerKind {
  return triggerKinds[triggerKindNames[place]!]
}
