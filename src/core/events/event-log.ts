// The outcome of commands as rows of numbers: one fixed-width row per event, reused by its owner
// for the next batch. Hot code appends rows directly; cold code writes objects; readers get objects
// back.

import { grown } from '../pools/growing.ts'
import { type Event, eventFields, eventTypes, words } from './event-fields.ts'

export const rowWidth = 16
// Exported constants are looked up at each use, others are part of the machine code.
const width = rowWidth

type Column = Readonly<{ field: string; kind: string; words: readonly string[] | null }>

const columns: readonly (readonly Column[])[] = eventTypes.map((type) =>
  Object.entries(eventFields[type]).map(([field, kind]) => ({
    field,
    kind,
    words: words[kind] ?? null,
  })),
)
const kindOf = new Map<string, number>(eventTypes.map((type, kind) => [type, kind]))

/** The row code of an event type, for hot writers; look it up once, at module level. */
export function kindOfEvent(type: Event['type']): number {
  return kindOf.get(type)!
}

export class EventLog {
  count = 0
  rows: Float64Array
  texts: string[] = []
  /** Where the events of the last command's own decision begin and end: before them stands the work
   *  that fell due, after them the reactions. */
  ownFirst = 0
  ownEnd = 0

  constructor(rows: Float64Array = new Float64Array(width * 16)) {
    this.rows = rows
  }

  clear(): void {
    this.count = 0
    if (this.texts.length !== 0) this.texts = []
  }

  /** A fresh row of this kind; the writer fills `rows` from the returned place + 1 on. */
  append(kind: number): number {
    const at = this.count * width
    if (at + width > this.rows.length) this.rows = grown(this.rows, at + width)
    this.count += 1
    this.rows[at] = kind
    return at
  }

  /** Text fields hold 1 + an index into `texts`; 0 is null. */
  intern(text: string | null): number {
    return text === null ? 0 : this.texts.push(text)
  }

  write(event: Event): void {
    const kind = kindOf.get(event.type)!
    const at = this.append(kind)
    const fields = event as unknown as Readonly<Record<string, number | string | boolean | null>>
    let place = at
    for (const column of columns[kind]!) {
      const value = fields[column.field]!
      place += 1
      if (column.words !== null) this.rows[place] = column.words.indexOf(value as string)
      else if (column.kind === 'text') this.rows[place] = this.intern(value as string | null)
      else this.rows[place] = +(value as number | boolean)
    }
  }

  read(index: number): Event {
    const at = index * width
    const kind = this.rows[at]!
    const event: Record<string, unknown> = { type: eventTypes[kind] }
    let place = at
    for (const column of columns[kind]!) {
      place += 1
      const value = this.rows[place]!
      if (column.words !== null) event[column.field] = column.words[value]
      else if (column.kind === 'text')
        event[column.field] = value === 0 ? null : this.texts[value - 1]
      else event[column.field] = column.kind === 'flag' ? value === 1 : value
    }
    return event as unknown as Event
  }

  readAll(): Event[] {
    return Array.from({ length: this.count }, (_, index) => this.read(index))
  }
}
