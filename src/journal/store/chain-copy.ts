// A node's own folder is its copy of the chain. Starts, snapshots, the audit and backups read the
// copy instead of the store. The copy contains only acknowledged frames, because a frame is added
// when the store has it on two machines. It lags by at most one frame, so that a slow disk slows
// the node down instead of filling its memory.

import { type Frame, frameHeadLength } from '../frame.ts'
import type { Journal } from '../journal.ts'
import type { ChainEnd } from './frame-store.ts'

export class ChainCopy {
  private readonly journal: Journal
  private copied: Promise<void> = Promise.resolve()

  constructor(journal: Journal) {
    this.journal = journal
  }

  /** The end of the folder's history. */
  get end(): ChainEnd {
    const { seq, lastSeal: seal } = this.journal
    return { seq, seal }
  }

  /** Adds the same bytes, so that the seal is the same. Resolves when the previous frame is on
   *  disk, or fails with that frame's error. */
  async add({ bytes, start, end, count }: Frame): Promise<void> {
    await this.copied
    this.copied = this.journal.append(bytes.subarray(start + frameHeadLength, end), count)
    // The next frame, or the close, reports the error.
    this.copied.catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.copied
    await this.journal.close()
  }
}
