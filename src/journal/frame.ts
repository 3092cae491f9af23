// A frame is one sealed batch of records. Its seal is the SHA-256 of its header and body, and the
// header contains the seal of the previous frame. Seals detect changed bytes, and frames that were
// removed, swapped or inserted. There is one hash per batch, because hashing each record would cost
// as much as applying it during recovery. Seals are not truncated: 64 bytes per batch are cheap.

import { createHash } from 'node:crypto'
import { JournalFault } from './journal-fault.ts'

const magic = 0x3146504f // "OPF1"
export const sealLength = 32
const bodyLengthAt = 4
const countAt = 8
const seqAt = 16
const beforeAt = 24
const sealAt = 56
export const frameHeadLength = 88
/** Size of the length field before each record, in bytes. */
export const lengthBytes = 4
/** Maximum bytes of a frame's body. A larger frame is a bug of the writer, or damage if read from
 *  disk. */
export const frameBodyMax = 64 * 1_024 * 1_024

export type Frame = Readonly<{
  firstSeq: number
  count: number
  /** Seals of the previous frame and of this one. */
  before: Buffer
  seal: Buffer
  /** The bytes that the frame was read from. */
  bytes: Buffer
  start: number
  end: number
}>

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export type FrameHead = Readonly<{ count: number; firstSeq: number; before: Uint8Array }>

/** Encodes the header and the seal of a batch. */
export function sealFrame(
  body: Uint8Array,
  { count, firstSeq, before }: FrameHead,
): Readonly<{ head: Buffer; seal: Buffer }> {
  if (body.length > frameBodyMax) throw new RangeError(`a frame of ${body.length} bytes`)
  const head = Buffer.alloc(frameHeadLength)
  head.writeUInt32LE(magic, 0)
  head.writeUInt32LE(body.length, bodyLengthAt)
  head.writeUInt32LE(count, countAt)
  head.writeBigUInt64LE(BigInt(firstSeq), seqAt)
  head.set(before, beforeAt)
  const seal = sha256(head.subarray(0, sealAt), body)
  head.set(seal, sealAt)
  return { head, seal }
}

/** Encodes a batch as a frame in a single buffer. */
export function wholeFrame(body: Uint8Array, place: FrameHead): Frame {
  const { head, seal } = sealFrame(body, place)
  const bytes = Buffer.concat([head, body])
  const before = bytes.subarray(beforeAt, beforeAt + sealLength)
  const { firstSeq, count } = place
  return { firstSeq, count, before, seal, bytes, start: 0, end: bytes.length }
}

/** The records of a frame up to this seq, as a frame; the same frame if it ends there or before. */
export function upTo(frame: Frame, seq: number): Frame {
  const { bytes, start, firstSeq, before, count } = frame
  const kept = Math.min(count, seq - firstSeq + 1)
  if (kept === count) return frame
  let end = start + frameHeadLength
  eachRecord(frame, (at, _, to) => {
    if (at <= seq) end = to
  })
  return wholeFrame(bytes.subarray(start + frameHeadLength, end), { count: kept, firstSeq, before })
}

function sealOf(bytes: Buffer, start: number, end: number): Buffer {
  return sha256(bytes.subarray(start, start + sealAt), bytes.subarray(start + frameHeadLength, end))
}

/** Decodes the frame at this offset; undefined if it is incomplete or its seal is wrong. */
export function decodeFrame(bytes: Buffer, start: number): Frame | undefined {
  if (start + frameHeadLength > bytes.length) return undefined
  if (bytes.readUInt32LE(start) !== magic) return undefined
  const bodyLength = bytes.readUInt32LE(start + bodyLengthAt)
  const end = start + frameHeadLength + bodyLength
  if (bodyLength > frameBodyMax || end > bytes.length) return undefined
  const seal = bytes.subarray(start + sealAt, start + sealAt + sealLength)
  if (!seal.equals(sealOf(bytes, start, end))) return undefined
  return {
    firstSeq: Number(bytes.readBigUInt64LE(start + seqAt)),
    count: bytes.readUInt32LE(start + countAt),
    before: bytes.subarray(start + beforeAt, start + beforeAt + sealLength),
    seal,
    bytes,
    start,
    end,
  }
}

/** Offset of the first complete frame at or after `from`; -1 if there is none. */
export function findFrame(bytes: Buffer, from: number): number {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(magic)
  for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + 1))
    if (decodeFrame(bytes, at) !== undefined) return at
  return -1
}

/** Calls the function with the position of each record, in order. Throws if the records do not fill
 *  the body exactly, because a seal only proves that the bytes are unchanged. */
export function eachRecord(
  { bytes, start, end, count, firstSeq }: Frame,
  visit: (seq: number, from: number, to: number) => void,
): void {
  let at = start + frameHeadLength
  for (let n = 0; n < count; n++) {
    const from = at + lengthBytes
    const to = from <= end ? from + bytes.readUInt32LE(at) : Number.POSITIVE_INFINITY
    if (to > end) throw notFilled(firstSeq, `record ${n + 1} of ${count} goes past its end`)
    visit(firstSeq + n, from, to)
    at = to
  }
  if (at !== end) throw notFilled(firstSeq, `${end - at} bytes follow its ${count} records`)
}

function notFilled(firstSeq: number, why: string): JournalFault {
  const text = `the frame of seq ${firstSeq} was not written by this program: ${why}`
  return new JournalFault('JOURNAL_DAMAGED', text)
}
