// The replica of an exchange that another process leads. Frames are applied in order, and their
// events are passed to local listeners. Every frame is already durable at the leader.

import type { ClosedState, ExchangeView } from '../../core/index.ts'
import type { Frame } from '../../journal/frame.ts'
import { type ChainEnd, endOf, isNext } from '../../journal/store/frame-store.ts'
import { SequencerStopped } from '../not-taken.ts'
import type { Batch, Outcome } from '../outcome.ts'
import { SeqWaits } from '../queue/seq-waits.ts'
import type { Follower } from '../replica/follower.ts'

export type FollowedParts = Readonly<{
  follower: Follower
  /** The initial state and its position in the chain. */
  end: ChainEnd
  /** Writes a frame to this process's own folder. The next frame waits for it. */
  keep?: (frame: Frame) => Promise<void>
  /** Receives each batch after the listeners; the next frame waits for it. */
  feed?: (batch: Batch) => void | Promise<void>
}>

export class Followed {
  private readonly parts: FollowedParts
  private readonly listeners = new Set<(batch: Batch) => void>()
  private readonly waits = new SeqWaits()
  private reachedEnd: ChainEnd
  /** Outcomes of the newest frame. Their events can be read until the next frame. */
  private newest: Batch | null = null
  private feed: FollowedParts['feed']

  constructor(parts: FollowedParts) {
    this.parts = parts
    this.feed = parts.feed
    this.reachedEnd = parts.end
  }

  get view(): ExchangeView {
    return this.parts.follower.replica.view
  }

  get state(): ClosedState {
    return this.parts.follower.replica.state
  }

  get seq(): number {
    return this.parts.follower.replica.seq
  }

  get timeline(): number {
    return this.parts.follower.replica.timeline
  }

  get end(): ChainEnd {
    return this.reachedEnd
  }

  /** Waits for the entry; returns whether it is part of `view` in time. */
  async reached(seq: number, waitMs: number): Promise<boolean> {
    return this.seq >= seq || this.waits.wait(seq, waitMs)
  }

  /** Adds a listener, which must read what it needs of a batch before it returns. */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Replaces the function that receives each batch. */
  feedTo(feed: NonNullable<FollowedParts['feed']>): void {
    this.feed = feed
  }

  /** Applies a frame. Frames are applied one at a time. */
  async take(frame: Frame): Promise<void> {
    const end = endOf(frame)
    if (this.isPast(end)) return
    if (!isNext(frame, this.reachedEnd)) throw offChain(frame, this.seq)
    const { follower, keep } = this.parts
    const batch = await follower.take(frame)
    this.reachedEnd = end
    this.newest = batch
    if (batch !== null) for (const listener of this.listeners) listener(batch)
    this.waits.reached(this.seq)
    await keep?.(frame)
    if (batch !== null) await this.feed?.(batch)
  }

  /** Outcome of an entry of the newest frame. */
  outcomeOf(seq: number): Outcome | undefined {
    return this.newest?.outcomes.find((each) => each.seq === seq)
  }

  /** Whether the position was applied before, because a node that reads the store may be ahead of
   *  the link. */
  private isPast({ seq, seal }: ChainEnd): boolean {
    const { seq: reached, seal: reachedSeal } = this.reachedEnd
    return seq < reached || (seq === reached && seal.equals(reachedSeal))
  }
}

function offChain({ firstSeq }: Frame, seq: number): SequencerStopped {
  const text = `the frame of seq ${firstSeq} does not follow seq ${seq}`
  return new SequencerStopped(`this process cannot follow the leader: ${text}`)
}
