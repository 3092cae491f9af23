// Whether a command was refused, without making objects of its events.

import { type EventOf, kindAt, kindOfEvent, nextAfter } from '../core/index.ts'
import type { Outcome } from '../sequencer/outcome.ts'

const REJECTED = kindOfEvent('CommandRejected')

/** Why the rules said no to it; null: they did not. To be asked before the next call. */
export function refusalOf({ log, ownFirst, ownEnd }: Outcome): EventOf<'CommandRejected'> | null {
  const { rows } = log
  for (let at = ownFirst; at < ownEnd; at = nextAfter(rows, at))
    if (kindAt(rows, at) === REJECTED) return log.read(at) as EventOf<'CommandRejected'>
  return null
}
