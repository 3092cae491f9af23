// The queue of entries before they are sequenced. Their records are side by side in a buffer, as in
// a frame, each after its length. A batch is one range of this buffer, copied once, written to the
// disk, and read in place by the core.

import { place } from '../../core/index.ts'
import { lengthBytes } from '../../journal/frame.ts'
import type { Written } from '../codec.ts'

const bytesAtFirst = 65_536
/** An empty queue releases a buffer larger than this. */
const bytesKept = 4 * 1_024 * 1_024

/** The records of one batch. */
export class RecordBody {
  bytes: Buffer = Buffer.alloc(bytesAtFirst)
  length = 0
  count = 0

  clear(): void {
    this.length = 0
    this.count = 0
    if (this.bytes.length > bytesKept) this.bytes = Buffer.alloc(bytesAtFirst)
  }

  add(from: Buffer, start: number, end: number, count: number): void {
    this.bytes = grown(this.bytes, this.length + end - start, this.length)
    from.copy(this.bytes, this.length, start, end)
    this.length += end - start
    this.count += count
  }

  /** The bytes to write to the journal. */
  get written(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}

/** Position of a queued record, and its number of actions. `signed`: the command has a proof. */
export type Queued = {
  position: number
  length: number
  atMs: number
  readonly signed: boolean
  readonly actions: number
}

export class RecordQueue<T extends Queued> {
  /** Queued entries, in the order of arrival. */
  waiting: T[] = []
  /** Total number of actions of the queued entries. */
  actions = 0
  private bytes: Buffer = Buffer.alloc(bytesAtFirst)
  private view = viewOf(this.bytes)
  private end = 0
  /** Number of bytes that were removed before the first queued record. */
  private gone = 0

  get length(): number {
    return this.waiting.length
  }

  get bytesHeld(): number {
    return this.bytes.length
  }

  push(item: T, bytes: Written): void {
    const { length } = bytes
    this.makeRoom(lengthBytes + length)
    const at = this.end
    this.view.setUint32(at, length, true)
    this.bytes.set(bytes, at + lengthBytes)
    this.end = at + lengthBytes + length
    item.position = this.gone + at
    item.length = length
    this.actions += item.actions
    this.waiting.push(item)
    this.stamp(item, item.atMs)
  }

  /** Changes the time of a queued record. */
  stamp(item: T, atMs: number): void {
    item.atMs = atMs
    this.view.setFloat64(item.position - this.gone + lengthBytes + place.time, atMs, true)
  }

  /** Stamps the signed records among the first `count` (CORE-6). */
  writeStamps(count: number, next: () => number): void {
    for (let n = 0; n < count; n++) {
      const { signed, position } = this.waiting[n]!
      const at = position - this.gone + lengthBytes + place.stamp
      if (signed) this.view.setFloat64(at, next(), true)
    }
  }

  /** Number of records at the front whose actions together do not exceed `actions`; at least
   *  one. */
  fitting(actions: number): number {
    let count = 0
    for (let left = actions; count < this.waiting.length; count++) {
      left -= this.waiting[count]!.actions
      if (left < 0) break
    }
    return count === 0 && actions > 0 ? Math.min(1, this.waiting.length) : count
  }

  /** Removes the first `count` entries, and adds their records to the body. */
  take(count: number, body: RecordBody): T[] {
    if (count === 0) return []
    const taken = this.waiting.splice(0, count)
    for (const { actions } of taken) this.actions -= actions
    const first = taken[0]!
    const last = taken[count - 1]!
    const end = last.position - this.gone + lengthBytes + last.length
    body.add(this.bytes, first.position - this.gone, end, count)
    if (this.waiting.length === 0) this.clear()
    return taken
  }

  clear(): void {
    this.waiting = []
    this.actions = 0
    this.gone = 0
    this.end = 0
    if (this.bytes.length > bytesKept) this.hold(Buffer.alloc(bytesAtFirst))
  }

  private hold(bytes: Buffer): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }

  /** Moves the queued records to the front of the buffer, or to a larger buffer. */
  private makeRoom(more: number): void {
    if (this.end + more <= this.bytes.length) return
    const start = (this.waiting[0]?.position ?? this.gone + this.end) - this.gone
    const used = this.end - start
    const roomy = used + more <= this.bytes.length / 2
    const target = roomy ? this.bytes : Buffer.alloc(sizeFor(this.bytes.length, used + more))
    this.bytes.copy(target, 0, start, this.end)
    if (!roomy) this.hold(target)
    this.gone += start
    this.end = used
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function sizeFor(length: number, wanted: number): number {
  let size = length
  while (size < wanted * 2) size *= 2
  return size
}

function grown(bytes: Buffer, wanted: number, used: number): Buffer {
  if (wanted <= bytes.length) return bytes
  const larger = Buffer.alloc(sizeFor(bytes.length, wanted))
  bytes.copy(larger, 0, 0, used)
  return larger
}
