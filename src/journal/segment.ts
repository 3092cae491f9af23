// A segment is one file of the journal, named by the seq of its first record. Its header repeats
// the seq, with the seal of the previous frame, so that segments cannot be confused. The file gets
// its name only when the header is on disk, so a segment with an invalid header is always damaged.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sealLength, sha256 } from './frame.ts'
import { JournalFault } from './journal-fault.ts'

const magic = Buffer.from('OPJOURNL', 'latin1')
const formatVersion = 1
const versionAt = 8
const seqAt = 16
const beforeAt = 24
const sealAt = 56
export const segmentHeadLength = 88
const ending = '.seg'

export type Segment = Readonly<{ file: string; firstSeq: number }>

/** File name of a segment. The seq has sixteen digits, so that names sort in the order of
 *  history. */
export function segmentFile(folder: string, firstSeq: number): string {
  return join(folder, `${firstSeq}`.padStart(16, '0') + ending)
}

/** Lists the segments in the order of history. */
export function listSegments(folder: string): readonly Segment[] {
  return readdirSync(folder)
    .filter((name) => /^\d{16}\.seg$/.test(name))
    .sort()
    .map((name) => ({
      file: join(folder, name),
      firstSeq: Number.parseInt(name.slice(0, -ending.length), 10),
    }))
}

export function encodeSegmentHead(firstSeq: number, before: Uint8Array): Buffer {
  const head = Buffer.alloc(segmentHeadLength)
  head.set(magic)
  head.writeUInt32LE(formatVersion, versionAt)
  head.writeBigUInt64LE(BigInt(firstSeq), seqAt)
  head.set(before, beforeAt)
  head.set(sha256(head.subarray(0, sealAt)), sealAt)
  return head
}

/** Seal before the segment, or `null` if its header is invalid. */
export function sealBefore(bytes: Buffer, { file, firstSeq }: Segment): Buffer | null {
  if (bytes.length < segmentHeadLength || !bytes.subarray(0, versionAt).equals(magic)) return null
  const seal = bytes.subarray(sealAt, sealAt + sealLength)
  if (!seal.equals(sha256(bytes.subarray(0, sealAt)))) return null
  const version = bytes.readUInt32LE(versionAt)
  if (version !== formatVersion) {
    const text = `${file} has journal format ${version}; this program reads ${formatVersion}`
    throw new JournalFault('FORMAT_UNKNOWN', text)
  }
  if (Number(bytes.readBigUInt64LE(seqAt)) !== firstSeq) return null
  return bytes.subarray(beforeAt, beforeAt + sealLength)
}
