// The durable mark: the position up to which the journal is known to be durable, stored in its own
// file. Missing or wrong bytes before the mark are damage; after the mark they may be a torn tail.
// Two slots in separate sectors are written in turn, so that a torn write of one leaves the other
// intact. The mark may be behind the journal, but never ahead of it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealLength, sha256 } from './frame.ts'

const magic = Buffer.from('OPMARK01', 'latin1')
const slotBytes = 512
const seqAt = 8
const frameSealAt = 16
const sealAt = 48
const usedBytes = sealAt + sealLength

/** The last durable record, and the seal of the frame that ends with it. */
export type DurableMark = Readonly<{ seq: number; seal: Buffer }>

export function markFile(folder: string): string {
  return join(folder, 'durable.mark')
}

export function encodeMark({ seq, seal }: DurableMark): Buffer {
  const slot = Buffer.alloc(slotBytes)
  slot.set(magic)
  slot.writeBigUInt64LE(BigInt(seq), seqAt)
  slot.set(seal, frameSealAt)
  slot.set(sha256(slot.subarray(0, sealAt)), sealAt)
  return slot
}

/** Offset of the n-th mark that a process writes. */
export function markOffset(turn: number): number {
  return (turn % 2) * slotBytes
}

function decodeSlot(bytes: Buffer, at: number): DurableMark | null {
  if (at + usedBytes > bytes.length || !bytes.subarray(at, at + seqAt).equals(magic)) return null
  const seal = bytes.subarray(at + sealAt, at + usedBytes)
  if (!seal.equals(sha256(bytes.subarray(at, at + sealAt)))) return null
  return {
    seq: Number(bytes.readBigUInt64LE(at + seqAt)),
    seal: bytes.subarray(at + frameSealAt, at + frameSealAt + sealLength),
  }
}

/** Reads the furthest valid mark. Returns `null` if nothing was ever written or the file was lost.
 *  The rules for the tail then apply without a mark. */
export function readMark(folder: string): DurableMark | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(markFile(folder))
  } catch (error) {
    // A new folder has no mark yet; any other read error is a fault.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const one = decodeSlot(bytes, 0)
  const other = decodeSlot(bytes, slotBytes)
  if (one === null || other === null) return one ?? other
  return one.seq >= other.seq ? one : other
}
