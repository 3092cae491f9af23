// Events of commands as lines of numbers, one after the other in one array, which its owner reuses
// for the next batch. Hot code appends numbers directly, cold code writes objects, and readers get
// objects back. The numbers of a batch are contiguous, so other components receive them without
// conversion.

import { grown } from '../pools/growing.ts'
import {
  type Bits,
  bitsOf,
  columnsOf,
  headOf,
  kindAt,
  kindOfEvent,
  lineWidth,
  nextAfter,
  widthMask,
  wordAt,
} from './event-columns.ts'
import { type Event, eventFields, eventTypes, words } from './event-fields.ts'

// A module constant is compiled into the machine code (docs/performance.md).
const mask = widthMask
const heads = eventTypes.map(headOf)

type Field = Readonly<{
  name: string
  kind: string
  words: readonly string[] | null
  /** The position of the field: a place after the header, or bits of the header. */
  place: number
  bits: Bits | null
}>

const fieldsOfKind: readonly (readonly Field[])[] = eventTypes.map((type) => {
  const places = columnsOf(type) as Readonly<Record<string, number>>
  const bits = bitsOf(type) as Readonly<Record<string, Bits>>
  return Object.entries(eventFields[type]).map(([name, kind]) => ({
    name,
    kind,
    words: words[kind] ?? null,
    place: places[name] ?? 0,
    bits: bits[name] ?? null,
  }))
})

/** Returns the event at `at`. `textOf` returns a text by its number. */
export function eventAt(
  rows: Float64Array,
  at: number,
  textOf: (number: number) => string | null,
): Event {
  const kind = kindAt(rows, at)
  const event: Record<string, unknown> = { type: eventTypes[kind] }
  for (const { name, kind: of, words, place, bits } of fieldsOfKind[kind]!) {
    const value = bits === null ? rows[at + place]! : wordAt(rows, at, bits)
    if (words !== null) event[name] = words[value]
    else if (of === 'text') event[name] = textOf(value)
    else event[name] = of === 'flag' ? value === 1 : value
  }
  return event as unknown as Event
}

export class EventLog {
  /** Number of events in the log. */
  count = 0
  /** Where the next event will be written. */
  end = 0
  rows: Float64Array
  texts: string[] = []
  /** Where the events of the last command's own decision begin and end. Events of due work come
   *  before them, events of reactions after them. */
  ownFirst = 0
  ownEnd = 0

  constructor(rows: Float64Array = new Float64Array(lineWidth * 32)) {
    this.rows = rows
  }

  clear(): void {
    this.count = 0
    this.end = 0
    if (this.texts.length !== 0) this.texts = []
  }

  /** Appends space for an event with this header: the header of its type plus the bits of its
   *  words. Returns its position. */
  append(head: number): number {
    const at = this.end
    const end = at + (head & mask)
    if (end > this.rows.length) this.rows = grown(this.rows, end)
    this.end = end
    this.count += 1
    this.rows[at] = head
    return at
  }

  /** Text fields hold 1 + an index into `texts`; 0 is null. */
  intern(text: string | null): number {
    return text === null ? 0 : this.texts.push(text)
  }

  write(event: Event): void {
    const kind = kindOfEvent(event.type)
    const values = event as unknown as Readonly<Record<string, number | string | boolean | null>>
    let head = heads[kind]!
    const at = this.append(head)
    for (const { name, kind: of, words, place, bits } of fieldsOfKind[kind]!) {
      const value = values[name]!
      if (bits !== null)
        head |=
          (words === null ? +(value as boolean) : words.indexOf(value as string)) << bits.shift
      else if (of === 'text') this.rows[at + place] = this.intern(value as string | null)
      else this.rows[at + place] = value as number
    }
    this.rows[at] = head
  }

  read(at: number): Event {
    return eventAt(this.rows, at, this.textOf)
  }

  private readonly textOf = (number: number): string | null =>
    number === 0 ? null : this.texts[number - 1]!

  /** Returns the events from `first` up to, but not including, `end`. */
  readBetween(first: number, end: number): Event[] {
    const events: Event[] = []
    for (let at = first; at < end; at = nextAfter(this.rows, at)) events.push(this.read(at))
    return events
  }

  readAll(): Event[] {
    return this.readBetween(0, this.end)
  }
}
