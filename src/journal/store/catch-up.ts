// Reads the store from a given place to the end of the chain.

import type { Frame } from '../frame.ts'
import type { ChainEnd, FrameStore } from './frame-store.ts'

const framesPerRead = 64

export type CatchingUp = Readonly<{
  /** Where it stands, after each frame that it took. */
  end: ChainEnd
  take(frame: Frame): Promise<void>
}>

/** Resolves when there is nothing more, or, where a seq is given, when that is reached. */
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
