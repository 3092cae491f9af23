// The current levels of a position (TRIG-4).

import { broken } from '../../units/invariant.ts'
import { type LevelIds, noLevelIds, removeId } from '../commands/level-ids.ts'
import type { State } from '../state/state.ts'
import type { Trigger } from '../state/trigger.ts'
import { triggerKindOf } from '../state/trigger-kinds.ts'

const none = noLevelIds()
/** The count is stored in a byte. */
const countMax = 255

/** The caller must not keep the result, because it changes with the position. */
export function levelIdsOf({ tpsl }: State, row: number): LevelIds {
  return tpsl.get(row) ?? none
}

/** Adds an armed level to its position. The newest comes last. */
export function joinLevels(state: State, { id, kind, position }: Trigger): void {
  const { level } = triggerKindOf(kind)
  if (level === null) return
  const ids = state.tpsl.get(position) ?? noLevelIds()
  if (ids[level].includes(id)) broken('a level joins its position twice', id)
  ids[level].push(id)
  state.tpsl.set(position, ids)
  countLevels(state, position, ids)
}

export function isLevel(state: State, { id, kind, position }: Trigger): boolean {
  const { level } = triggerKindOf(kind)
  return level !== null && levelIdsOf(state, position)[level].includes(id)
}

/** Removes a level that ends or fires. */
export function leaveLevels(state: State, { id, kind, position, parent }: Trigger): void {
  const { level } = triggerKindOf(kind)
  if (level === null) return
  const attached = state.attached.get(parent)
  if (attached !== undefined) removeId(attached[level], id)
  const ids = state.tpsl.get(position)
  if (ids !== undefined && removeId(ids[level], id)) countLevels(state, position, ids)
}

function countLevels({ tpsl, positions }: State, row: number, ids: LevelIds): void {
  const count = ids.takeProfit.length + ids.stopLoss.length
  if (count > countMax) broken('a position has more levels than can be counted', count)
  positions.tpslCount[row] = count
  if (count === 0) tpsl.delete(row)
}
