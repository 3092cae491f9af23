// One channel of one market or account, and who reads it. What it says is written as text once, for
// all readers of one spelling together. Market topics gather what they say until the next flush and
// leave out a reader that is full, who gets the newest state when it can take more; account topics
// say everything at once to everyone.

import { textFrame } from '../protocol/streams/text-frame.ts'

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
export type Told = Readonly<{ data: string; li: number }>

export abstract class Topic {
  readonly key: string
  private readonly readers = new Map<string, Set<Subscription>>()
  private pending: Told[] = []

  constructor(key: string) {
    this.key = key
  }

  /** What a new reader begins with; null: it waits for what happens, or for its topic to load. */
  abstract first(): Told | null

  /** The state was replaced by an older one. */
  abstract reverted(): void

  get isRead(): boolean {
    return this.readers.size > 0
  }

  get hasPending(): boolean {
    return this.pending.length > 0
  }

  join(source: string, outlet: Outlet): Subscription {
    // Those who read already have what was said so far; the new one begins after it.
    this.deliver()
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

  sendFirst({ source, outlet }: Subscription): void {
    const first = this.first()
    if (first !== null) outlet.push(frameOf(source, first))
  }

  /** To everyone, whatever was said before. */
  sendFirstToAll(): void {
    this.pending = []
    const first = this.first()
    if (first === null) return
    for (const [source, readers] of this.readers) {
      const frame = frameOf(source, first)
      for (const { outlet } of readers) outlet.push(frame)
    }
  }

  /** A reader that was full can take more. */
  catchUp(subscription: Subscription): void {
    if (subscription.skipped === 0) return
    // What waits is of the time before: it is counted, not sent.
    this.deliver()
    const { source, outlet, skipped } = subscription
    subscription.skipped = 0
    const first = this.first() ?? { data: '[]', li: this.place() }
    outlet.push(frameOf(source, first, skipped))
  }

  /** The newest place in history, for a frame that only tells of a gap. */
  protected abstract place(): number

  /** At the next flush. */
  protected tell(told: Told): void {
    if (this.isRead) this.pending.push(told)
  }

  /** Now, and to everyone. */
  protected tellNow(told: Told): void {
    for (const [source, readers] of this.readers) {
      const frame = frameOf(source, told)
      for (const { outlet } of readers) outlet.push(frame)
    }
  }

  deliver(): void {
    const told = this.pending
    if (told.length === 0) return
    this.pending = []
    for (const [source, readers] of this.readers) {
      const frames = framesOf(source, told)
      for (const reader of readers) {
        if (reader.skipped > 0 || reader.outlet.isFull()) reader.skipped += told.length
        else reader.outlet.push(frames)
      }
    }
  }
}

export function frameOf(source: string, { data, li }: Told, skipped = 0): Buffer {
  const gap = skipped === 0 ? '' : `,"skipped":${skipped}`
  return textFrame(`{"channel":"${source}","data":${data},"li":${li}${gap}}`)
}

function framesOf(source: string, told: readonly Told[]): Buffer {
  if (told.length === 1) return frameOf(source, told[0]!)
  return Buffer.concat(told.map((each) => frameOf(source, each)))
}
