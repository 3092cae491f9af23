// Records as the body of a frame, for tests that write a journal themselves.

import { lengthBytes, sealFrame } from '../../src/journal/frame.ts'
import type { Journal } from '../../src/journal/journal.ts'

/** Each behind its length. */
export function bodyOf(records: readonly Uint8Array[]): Buffer {
  const parts = records.flatMap((record) => {
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32LE(record.length)
    return [length, record]
  })
  return Buffer.concat(parts)
}

export function append(journal: Journal, ...records: readonly Uint8Array[]): Promise<void> {
  return journal.append(bodyOf(records), records.length)
}

/** A whole frame, rightly sealed. */
export function frameOf(
  records: readonly Uint8Array[],
  firstSeq: number,
  before: Uint8Array,
): Buffer {
  const body = bodyOf(records)
  const { head } = sealFrame(body, { count: records.length, firstSeq, before })
  return Buffer.concat([head, body])
}
