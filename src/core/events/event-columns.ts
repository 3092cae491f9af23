// Where each field of an event stands in its row, by name, for those who take numbers out of the
// rows, or put them there, without making an object per event.

import { placesOf } from '../../units/places.ts'
import { type EventType, eventFields } from './event-fields.ts'

type Columns<T extends EventType> = { readonly [F in keyof (typeof eventFields)[T]]: number }

export function columnsOf<T extends EventType>(type: T): Columns<T> {
  // The kind of the event stands before them.
  return placesOf(Object.keys(eventFields[type]), 1) as Columns<T>
}
