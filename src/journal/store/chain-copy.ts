// A node's own folder is its copy of the chain: starts, snapshots, the audit and backups read it
// and not the store. It is never ahead of what is acknowledged, because it gets a frame only when
// the store has it on two machines. It lags by at most one frame: a slow disk slows the node down
// and does not fill its memory.

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
   *  disk, or fails with its error. */
  async add({ bytes, start, end, count }: Frame): Promise<void> {
    await this.copied
    this.copied = this.journal.append(bytes.subarray(start + frameHeadLength, end), count)
    // The next frame, or the close, reports the failure.
    this.copied.catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.copied
    await this.journal.close()
  }
}
