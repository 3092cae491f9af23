// The outcome of one entry, published only after it is durable.

import {
  type Event,
  type EventLog,
  type EventOf,
  kindAt,
  kindOfEvent,
  nextAfter,
  TEXT,
} from '../core/index.ts'
import { EntryReader } from './codec.ts'
import type { Entry, Placed } from './entry.ts'

/** All events of a batch are in one log; each outcome owns a range of it, from its first event to
 *  that of the next outcome. The log is reused for the next batch, so events must be read in the
 *  turn in which they are published. */
export type Outcome = Placed &
  Readonly<{
    /** Type of the record of a command (core/records/layout.ts); if absent or `TEXT`, the entry has
     *  it. */
    record?: number
    log: EventLog
    first: number
    end: number
    /** The events of the command itself, without due work before it and reactions after it. */
    ownFirst: number
    ownEnd: number
  }>

/** Outcome of an entry that was applied just now; its events are in the log from `first` on. */
export function outcomeOf({ seq, atMs, entry }: Placed, log: EventLog, first: number): Outcome {
  const { end } = log
  const isCommand = entry.kind === 'command'
  const ownFirst = isCommand ? log.ownFirst : end
  return { seq, atMs, entry, log, first, end, ownFirst, ownEnd: isCommand ? log.ownEnd : end }
}

/** The kind of its entry, without decoding it. */
export function kindOf(outcome: Outcome): Entry['kind'] {
  const { record = TEXT } = outcome
  return record === TEXT ? outcome.entry.kind : 'command'
}

const reader = new EntryReader()

/** Outcome of a command that was applied from its record. The entry is decoded on demand, as long
 *  as the events can be read. */
export class RecordOutcome implements Outcome {
  readonly seq: number
  readonly atMs: number
  readonly record: number
  readonly log: EventLog
  readonly first: number
  readonly end: number
  readonly ownFirst: number
  readonly ownEnd: number
  private readonly bytes: Buffer
  private readonly from: number
  private readonly to: number

  constructor(place: RecordPlace, seq: number, log: EventLog, first: number) {
    this.seq = seq
    this.atMs = place.atMs
    this.record = place.type
    this.log = log
    this.first = first
    this.end = log.end
    this.ownFirst = log.ownFirst
    this.ownEnd = log.ownEnd
    this.bytes = place.bytes as Buffer
    this.from = place.from
    this.to = place.to
  }

  get entry(): Entry {
    return reader.entry(this.bytes, this.from, this.to)
  }
}

/** A record in a larger buffer. `bytes` is a Buffer; embedding programs need not have Node's
 *  types to use this type. */
export type RecordPlace = Readonly<{
  bytes: Uint8Array
  from: number
  to: number
  atMs: number
  type: number
}>

/** One durable, applied batch. `timeline` counts reverts; it is outside the hashes. */
export type Batch = Readonly<{ timeline: number; outcomes: readonly Outcome[] }>

export function eventsOf({ log, first, end }: Outcome): Event[] {
  return log.readBetween(first, end)
}

/** The events of the command itself, including its refusal. */
export function ownEventsOf({ log, ownFirst, ownEnd }: Outcome): Event[] {
  return log.readBetween(ownFirst, ownEnd)
}

const REJECTED = kindOfEvent('CommandRejected')

/** Why the rules said no to the command; null: they did not. No objects are made of its events,
 *  which are there until the next batch. */
export function refusalOf({ log, ownFirst, ownEnd }: Outcome): EventOf<'CommandRejected'> | null {
  const { rows } = log
  for (let at = ownFirst; at < ownEnd; at = nextAfter(rows, at))
    if (kindAt(rows, at) === REJECTED) return log.read(at) as EventOf<'CommandRejected'>
  return null
}
