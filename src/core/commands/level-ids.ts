// Ids of the take-profit and stop-loss levels of an order or a position, in rising order (TRIG-12).

import type { Level, Levels } from './commands.ts'

export type LevelIds = { readonly takeProfit: number[]; readonly stopLoss: number[] }
export type LevelSlot = keyof LevelIds

/** In the order in which the rules process them. */
export const levelSlots = ['takeProfit', 'stopLoss'] as const

export function noLevelIds(): LevelIds {
  return { takeProfit: [], stopLoss: [] }
}

/** Removes an id if it is present. Returns whether it was. */
export function removeId(ids: number[], id: number): boolean {
  const at = ids.indexOf(id)
  if (at >= 0) ids.splice(at, 1)
  return at >= 0
}

const none: readonly Level[] = []

/** The levels of one kind in a command, as a list. */
export function levelList(levels: Levels | undefined): readonly Level[] {
  if (levels == null) return none
  return isLevelList(levels) ? levels : [levels]
}

export function isLevelList(levels: Level | readonly Level[]): levels is readonly Level[] {
  return Array.isArray(levels)
}
