// The place of each field of an event in the log, by name, for code that reads or writes numbers
// there without an object per event. An event is one, two or four lines of eight numbers. The first
// number is its head: its width, its kind, and the bits of all fields that hold a word or a flag.
// The other fields follow, a number each.

import { broken } from '../../units/invariant.ts'
import { placesOf } from '../../units/places.ts'
import { type EventType, eventFields, eventTypes, words } from './event-fields.ts'

export const lineWidth = 8
/** One, two or four lines: these bits hold the width itself. */
export const widthMask = lineWidth | (lineWidth * 2) | (lineWidth * 4)
// As a constant that is not exported it is part of the machine code (docs/performance.md).
const widthBits = widthMask
const kindShift = 6
const kindBits = 8
const kindMask = (1 << kindBits) - 1
/** Of a number that is a small integer everywhere. */
const headBits = 30

type Fields<T extends EventType> = (typeof eventFields)[T]
type NumberField<T extends EventType> = {
  [F in keyof Fields<T>]: Fields<T>[F] extends 'int' | 'text' ? F : never
}[keyof Fields<T>]
type WordField<T extends EventType> = Exclude<keyof Fields<T>, NumberField<T>>

/** A stretch of bits in the head. */
export type Bits = Readonly<{ shift: number; mask: number }>

type Columns<T extends EventType> = { readonly [F in NumberField<T>]: number }
type Words<T extends EventType> = { readonly [F in WordField<T>]: Bits }

const kindOf = new Map<string, number>(eventTypes.map((type, kind) => [type, kind]))

/** The number of a kind of event; look it up once, at module level. */
export function kindOfEvent(type: EventType): number {
  return kindOf.get(type)!
}

/** Places of the fields that are numbers or text, from the event's own on. */
export function columnsOf<T extends EventType>(type: T): Columns<T> {
  return placesOf(numberFieldsOf(type), 1) as Columns<T>
}

/** Bits of the fields that hold a word or a flag: its place in the list of words, or 0 and 1. */
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

/** What the head of an event of this type is without its words; look it up once, as above. */
export function headOf(type: EventType): number {
  return (kindOfEvent(type) << kindShift) | (linesOf(type) * lineWidth)
}

/** How many lines an event of this type has. */
export function linesOf(type: EventType): 1 | 2 | 4 {
  const lines = Math.ceil((1 + numberFieldsOf(type).length) / lineWidth)
  if (lines > 4) broken(`the fields of an event are too many, ${type}`, lines)
  return lines > 2 ? 4 : lines > 1 ? 2 : 1
}

/** Where the event after the one at `at` begins. */
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
