// The journal of a node that leads: a batch is durable when the store has its frame on two
// machines. Then it is copied to the node's own folder, which nobody waits for, but for one batch:
// a disk that cannot keep up slows the node down and does not fill its memory.

import { wholeFrame } from '../frame.ts'
import type { Journal } from '../journal.ts'
import { copyFrame, endOfCopy } from './catch-up.ts'
import type { ChainEnd } from './frame-store.ts'
import type { Leadership } from './leadership.ts'

export class ReplicatedJournal {
  private readonly leadership: Leadership
  private readonly copy: Journal
  private end: ChainEnd
  private copied: Promise<void> = Promise.resolve()

  /** The copy ends where the chain does: whoever has just taken the lead has caught up first. If
   *  somebody was quicker after all, the first append is refused. */
  constructor(leadership: Leadership, copy: Journal) {
    this.leadership = leadership
    this.copy = copy
    this.end = endOfCopy(copy)
  }

  /** One at a time. */
  async append(body: Uint8Array, count: number): Promise<void> {
    const { seq, seal } = this.end
    const frame = wholeFrame(body, { count, firstSeq: seq + 1, before: seal })
    await this.leadership.append(frame)
    this.end = { seq: seq + count, seal: frame.seal }
    await this.copied
    this.copied = copyFrame(this.copy, frame)
    // The next append, or the close, learns of a failure.
    this.copied.catch(() => undefined)
  }

  /** Gives the lead back. */
  async close(): Promise<void> {
    await this.leadership.resign()
    await this.copied
    await this.copy.close()
  }
}
