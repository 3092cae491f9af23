// The place of each event field in the log, by name, for code that reads or writes numbers without
// creating an object per event. An event has one, two or four lines of eight numbers. The first
// number is its header: its width, its kind, and the bits of all fields that hold a word or a flag.
// Each other field follows as one number.

import { broken } from '../../units/invariant.ts'
import { placesOf } from '../../units/places.ts'
import { type EventType, eventFields, eventTypes, words } from './event-fields.ts'

export const lineWidth = 8
/** One, two or four lines: these bits hold the width itself. */
export const widthMask = lineWidth | (lineWidth * 2) | (lineWidth * 4)
// A constant that is not exported is compiled into the machine code (docs/performance.md).
const widthBits = widthMask
const kindShift = 6
const kindBits = 8
const kindMask = (1 << kindBits) - 1
/** Bits of a number that every engine stores as a small integer. */
const headBits = 30

type Fields<T extends EventType> = (typeof eventFields)[T]
type NumberField<T extends EventType> = {
  [F in keyof Fields<T>]: Fields<T>[F] extends 'int' | 'text' ? F : never
}[keyof Fields<T>]
type WordField<T extends EventType> = Exclude<keyof Fields<T>, NumberField<T>>

/** A range of bits in the header. */
export type Bits = Readonly<{ shift: number; mask: number }>

type Columns<T extends EventType> = { readonly [F in NumberField<T>]: number }
type Words<T extends EventType> = { readonly [F in WordField<T>]: Bits }

const kindOf = new Map<string, number>(eventTypes.map((type, kind) => [type, kind]))

/** Returns the number of an event kind. Look it up once, at module level. */
export function kindOfEvent(type: EventType): number {
  return kindOf.get(type)!
}

/** Places of the fields that are numbers or text, relative to the event's first number. */
export function columnsOf<T extends EventType>(type: T): Columns<T> {
  return placesOf(numberFieldsOf(type), 1) as Columns<T>
}

/** Bits of the fields that hold a word or a flag: its index in the list of words, or 0 and 1. */
export function bitsOf<T extends EventType>(type: T): Words<T> {
  let shift = kindShift + kindBits
  const bits: Record<string, Bits> = {}
  for (const [field, kind] of Object.entries(eventFields[type])) {
    if (isNumber(kind)) continue
    const width = widthOf(kind)
    bits[field] = { shift, mask: (1 << width) - 1 }
    shift += width
  }
  if (shift > headBits) broken(`the words of an event are too many, ${type}`, shift)
  return bits as Words<T>
}

/** The index of a word or flag of the event at `at`. */
export function wordAt(rows: Float64Array, at: number, { shift, mask }: Bits): number {
  return (rows[at]! >>> shift) & mask
}

export function kindAt(rows: Float64Array, at: number): number {
  return (rows[at]! >>> kindShift) & kindMask
}

/** Returns the header of an event type without its words. Look it up once, at module level. */
export function headOf(type: EventType): number {
  return (kindOfEvent(type) << kindShift) | (linesOf(type) * lineWidth)
}

/** Number of lines of an event type. */
export function linesOf(type: EventType): 1 | 2 | 4 {
  const lines = Math.ceil((1 + numberFieldsOf(type).length) / lineWidth)
  if (lines > 4) broken(`the fields of an event are too many, ${type}`, lines)
  return lines > 2 ? 4 : lines > 1 ? 2 : 1
}

/** Returns where the next event begins. */
export function nextAfter(rows: Float64Array, at: number): number {
  return at + (rows[at]! & widthBits)
}

/** The columns of each side of a trade, from `takerClosed` or `makerClosed` on. */
export const tradeSide = placesOf([
  'closed',
  'closedCost',
  'gained',
  'fee',
  'lots',
  'cost',
  'balance',
  'wallet',
])

function numberFieldsOf(type: EventType): string[] {
  const fields: [string, string][] = Object.entries(eventFields[type])
  return fields.filter(([, kind]) => isNumber(kind)).map(([field]) => field)
}

function isNumber(kind: string): boolean {
  return kind === 'int' || kind === 'text'
}

function widthOf(kind: string): number {
  const last = kind === 'flag' ? 1 : words[kind]!.length - 1
  return last.toString(2).length
}
