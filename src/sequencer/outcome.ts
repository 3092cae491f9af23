// What became of one entry, told only after it is durable.

import type { Event, EventLog } from '../core/index.ts'
import type { Placed } from './entry.ts'

/** The events of a batch stand in one log; each outcome owns a stretch of it, from where its first
 *  stands to where the next outcome's would. The log is reused for the next batch: whoever keeps
 *  events reads them in the turn it is told. */
export type Outcome = Placed &
  Readonly<{
    log: EventLog
    first: number
    end: number
    /** The part that the command itself decided, without due work before and reactions after. */
    ownFirst: number
    ownEnd: number
  }>

/** Of an entry that was applied just now; its events stand in the log from `first` on. */
export function outcomeOf({ seq, atMs, entry }: Placed, log: EventLog, first: number): Outcome {
  const { end } = log
  const isCommand = entry.kind === 'command'
  const ownFirst = isCommand ? log.ownFirst : end
  return { seq, atMs, entry, log, first, end, ownFirst, ownEnd: isCommand ? log.ownEnd : end }
}

/** One durable, applied batch. `timeline` counts reverts; it is outside the hashes. */
export type Batch = Readonly<{ timeline: number; outcomes: readonly Outcome[] }>

export function eventsOf({ log, first, end }: Outcome): Event[] {
  return log.readBetween(first, end)
}

/** What the command itself brought about, its refusal included. */
export function ownEventsOf({ log, ownFirst, ownEnd }: Outcome): Event[] {
  return log.readBetween(ownFirst, ownEnd)
}
