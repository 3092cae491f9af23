// A stream for snapshots. The same walk writes and reads a state, so the two cannot differ. Numbers
// are safe integers of variable length. Text takes one byte per character, or two if it contains a
// character above 255.

import { broken } from '../../units/invariant.ts'

export interface Stream {
  readonly reading: boolean
  /** Omits data that does not affect trading, for the trading hash. Decision 10 has the list. */
  readonly tradingOnly: boolean
  /** Writes the value and returns it, or reads a value. */
  number(value: number): number
  text(value: string): string
  /** Whether more data follows: the writer passes it, the reader reads it. */
  hasMore(more: boolean): boolean
}

/** Numbers up to 27 bits fill four bytes. Higher bits are handled separately, because integer
 *  operations end at 32 bits and float operations are many times slower. */
const lowUnit = 2 ** 27

export class StreamWriter implements Stream {
  readonly reading = false
  readonly tradingOnly: boolean
  bytes = new Uint8Array(4_096)
  length = 0

  constructor(tradingOnly: boolean) {
    this.tradingOnly = tradingOnly
  }

  /** Six bits and the sign in the first byte, then seven bits per byte. The top bit says that more
   *  bytes follow. */
  number(value: number): number {
    if (!Number.isSafeInteger(value)) broken('a snapshot gets an unsafe number', value)
    if (this.length + 10 > this.bytes.length) this.grow(10)
    const sign = value < 0 ? 64 : 0
    const magnitude = value < 0 ? -value : value
    if (magnitude < 64) this.bytes[this.length++] = magnitude | sign
    else if (magnitude < lowUnit) this.groups(magnitude, sign)
    else this.wide(magnitude, sign)
    return value
  }

  text(value: string): string {
    let wide = 0
    for (let at = 0; at < value.length; at++) if (value.charCodeAt(at) > 255) wide = 1
    this.number(value.length * 2 + wide)
    if (this.length + 2 * value.length > this.bytes.length) this.grow(2 * value.length)
    const { bytes } = this
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at)
      bytes[this.length++] = unit & 255
      if (wide === 1) bytes[this.length++] = unit >> 8
    }
    return value
  }

  hasMore(more: boolean): boolean {
    return more
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private groups(magnitude: number, sign: number): void {
    const { bytes } = this
    let at = this.length
    bytes[at++] = (magnitude & 63) | sign | 128
    let rest = magnitude >> 6
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128
      rest >>= 7
    }
    bytes[at++] = rest
    this.length = at
  }

  private wide(magnitude: number, sign: number): void {
    const { bytes } = this
    let rest = Math.floor(magnitude / lowUnit)
    const low = magnitude - rest * lowUnit
    let at = this.length
    bytes[at++] = (low & 63) | sign | 128
    bytes[at++] = ((low >> 6) & 127) | 128
    bytes[at++] = ((low >> 13) & 127) | 128
    bytes[at++] = ((low >> 20) & 127) | 128
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128
      rest >>= 7
    }
    bytes[at++] = rest
    this.length = at
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Characters decoded in one call, because a long text must not become too many arguments. */
const textPart = 1_024

/** Damaged bytes cause an error or wrong values, never an endless loop. The seal of a snapshot
 *  proves that it is complete (decode.ts). */
export class StreamReader implements Stream {
  readonly reading = true
  readonly tradingOnly = false
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  number(_value: number): number {
    const first = this.byte()
    let value = first & 63
    if (first >= 128) value = this.rest(value)
    // 0 minus, because damaged bytes could encode a minus zero.
    return (first & 64) !== 0 ? 0 - value : value
  }

  text(_value: string): string {
    const head = this.number(0)
    const wide = head & 1
    const length = (head - wide) / 2
    if (length < 0 || this.at + length * (1 + wide) > this.bytes.length)
      broken('a snapshot has a text without end, at byte', this.at)
    let text = ''
    for (let from = 0; from < length; from += textPart)
      text += this.letters(Math.min(textPart, length - from), wide === 1)
    return text
  }

  hasMore(): boolean {
    return this.at < this.bytes.length
  }

  private letters(count: number, wide: boolean): string {
    const units: number[] = []
    for (let at = 0; at < count; at++)
      units.push(wide ? this.byte() + this.byte() * 256 : this.byte())
    return String.fromCharCode(...units)
  }

  /** Reads the groups after the first byte and adds its bits. */
  private rest(first: number): number {
    let value = first
    for (let shift = 6; shift < 27; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    let unit = lowUnit
    for (let byte = 128; byte >= 128; unit *= 128) {
      if (unit > 2 ** 55) broken('a snapshot has a number without end, at byte', this.at)
      byte = this.byte()
      value += (byte & 127) * unit
    }
    if (!Number.isSafeInteger(value)) broken('a snapshot has an unsafe number, at byte', this.at)
    return value
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) broken('a snapshot ends too early, at byte', this.at)
    return byte
  }
}

/** A list: its length, then each element. The writer receives the elements, the reader creates
 *  them. */
export function list<T>(
  stream: Stream,
  values: readonly T[],
  walk: (value: T | undefined) => void,
): void {
  const count = stream.number(values.length)
  for (let at = 0; at < count; at++) walk(values[at])
}

export function flag(stream: Stream, value: boolean): boolean {
  return stream.number(value ? 1 : 0) === 1
}

/** Distinguishes absent text from empty text. */
export function optionalText(stream: Stream, value: string | null): string | null {
  return flag(stream, value !== null) ? stream.text(value ?? '') : null
}

export function optionalNumber(stream: Stream, value: number | null): number | null {
  return flag(stream, value !== null) ? stream.number(value ?? 0) : null
}

/** A short list of ids. */
export function walkIds(stream: Stream, ids: readonly number[]): number[] {
  const walked: number[] = []
  list(stream, ids, (id) => {
    walked.push(stream.number(id ?? 0))
  })
  return walked
}
