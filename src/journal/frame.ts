// A frame is one batch of records, sealed: its seal is the SHA-256 of its head and body, and the
// head holds the seal of the frame before. So a flipped byte, and a frame that was removed, swapped
// or put in, are all found. One hash a batch, because a hash a record would cost recovery as much
// as applying the record does. Seals are kept whole: 64 bytes a batch are not worth an argument.

import { createHash } from 'node:crypto'

const magic = 0x3146504f // "OPF1"
export const sealLength = 32
const bodyLengthAt = 4
const countAt = 8
const seqAt = 16
const beforeAt = 24
const sealAt = 56
export const frameHeadLength = 88
/** Its length stands before a record. */
const recordAt = 4
/** More in one frame is a bug of the writer, and as a length read from disk it is damage. */
export const frameBodyMax = 64 * 1_024 * 1_024

export type Frame = Readonly<{
  firstSeq: number
  count: number
  /** Seals of the frame before and of this one. */
  before: Buffer
  seal: Buffer
  /** Where the frame stands in the bytes it was read from. */
  bytes: Buffer
  start: number
  end: number
}>

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The batch as bytes to append. */
export function encodeFrame(
  records: readonly Uint8Array[],
  firstSeq: number,
  before: Uint8Array,
): Readonly<{ bytes: Buffer; seal: Buffer }> {
  let length = frameHeadLength
  for (const record of records) length += recordAt + record.length
  if (length - frameHeadLength > frameBodyMax) throw new RangeError(`a frame of ${length} bytes`)
  const bytes = Buffer.allocUnsafe(length)
  bytes.fill(0, 0, frameHeadLength)
  bytes.writeUInt32LE(magic, 0)
  bytes.writeUInt32LE(length - frameHeadLength, bodyLengthAt)
  bytes.writeUInt32LE(records.length, countAt)
  bytes.writeBigUInt64LE(BigInt(firstSeq), seqAt)
  bytes.set(before, beforeAt)
  let at = frameHeadLength
  for (const record of records) {
    bytes.writeUInt32LE(record.length, at)
    bytes.set(record, at + recordAt)
    at += recordAt + record.length
  }
  const seal = sealOf(bytes, 0, length)
  bytes.set(seal, sealAt)
  return { bytes, seal }
}

function sealOf(bytes: Buffer, start: number, end: number): Buffer {
  return sha256(bytes.subarray(start, start + sealAt), bytes.subarray(start + frameHeadLength, end))
}

/** The whole, rightly sealed frame that starts here; undefined when there is none. */
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

/** Where a whole frame stands at or after this place; -1: nowhere. */
export function findFrame(bytes: Buffer, from: number): number {
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(magic)
  for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + 1))
    if (decodeFrame(bytes, at) !== undefined) return at
  return -1
}

/** Calls with the place of every record, in order. The seal has vouched for the lengths. */
export function eachRecord(
  { bytes, start, count, firstSeq }: Frame,
  visit: (seq: number, from: number, to: number) => void,
): void {
  let at = start + frameHeadLength
  for (let n = 0; n < count; n++) {
    const from = at + recordAt
    const to = from + bytes.readUInt32LE(at)
    visit(firstSeq + n, from, to)
    at = to
  }
}
