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

/** All events of a batch are in one log. Each outcome owns the range from its first event to the
 *  first event of the next outcome. The log is reused for the next batch, so events must be read in
 *  the same turn of the event loop in which they are published. */
export type Outcome = Placed &
  Readonly<{
    /** Record type of a command (core/records/layout.ts). If absent or `TEXT`, `entry` has the
     *  type. */
    record?: number
    log: EventLog
    first: number
    end: number
    /** Start of the command's own events. Due work comes before them, reactions come after them. */
    ownFirst: number
    ownEnd: number
  }>

/** Creates the outcome of the newest applied entry. Its events are in the log from `first` on. */
export function outcomeOf({ seq, atMs, entry }: Placed, log: EventLog, first: number): Outcome {
  const { end } = log
  const isCommand = entry.kind === 'command'
  const ownFirst = isCommand ? log.ownFirst : end
  return { seq, atMs, entry, log, first, end, ownFirst, ownEnd: isCommand ? log.ownEnd : end }
}

/** Returns the kind of the entry, without decoding it. */
export function kindOf(outcome: Outcome): Entry['kind'] {
  const { record = TEXT } = outcome
  return record === TEXT ? outcome.entry.kind : 'command'
}

const reader = new EntryReader()

/** Outcome of a command that was applied from its record. `entry` is decoded on demand, as long as
 *  the events can be read. */
export class RecordOutcome implements Outcome {
  readonly seq: number
  readonly atMs: number
  readonly stampMs: number
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
    this.stampMs = place.stampMs ?? 0
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

/** A record in a larger buffer. `bytes` is a Buffer, but is typed so that embedding programs do not
 *  need Node's types. */
export type RecordPlace = Readonly<{
  bytes: Uint8Array
  from: number
  to: number
  atMs: number
  /** Default: 0. */
  stampMs?: number
  type: number
}>

/** One durable, applied batch. `timeline` counts reverts and is not part of the hashes. */
export type Batch = Readonly<{ timeline: number; outcomes: readonly Outcome[] }>

export function eventsOf({ log, first, end }: Outcome): Event[] {
  return log.readBetween(first, end)
}

/** Returns the command's own events, including its refusal. */
export function ownEventsOf({ log, ownFirst, ownEnd }: Outcome): Event[] {
  return log.readBetween(ownFirst, ownEnd)
}

const REJECTED = kindOfEvent('CommandRejected')

/** Returns the refusal of the command by the rules, or `null` if it was accepted. Reads the events
 *  without creating objects. They are valid until the next batch. */
export function refusalOf({ log, ownFirst, ownEnd }: Outcome): EventOf<'CommandRejected'> | null {
  const { rows } = log
  for (let at = ownFirst; at < ownEnd; at = nextAfter(rows, at))
    if (kindAt(rows, at) === REJECTED) return log.read(at) as EventOf<'CommandRejected'>
  return null
}
