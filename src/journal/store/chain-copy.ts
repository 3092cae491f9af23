// A node's own folder is its copy of the chain: a start, snapshots, the audit and backups read it
// and do not use the store. It is never ahead of what is acknowledged, because it gets a frame only
// when the store has it on two machines. It may lag by one frame only: a slow disk slows the node
// down and does not fill its memory.

import { type Frame, frameHeadLength } from '../frame.ts'
import type { Journal } from '../journal.ts'
import type { ChainEnd } from './frame-store.ts'

export class ChainCopy {
  private readonly journal: Journal
  private copied: Promise<void> = Promise.resolve()

  constructor(journal: Journal) {
    this.journal = journal
  }

  /** Where the folder ends. */
  get end(): ChainEnd {
    const { seq, lastSeal: seal } = this.journal
    return { seq, seal }
  }

  /** The same bytes, so the same seal. Resolves when the frame before is on the disk, or fails with
   *  what became of that one. */
  async add({ bytes, start, end, count }: Frame): Promise<void> {
    await this.copied
    this.copied = this.journal.append(bytes.subarray(start + frameHeadLength, end), count)
    // The next frame, or the close, learns of a failure.
    this.copied.catch(() => undefined)
  }

  async close(): Promise<void> {
    await this.copied
    await this.journal.close()
  }
}
