// Reads frames from any place of the journal, for readers that need no state. Each frame is
// verified by its seal, and the frames must follow each other; where they do not, reading ends.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { decodeFrame, type Frame } from '../../journal/frame.ts'
import { listSegments, segmentHeadLength } from '../../journal/segment.ts'

/** Where a frame begins. */
export type FramePlace = Readonly<{ segment: number; offset: number }>

export type PlacedFrame = Readonly<{ frame: Frame; next: FramePlace }>

/** The first entry of the newest segment that begins at or before this entry; `null` if it is no
 *  longer kept. */
export function segmentOf(folder: string, seq: number): number | null {
  return listSegments(folder).findLast(({ firstSeq }) => firstSeq <= seq)?.firstSeq ?? null
}

/** All frames from this place to the one with the entry `to`. */
export function* framesFrom(
  folder: string,
  { segment, offset }: FramePlace,
  to: number,
): Generator<PlacedFrame> {
  let from = offset
  let seal: Buffer | null = null
  for (const { file, firstSeq } of listSegments(folder)) {
    if (firstSeq < segment || firstSeq > to) continue
    const bytes = bytesFrom(file, from)
    for (let at = 0; ; ) {
      const frame = decodeFrame(bytes, at)
      if (frame === undefined || (seal !== null && !frame.before.equals(seal))) break
      seal = frame.seal
      at = frame.end
      yield { frame, next: { segment: firstSeq, offset: from + at } }
      if (frame.firstSeq + frame.count > to) return
    }
    from = segmentHeadLength
  }
}

function bytesFrom(file: string, offset: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, fstatSync(descriptor).size - offset))
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset))
  } finally {
    closeSync(descriptor)
  }
}
