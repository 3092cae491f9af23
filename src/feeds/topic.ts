// One channel of one market or account, and who reads it. What its publisher gives is written as
// text once, for all readers of one spelling together. Market topics queue payloads until the next
// flush and leave out a reader that is full, who gets the newest state when it can take more;
// account topics send everything at once to everyone.

import { textFrame } from '../protocol/streams/text-frame.ts'
import type { TopicId } from './topic-id.ts'

/** Where the frames of a subscription go. */
export type Outlet = Readonly<{
  /** More waits to be read than a market channel may add to. */
  isFull(): boolean
  push(frames: Buffer): void
}>

export type Subscription = {
  readonly topic: Topic
  readonly source: string
  readonly outlet: Outlet
  /** Frames that were left out since the reader became full; 0: it is not. */
  skipped: number
}

/** Data as JSON, and the place in history it is true as of. */
export type Payload = Readonly<{ data: string; li: number }>

/** Makes what a topic sends. Its channel makes one when the first reader comes. */
export type Publisher = Readonly<{
  /** What a new reader begins with; null: it waits for what happens, or for history to answer. */
  snapshot(): Payload | null
  /** The state was replaced by an older one. */
  reverted?(): void
}>

export class Topic<P extends Publisher = Publisher> {
  readonly id: TopicId
  readonly publisher: P
  private readonly seq: () => number
  private readonly readers = new Map<string, Set<Subscription>>()
  private pending: Payload[] = []

  /** `seq`: the newest place in history. */
  constructor(id: TopicId, seq: () => number, open: (topic: Topic) => P) {
    this.id = id
    this.seq = seq
    this.publisher = open(this as unknown as Topic)
  }

  get isRead(): boolean {
    return this.readers.size > 0
  }

  get hasPending(): boolean {
    return this.pending.length > 0
  }

  join(source: string, outlet: Outlet): Subscription {
    // Those who read already have what was queued so far; the new one begins after it.
    this.flush()
    const subscription: Subscription = { topic: this, source, outlet, skipped: 0 }
    const readers = this.readers.get(source)
    if (readers === undefined) this.readers.set(source, new Set([subscription]))
    else readers.add(subscription)
    return subscription
  }

  leave(subscription: Subscription): void {
    const readers = this.readers.get(subscription.source)
    readers?.delete(subscription)
    if (readers?.size === 0) this.readers.delete(subscription.source)
  }

  sendSnapshot({ source, outlet }: Subscription): void {
    const snapshot = this.publisher.snapshot()
    if (snapshot !== null) outlet.push(frameOf(source, snapshot))
  }

  /** To everyone; what was queued before is dropped. */
  sendSnapshotToAll(): void {
    this.pending = []
    const snapshot = this.publisher.snapshot()
    if (snapshot !== null) this.send(snapshot)
  }

  /** A reader that was full can take more. */
  catchUp(subscription: Subscription): void {
    if (subscription.skipped === 0) return
    // What is queued is older than the snapshot: it is counted, not sent.
    this.flush()
    const { source, outlet, skipped } = subscription
    subscription.skipped = 0
    // A channel without a state sends an empty list with the gap.
    const snapshot = this.publisher.snapshot() ?? { data: '[]', li: this.seq() }
    outlet.push(frameOf(source, snapshot, skipped))
  }

  /** At the next flush, to everyone who is not full. */
  queue(payload: Payload): void {
    if (this.isRead) this.pending.push(payload)
  }

  /** Now, and to everyone. */
  send(payload: Payload): void {
    for (const [source, readers] of this.readers) {
      const frame = frameOf(source, payload)
      for (const { outlet } of readers) outlet.push(frame)
    }
  }

  flush(): void {
    const { pending } = this
    if (pending.length === 0) return
    this.pending = []
    for (const [source, readers] of this.readers) {
      const frames = framesOf(source, pending)
      for (const reader of readers) {
        if (reader.skipped > 0 || reader.outlet.isFull()) reader.skipped += pending.length
        else reader.outlet.push(frames)
      }
    }
  }
}

export function frameOf(source: string, { data, li }: Payload, skipped = 0): Buffer {
  const gap = skipped === 0 ? '' : `,"skipped":${skipped}`
  return textFrame(`{"channel":"${source}","data":${data},"li":${li}${gap}}`)
}

function framesOf(source: string, payloads: readonly Payload[]): Buffer {
  if (payloads.length === 1) return frameOf(source, payloads[0]!)
  return Buffer.concat(payloads.map((each) => frameOf(source, each)))
}
