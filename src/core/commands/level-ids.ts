// The take-profits and the stop-losses of an order or a position, by rising id (TRIG-12).

import type { Level, Levels } from './commands.ts'

export type LevelIds = { readonly takeProfit: number[]; readonly stopLoss: number[] }
export type LevelSlot = keyof LevelIds

/** In the order in which the rules go through them. */
export const levelSlots = ['takeProfit', 'stopLoss'] as const

export function noLevelIds(): LevelIds {
  return { takeProfit: [], stopLoss: [] }
}

/** Takes it out if it is there. */
export function removeId(ids: number[], id: number): boolean {
  const at = ids.indexOf(id)
  if (at >= 0) ids.splice(at, 1)
  return at >= 0
}

const none: readonly Level[] = []

/** What a command says of the levels of a kind, as a list. */
export function levelList(levels: Levels | undefined): readonly Level[] {
  if (levels == null) return none
  return isLevelList(levels) ? levels : [levels]
}

export function isLevelList(levels: Level | readonly Level[]): levels is readonly Level[] {
  return Array.isArray(levels)
}
