// Whether a command was refused, without making objects of its events.

import { type EventOf, kindOfEvent, rowWidth } from '../core/index.ts'
import type { Outcome } from '../sequencer/outcome.ts'

const REJECTED = kindOfEvent('CommandRejected')

/** Why the rules said no to it; null: they did not. To be asked before the next call. */
export function refusalOf({ log, ownFirst, ownEnd }: Outcome): EventOf<'CommandRejected'> | null {
  for (let row = ownFirst; row < ownEnd; row++)
    if (log.rows[row * rowWidth] === REJECTED) return log.read(row) as EventOf<'CommandRejected'>
  return null
}
