// The journal of a leader. A batch is durable when the store has its frame on two machines. The
// frame is then published, and copied to the node's own folder without waiting.

import { frameHeadLength, wholeFrame } from '../frame.ts'
import type { Journal, SealedFrame } from '../journal.ts'
import { ChainCopy } from './chain-copy.ts'
import { type ChainEnd, endOf } from './frame-store.ts'
import type { Leadership } from './leadership.ts'

export class ReplicatedJournal {
  private readonly leadership: Leadership
  private readonly copy: ChainCopy
  private readonly onFrame: (frame: SealedFrame) => void
  private end: ChainEnd

  /** The copy must end at the end of the chain, because a new leader has caught up. If another node
   *  has appended a frame meanwhile, the first append is refused. `onFrame` is called before the
   *  `append` of the batch resolves. */
  constructor(
    leadership: Leadership,
    copy: Journal,
    onFrame: (frame: SealedFrame) => void = () => undefined,
  ) {
    this.leadership = leadership
    this.copy = new ChainCopy(copy)
    this.onFrame = onFrame
    this.end = this.copy.end
  }

  /** Appends a batch. Only one call may be pending. */
  async append(body: Uint8Array, count: number): Promise<void> {
    const { seq, seal } = this.end
    const frame = wholeFrame(body, { count, firstSeq: seq + 1, before: seal })
    await this.leadership.append(frame)
    this.end = endOf(frame)
    this.onFrame({ head: frame.bytes.subarray(0, frameHeadLength), body, ...this.end })
    await this.leadership.during(this.copy.add(frame))
  }

  /** Closes the copy and releases the lease. */
  async close(): Promise<void> {
    await this.leadership.resign()
    await this.copy.close()
  }
}
