// Reads the fields of one record in sequence, in place from the given bytes. Any value that the
// writer would not write is a fault. The cursor never guesses and never reads past the end of the
// record.

import { triggerBys } from '../../words/order-words.ts'
import type { Level } from '../commands/commands.ts'
import { hashBytes, hashWords } from '../commands/text-hash.ts'
import {
  firstWordOf,
  flagsOf,
  headBytes,
  LEVEL_CLIENT_ID,
  LEVEL_LIMIT,
  LEVEL_SIZE,
  levelBytes,
  levelPlace,
  place,
  TEXT,
  unusedOf,
} from './layout.ts'

const anyLevelFlag = LEVEL_LIMIT | LEVEL_SIZE | LEVEL_CLIENT_ID
const wordBytes = 4
export const unusedField = 'a field that it does not use is set'

/** Decodes ASCII letters; a caller with a faster decoder passes it. */
export type ReadLetters = (bytes: Uint8Array, from: number, to: number) => string

export class RecordCursor {
  type = TEXT
  flags = 0
  /** Engine time of the record, and its wall-time stamp. */
  atMs = 0
  stampMs = 0
  /** What is wrong with the record; empty if no fault was found so far. */
  fault = ''
  /** The next part of the tail, and the end of the record. */
  at = 0
  to = 0
  bytes: Uint8Array = new Uint8Array(0)
  private view: DataView = new DataView(this.bytes.buffer)
  private from = 0
  private readonly read: ReadLetters

  constructor(read: ReadLetters) {
    this.read = read
  }

  /** Moves to the record at these offsets. */
  enter(bytes: Uint8Array, from: number, to: number): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.from = from
    this.to = to
    this.at = from + headBytes
    this.fault = ''
    this.type = TEXT
    this.flags = 0
    if (to > bytes.length || to - from < headBytes) return this.bad('it is cut short')
    this.type = bytes[from + place.type]!
    this.flags = this.view.getUint32(from + place.flags, true)
    this.atMs = this.wide(place.time)
    this.stampMs = this.wide(place.stamp)
    const tailBytes = this.view.getUint32(from + place.tailBytes, true)
    if (tailBytes !== to - this.at) return this.bad('its tail is not as long as it says')
    const known = flagsOf[this.type]
    if (known === undefined) return this.bad(`its type is ${this.type}`)
    if ((this.flags & ~known) !== 0) return this.bad(`its flags are ${this.flags}`)
    let unused = this.view.getInt32(from, true) & ~firstWordOf[this.type]!
    const words = unusedOf[this.type]!
    for (let at = 0; at < words.length; at++)
      unused |= this.view.getInt32(from + words[at]! * wordBytes, true)
    if (unused !== 0) this.bad(unusedField)
  }

  /** Checks that the tail has been read completely. */
  end(): void {
    if (this.at !== this.to) this.bad('its tail is longer than its flags say')
  }

  bad(why: string): void {
    if (this.fault === '') this.fault = why
    // After a fault, later reads stay within the record.
    this.at = this.to
  }

  has(flag: number): boolean {
    return (this.flags & flag) !== 0
  }

  whole(field: number): number {
    return this.view.getInt32(this.from + field, true)
  }

  wide(field: number): number {
    return this.wideAt(this.from + field)
  }

  /** Returns a number if its flag is set, otherwise `null`. */
  optional(flag: number, field: number): number | null {
    if (this.has(flag)) return this.wide(field)
    this.unused(field)
    return null
  }

  /** Checks that a 64-bit field that this record does not use is 0. */
  unused(field: number): void {
    const at = this.from + field
    const low = this.view.getInt32(at, true)
    if ((low | this.view.getInt32(at + wordBytes, true)) !== 0) this.bad(unusedField)
  }

  /** Returns a word of a list by its index. */
  word<T extends string>(field: number, words: readonly T[]): T {
    const word = words[this.bytes[this.from + field]!]
    if (word === undefined) this.bad(`it has no such choice at byte ${field}`)
    return word ?? words[0]!
  }

  // Parts of the tail, in the order of the flags.

  hash(words: Int32Array): void {
    if (!this.take(hashBytes)) return
    const from = this.at - hashBytes
    for (let word = 0; word < hashWords; word++)
      words[word] = this.view.getInt32(from + word * wordBytes, true)
  }

  text(flag: number): string | null {
    return this.has(flag) ? this.letters() : null
  }

  letters(): string {
    if (!this.take(1)) return ''
    const length = this.bytes[this.at - 1]!
    if (!this.take(length)) return ''
    const from = this.at - length
    let seen = 0
    for (let at = from; at < this.at; at++) seen |= this.bytes[at]!
    if (seen > 127) this.bad('a text has a letter beyond ASCII')
    return this.read(this.bytes, from, from + length)
  }

  /** Skips a text. */
  skipLetters(): void {
    if (this.take(1)) this.take(this.bytes[this.at - 1]!)
  }

  level(flag: number): Level | null {
    if (!this.has(flag) || !this.take(levelBytes)) return null
    const { view } = this
    const from = this.at - levelBytes
    const flags = this.bytes[from + levelPlace.flags]!
    const triggerBy = triggerBys[this.bytes[from + levelPlace.triggerBy]!]
    const limitPrice = view.getInt32(from + levelPlace.limitPrice, true)
    const size = this.wideAt(from + levelPlace.size)
    const limited = (flags & LEVEL_LIMIT) !== 0
    const sized = (flags & LEVEL_SIZE) !== 0
    if ((flags & ~anyLevelFlag) !== 0 || triggerBy === undefined) this.bad('a level is none')
    if ((!limited && limitPrice !== 0) || (!sized && size !== 0)) this.bad('a level is none')
    return {
      stopPrice: view.getInt32(from + levelPlace.stopPrice, true) as Level['stopPrice'],
      limitPrice: (limited ? limitPrice : null) as Level['limitPrice'],
      size: (sized ? size : null) as Level['size'],
      triggerBy: triggerBy ?? 'mark',
      clientOrderId: (flags & LEVEL_CLIENT_ID) === 0 ? null : this.letters(),
    }
  }

  private wideAt(at: number): number {
    const value = this.view.getFloat64(at, true)
    if (!Number.isSafeInteger(value) || (value === 0 && 1 / value < 0))
      this.bad('a number is not a whole one')
    return value
  }

  private take(count: number): boolean {
    if (this.at + count > this.to) {
      this.bad('its tail is shorter than its flags say')
      return false
    }
    this.at += count
    return true
  }
}
