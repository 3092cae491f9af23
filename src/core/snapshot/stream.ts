// A state goes through a stream in one written order, and the same walk writes and reads it: what is
// written cannot be read differently. Numbers are safe integers of variable length; text is UTF-16.

import { broken } from '../../units/invariant.ts'

export interface Stream {
  readonly reading: boolean
  /** Leaves out sequence, time and the memory of signed texts: the trading hash (ADR 10). */
  readonly tradingOnly: boolean
  /** Writes the value and gives it back, or reads one. */
  number(value: number): number
  text(value: string): string
}

export class StreamWriter implements Stream {
  readonly reading = false
  readonly tradingOnly: boolean
  bytes = new Uint8Array(4_096)
  length = 0

  constructor(tradingOnly: boolean) {
    this.tradingOnly = tradingOnly
  }

  /** Six bits and the sign, then seven bits a byte; the top bit says that more follow. */
  number(value: number): number {
    if (!Number.isSafeInteger(value)) broken('snapshot number', value)
    if (this.length + 10 > this.bytes.length) this.grow(10)
    const { bytes } = this
    const negative = value < 0
    let rest = negative ? -value : value
    let low = rest % 64
    rest = (rest - low) / 64
    bytes[this.length++] = low + (negative ? 64 : 0) + (rest > 0 ? 128 : 0)
    while (rest > 0) {
      low = rest % 128
      rest = (rest - low) / 128
      bytes[this.length++] = low + (rest > 0 ? 128 : 0)
    }
    return value
  }

  text(value: string): string {
    this.number(value.length)
    if (this.length + 2 * value.length > this.bytes.length) this.grow(2 * value.length)
    for (let at = 0; at < value.length; at++) {
      const unit = value.charCodeAt(at)
      this.bytes[this.length++] = unit & 255
      this.bytes[this.length++] = unit >> 8
    }
    return value
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Damaged bytes end as an error, never as a different state or an endless loop. */
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
    let unit = 64
    let byte = first
    while (byte >= 128) {
      byte = this.byte()
      value += (byte & 127) * unit
      unit *= 128
      if (unit > 2 ** 63) broken('snapshot number at', this.at)
    }
    if (!Number.isSafeInteger(value)) broken('snapshot number at', this.at)
    return (first & 64) !== 0 ? -value : value
  }

  text(_value: string): string {
    const length = this.number(0)
    if (length < 0 || this.at + 2 * length > this.bytes.length) broken('snapshot text at', this.at)
    const units: number[] = []
    for (let at = 0; at < length; at++) units.push(this.byte() + this.byte() * 256)
    return String.fromCharCode(...units)
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) broken('snapshot ends at', this.at)
    return byte
  }
}

/** A list: its length, then each element. The writer gets them one by one, the reader makes them. */
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

/** Absent text is told from empty. */
export function optionalText(stream: Stream, value: string | null): string | null {
  return flag(stream, value !== null) ? stream.text(value ?? '') : null
}

export function optionalNumber(stream: Stream, value: number | null): number | null {
  return flag(stream, value !== null) ? stream.number(value ?? 0) : null
}

/** Not negative; as its decimal digits. */
export function bigNumber(stream: Stream, value: bigint): bigint {
  return BigInt(stream.text(value.toString()))
}
