// Where each field of an event stands in its row, by name, for those who take numbers out of the
// rows, or put them there, without making an object per event.

import { type EventType, eventFields } from './event-fields.ts'

type Columns<T extends EventType> = { readonly [F in keyof (typeof eventFields)[T]]: number }

export function columnsOf<T extends EventType>(type: T): Columns<T> {
  const names = Object.keys(eventFields[type])
  return Object.fromEntries(names.map((name, index) => [name, index + 1])) as Columns<T>
}
