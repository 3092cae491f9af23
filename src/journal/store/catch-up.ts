// A node's own folder is its copy of the chain: a start, snapshots, the audit and backups read it
// and know nothing of the store. It is never ahead of what is acknowledged, because it gets a frame
// only when the store has it on two machines.

import { type Frame, frameHeadLength } from '../frame.ts'
import type { Journal } from '../journal.ts'
import type { ChainEnd, FrameStore } from './frame-store.ts'

const framesAtOnce = 64

/** Where the copy ends. */
export function endOfCopy({ seq, lastSeal }: Journal): ChainEnd {
  return { seq, seal: lastSeal }
}

/** Adds a frame of the store to the copy; the same bytes, so the same seal. */
export function copyFrame(copy: Journal, { bytes, start, end, count }: Frame): Promise<void> {
  return copy.append(bytes.subarray(start + frameHeadLength, end), count)
}

/** Brings the copy, and whoever takes its frames, to where the chain ends. */
export async function catchUp(
  store: Pick<FrameStore, 'read'>,
  copy: Journal,
  take: (frame: Frame) => Promise<void>,
): Promise<void> {
  for (;;) {
    const frames = await store.read(endOfCopy(copy), framesAtOnce)
    if (frames.length === 0) return
    for (const frame of frames) {
      await copyFrame(copy, frame)
      await take(frame)
    }
  }
}
