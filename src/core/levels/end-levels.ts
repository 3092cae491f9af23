// Ends the levels of a position (TRIG-2, TRIG-5, ORDER-7).

import type { cancelReasons } from '../../words/order-words.ts'
import type { LevelSlot } from '../commands/level-ids.ts'
import type { EventLog } from '../events/event-log.ts'
import type { State } from '../state/state.ts'
import { cancelTrigger } from '../triggers/end-trigger.ts'
import { levelIdsOf } from './position-levels.ts'

/** Ends all levels of a kind, by id. */
export function endLevels(
  state: State,
  log: EventLog,
  row: number,
  slot: LevelSlot,
  reason: (typeof cancelReasons)[number],
): void {
  for (const id of [...levelIdsOf(state, row)[slot]])
    cancelTrigger(state, log, state.triggers.get(id)!, reason)
}
