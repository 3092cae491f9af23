// Reads the store from a given position to the end of the chain.

import type { Frame } from '../frame.ts'
import type { ChainEnd, FrameStore } from './frame-store.ts'

const framesPerRead = 64

export type CatchingUp = Readonly<{
  /** Position of the consumer, after each frame. */
  end: ChainEnd
  take(frame: Frame): Promise<void>
}>

/** Resolves at the end of the chain, or when the given seq is reached. */
export async function catchUp(
  store: Pick<FrameStore, 'read'>,
  follower: CatchingUp,
  to = Number.POSITIVE_INFINITY,
): Promise<void> {
  while (follower.end.seq < to) {
    const frames = await store.read(follower.end, framesPerRead)
    if (frames.length === 0) return
    for (const frame of frames) await follower.take(frame)
  }
}
