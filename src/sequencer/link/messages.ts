// Messages between a leader and its followers over one stream. Each consists of its length, kind
// and content, little-endian. Both ends are processes of the same exchange.

import { frameBodyMax, frameHeadLength } from '../../journal/frame.ts'
import type { ChainEnd } from '../../journal/store/frame-store.ts'

/** From the leader: its position; a frame, as in the journal; the seqs of the follower's records;
 *  the reason why a record was refused. */
export const WELCOME = 1
export const FRAME = 2
export const TAKEN = 3
export const REFUSED = 4
/** From either end: a call, and the answer to a call (calls.ts). */
export const CALL = 8
export const ANSWER = 9
/** From a follower: a record to be sequenced. */
export const SUBMIT = 16
/** To a joining machine: the start of a file, a chunk of it, the end of the copy
 *  (cluster/give-folder.ts). */
export const FILE = 32
export const PIECE = 33
export const LAST = 34

const kindAt = 4
const headLength = 5
const bytesMax = frameHeadLength + frameBodyMax
const roomAtFirst = 65_536
/** A buffer larger than this is released after use. */
const roomKept = 4 * 1_024 * 1_024

export type Message = Readonly<{
  kind: number
  /** A copy of the bytes, which later records do not change. */
  bytes: Buffer
}>

export function encodeMessage(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(headLength)
  head.writeUInt32LE(parts.reduce((sum, part) => sum + part.length, 0))
  head.writeUInt8(kind, kindAt)
  return Buffer.concat([head, ...parts])
}

const seqBytes = 8

export function encodeWelcome({ seq, seal }: ChainEnd): Buffer {
  const where = Buffer.alloc(seqBytes)
  where.writeDoubleLE(seq)
  return encodeMessage(WELCOME, where, seal)
}

export function decodeWelcome(bytes: Buffer): ChainEnd {
  return { seq: bytes.readDoubleLE(), seal: bytes.subarray(seqBytes) }
}

const idBytes = 4
const takenBytes = idBytes + seqBytes

export type Taken = Readonly<{ id: number; seq: number }>

export function encodeTaken(taken: readonly Taken[]): Buffer {
  const list = Buffer.alloc(taken.length * takenBytes)
  taken.forEach(({ id, seq }, n) => {
    list.writeUInt32LE(id, n * takenBytes)
    list.writeDoubleLE(seq, n * takenBytes + idBytes)
  })
  return encodeMessage(TAKEN, list)
}

export function decodeTaken(bytes: Buffer): Taken[] {
  const taken: Taken[] = []
  for (let at = 0; at < bytes.length; at += takenBytes)
    taken.push({ id: bytes.readUInt32LE(at), seq: bytes.readDoubleLE(at + idBytes) })
  return taken
}

export type Refused = Readonly<{ id: number; code: string; message: string }>

export function encodeRefused(refused: Refused): Buffer {
  return encodeMessage(REFUSED, Buffer.from(JSON.stringify(refused)))
}

export function decodeRefused(bytes: Buffer): Refused {
  return JSON.parse(bytes.toString('utf8')) as Refused
}

const submitHeadBytes = 5
const mayPassAt = 4

export type Submitted = Readonly<{ id: number; mayPass: boolean; record: Uint8Array }>

export function encodeSubmit({ id, mayPass, record }: Submitted): Buffer {
  const head = Buffer.alloc(submitHeadBytes)
  head.writeUInt32LE(id)
  head.writeUInt8(mayPass ? 1 : 0, mayPassAt)
  return encodeMessage(SUBMIT, head, record)
}

export function decodeSubmit(bytes: Buffer): Submitted & { readonly record: Buffer } {
  return {
    id: bytes.readUInt32LE(),
    mayPass: bytes.readUInt8(mayPassAt) === 1,
    record: bytes.subarray(submitHeadBytes),
  }
}

/** Assembles whole messages from the chunks of a stream. */
export class MessageReader {
  private bytes = Buffer.alloc(roomAtFirst)
  private start = 0
  private end = 0

  /** Received bytes that are not yet processed. */
  get waitingBytes(): number {
    return this.end - this.start
  }

  push(piece: Uint8Array): void {
    this.makeRoom(piece.length)
    this.bytes.set(piece, this.end)
    this.end += piece.length
  }

  /** Returns the next message; `null` if it is incomplete. Throws if it is malformed. */
  next(): Message | null {
    const { bytes, start, end } = this
    if (end - start < headLength) return null
    const length = bytes.readUInt32LE(start)
    if (length > bytesMax) throw new RangeError(`a message of ${length} bytes`)
    const from = start + headLength
    if (from + length > end) return null
    this.start = from + length
    return {
      kind: bytes.readUInt8(start + kindAt),
      bytes: Buffer.from(bytes.subarray(from, from + length)),
    }
  }

  private makeRoom(more: number): void {
    const used = this.end - this.start
    if (used === 0 && this.bytes.length > roomKept) this.bytes = Buffer.alloc(roomAtFirst)
    if (used > 0 && this.end + more <= this.bytes.length) return
    const enough = used + more <= this.bytes.length
    const target = enough ? this.bytes : Buffer.alloc(2 * (used + more))
    this.bytes.copy(target, 0, this.start, this.end)
    this.bytes = target
    this.start = 0
    this.end = used
  }
}
