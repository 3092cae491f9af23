// Writes one record after the other into the same bytes; a caller that retains one must copy it. A
// command that a record cannot hold exactly does not fit, and the caller writes it as text.

import { triggerBys } from '../../words/order-words.ts'
import type { Levels, Proof } from '../commands/commands.ts'
import { isLevelList } from '../commands/level-ids.ts'
import { hashBytes, writeHash } from '../commands/text-hash.ts'
import {
  AGENT,
  CLIENT_ID,
  headBytes,
  IP,
  LEVEL_CLIENT_ID,
  LEVEL_LIMIT,
  LEVEL_SIZE,
  levelBytes,
  levelPlace,
  NAMED,
  place,
  SIGNED,
  textBytesMax,
  UNTIMED,
} from './layout.ts'

/** Size of the longest record: a header, a hash, five texts and two levels. */
const bytesMax = 2_048

export class RecordWriter {
  readonly bytes = new Uint8Array(bytesMax)
  length = 0
  /** False if a value does not fit. The bytes are then meaningless. */
  fits = true
  private readonly view = new DataView(this.bytes.buffer)
  private flags = 0
  /** Cached views of the bytes by length. There are only a few lengths. */
  private readonly stretches: Uint8Array[] = []

  /** The record written last. Valid until the next one is written. */
  get record(): Uint8Array {
    const { length } = this
    this.stretches[length] ??= this.bytes.subarray(0, length)
    return this.stretches[length]
  }

  begin(type: number): void {
    this.bytes.fill(0, 0, headBytes)
    this.bytes[place.type] = type
    this.length = headBytes
    this.flags = 0
    this.fits = true
  }

  /** Completes the record. Returns whether it fits. */
  end(): boolean {
    this.view.setUint32(place.flags, this.flags, true)
    this.view.setUint32(place.tailBytes, this.length - headBytes, true)
    return this.fits
  }

  /** Writes a word by its index in its list; −1: unknown word. */
  small(at: number, value: number): void {
    if (value < 0) this.fits = false
    this.bytes[at] = value
  }

  /** Writes a 32-bit integer. */
  whole(at: number, value: number): void {
    if ((value | 0) !== value || isMinusZero(value)) this.fits = false
    this.view.setInt32(at, value, true)
  }

  wide(at: number, value: number): void {
    if (!Number.isSafeInteger(value) || isMinusZero(value)) this.fits = false
    this.view.setFloat64(at, value, true)
  }

  flag(flag: number, value: boolean): void {
    if (value === true) this.flags |= flag
    else if (value !== false) this.fits = false
  }

  /** Writes a number that may be absent. */
  optional(flag: number, at: number, value: number | null): void {
    if (value === null) return
    this.flags |= flag
    this.wide(at, value)
  }

  // The following fields are in the tail, in the order of the flags.

  proof(proof: Proof | null): void {
    if (!this.isThere(proof)) return
    const { textHash, signedAtMs, expiresAtMs, agent, ip } = proof
    this.flags |= SIGNED
    this.wide(place.wide, signedAtMs)
    if (expiresAtMs === null) this.flags |= UNTIMED
    else this.wide(place.expiry, expiresAtMs)
    this.hash(textHash)
    this.text(AGENT, agent)
    this.text(IP, ip)
  }

  clientId(text: string | null): void {
    this.text(CLIENT_ID, text)
  }

  level(flag: number, level: Levels): void {
    if (!this.isThere(level)) return
    // Rare enough to be written as text, where null differs from absent.
    const isPlain = !isLevelList(level) && level.trail === undefined
    if (!isPlain || level.slippagePpm !== undefined) return this.unfit()
    this.flags |= flag
    const at = this.length
    const { stopPrice, limitPrice, size, clientOrderId } = level
    this.length += levelBytes
    this.bytes.fill(0, at, this.length)
    this.whole(at + levelPlace.stopPrice, stopPrice)
    if (limitPrice !== null) this.whole(at + levelPlace.limitPrice, limitPrice)
    if (size !== null) this.wide(at + levelPlace.size, size)
    this.small(at + levelPlace.triggerBy, triggerBys.indexOf(level.triggerBy))
    this.bytes[at + levelPlace.flags] =
      (limitPrice === null ? 0 : LEVEL_LIMIT) |
      (size === null ? 0 : LEVEL_SIZE) |
      (clientOrderId === null ? 0 : LEVEL_CLIENT_ID)
    if (clientOrderId !== null) this.letters(clientOrderId)
  }

  /** Whether a value is present. Absent counts as null; anything else that is not an object makes
   *  the command invalid. */
  private isThere<T extends object>(value: T | null): value is T {
    if (value === null) return false
    if (typeof value !== 'object') this.unfit()
    return typeof value === 'object'
  }

  private unfit(): void {
    this.fits = false
  }

  private hash(hash: Proof['textHash']): void {
    const at = this.length
    if (typeof hash !== 'string') return this.unfit()
    this.length += hashBytes
    if (writeHash(hash, this.bytes, at)) return
    this.length = at
    this.flags |= NAMED
    this.letters(hash)
  }

  private text(flag: number, text: string | null): void {
    if (text === null) return
    this.flags |= flag
    this.letters(text)
  }

  private letters(text: string): void {
    if (typeof text !== 'string' || text.length > textBytesMax) return this.unfit()
    const { bytes } = this
    let at = this.length
    let seen = 0
    bytes[at++] = text.length
    for (let letter = 0; letter < text.length; letter++) {
      const code = text.charCodeAt(letter)
      seen |= code
      bytes[at++] = code
    }
    if (seen > 127) this.fits = false
    this.length = at
  }
}

function isMinusZero(value: number): boolean {
  return value === 0 && 1 / value < 0
}
