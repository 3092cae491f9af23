// A channel of one market or account, and its readers. Each payload is serialized once for all
// readers with the same alias and previous frame. Market topics queue payloads until the next
// flush. They skip readers whose buffer is full, which receive the newest state later. Account
// topics hold payloads until the replies of their batch are written, and then send all of them to
// every reader.

import { textFrame } from '../protocol/streams/text-frame.ts'
import type { TopicId } from './topic-id.ts'

/** Where the frames of a subscription go. */
export type Outlet = Readonly<{
  /** Whether the reader has too much unsent data for further frames of market channels. */
  isFull(): boolean
  /** `of`: absent for messages outside of subscriptions. */
  push(frames: Buffer, of?: Subscription): void
}>

export type Subscription = {
  readonly topic: Topic
  readonly source: string
  readonly outlet: Outlet
  /** Number of frames skipped since the reader's buffer became full; 0 if it is not full. */
  skipped: number
  /** `li` of the last frame; before the first frame, the sequence number from which the reader
   *  starts. */
  li: number
  /** Number of held payloads that the initial data already includes. */
  held: number
}

/** JSON data, and the sequence number that it is as of. */
export type Payload = Readonly<{ data: string; li: number }>

/** Makes the payloads of a topic. The channel creates it for the first reader. */
export type Publisher = Readonly<{
  /** Returns the initial payload of a new reader; `null` if the reader waits for events or for
   *  history. */
  snapshot(): Payload | null
  /** Called when the state was replaced by an older one. */
  reverted?(): void
}>

export class Topic<P extends Publisher = Publisher> {
  readonly id: TopicId
  readonly publisher: P
  private readonly seq: () => number
  private readonly readers = new Map<string, Set<Subscription>>()
  private pending: Payload[] = []
  private held: Payload[] = []
  private readonly onHeld: (topic: Topic) => void

  /** `seq` returns the newest sequence number. `onHeld` is called for the first payload since the
   *  last release. */
  constructor(
    id: TopicId,
    seq: () => number,
    open: (topic: Topic) => P,
    onHeld: (topic: Topic) => void = () => undefined,
  ) {
    this.id = id
    this.seq = seq
    this.onHeld = onHeld
    this.publisher = open(this as unknown as Topic)
  }

  get isRead(): boolean {
    return this.readers.size > 0
  }

  get hasPending(): boolean {
    return this.pending.length > 0
  }

  join(source: string, outlet: Outlet): Subscription {
    // Queued payloads are sent to the existing readers. The new reader starts after them.
    this.flush()
    const held = this.held.length
    const li = this.seq()
    const subscription: Subscription = { topic: this, source, outlet, skipped: 0, li, held }
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

  sendSnapshot(subscription: Subscription): void {
    const snapshot = this.publisher.snapshot()
    // The snapshot includes the held payloads.
    subscription.held = this.held.length
    if (snapshot !== null) push(subscription, snapshot)
  }

  /** Sends the payloads that a reader missed. `from`: the sequence number that it has reached;
   *  `null` if it has none. */
  sendMissed(subscription: Subscription, missed: readonly Payload[], from: number | null): void {
    const { source, outlet } = subscription
    let prev = from
    for (const payload of missed) {
      outlet.push(frameOf(source, payload, { prev }), subscription)
      prev = payload.li
    }
    if (prev !== null) subscription.li = prev
  }

  /** Sends a snapshot to all readers and drops queued payloads. */
  sendSnapshotToAll(): void {
    this.pending = []
    this.held = []
    const snapshot = this.publisher.snapshot()
    for (const readers of this.readers.values())
      for (const subscription of readers) {
        subscription.held = 0
        if (snapshot !== null) push(subscription, snapshot)
        else subscription.li = this.seq()
      }
  }

  /** Called when a reader whose buffer was full can receive frames again. */
  catchUp(subscription: Subscription): void {
    if (subscription.skipped === 0) return
    // Queued payloads are older than the snapshot, so they are counted as skipped.
    this.flush()
    const { skipped } = subscription
    subscription.skipped = 0
    // A channel without a state reports the gap with an empty list.
    push(subscription, this.publisher.snapshot() ?? { data: '[]', li: this.seq() }, skipped)
  }

  /** Sends a payload at the next flush, to all readers whose buffers are not full. */
  queue(payload: Payload): void {
    if (this.isRead) this.pending.push(payload)
  }

  /** Sends a payload to every reader now. */
  send(payload: Payload): void {
    for (const [source, readers] of this.readers) {
      const frames = new Frames(source, [payload])
      for (const reader of readers) frames.sendTo(reader)
    }
  }

  /** Sends a payload to every reader once the replies of the batch have been written. */
  hold(payload: Payload): void {
    if (!this.isRead) return
    this.held.push(payload)
    if (this.held.length === 1) this.onHeld(this as unknown as Topic)
  }

  release(): void {
    const { held } = this
    this.held = []
    for (const [source, readers] of this.readers) {
      const frames = new Frames(source, held)
      for (const reader of readers) {
        frames.sendTo(reader, reader.held)
        reader.held = 0
      }
    }
  }

  flush(): void {
    const { pending } = this
    if (pending.length === 0) return
    this.pending = []
    for (const [source, readers] of this.readers) {
      const frames = new Frames(source, pending)
      for (const reader of readers) {
        if (reader.skipped > 0 || reader.outlet.isFull()) reader.skipped += pending.length
        else frames.sendTo(reader)
      }
    }
  }
}

/** The payloads of one topic as frames. Readers with the same previous frame get the same bytes. */
class Frames {
  private readonly source: string
  private readonly payloads: readonly Payload[]
  private readonly made = new Map<string, Buffer>()

  constructor(source: string, payloads: readonly Payload[]) {
    this.source = source
    this.payloads = payloads
  }

  sendTo(reader: Subscription, from = 0): void {
    const { source, payloads, made } = this
    if (from >= payloads.length) return
    const key = `${from} ${reader.li}`
    let bytes = made.get(key)
    if (bytes === undefined) {
      bytes = framesOf(source, from === 0 ? payloads : payloads.slice(from), reader.li)
      made.set(key, bytes)
    }
    reader.li = payloads.at(-1)!.li
    reader.outlet.push(bytes, reader)
  }
}

/** Sends the first frame of a reader, or the first after a gap. */
function push(subscription: Subscription, payload: Payload, skipped = 0): void {
  const { source, outlet } = subscription
  subscription.li = payload.li
  outlet.push(frameOf(source, payload, { prev: null, skipped }), subscription)
}

type Before = Readonly<{
  /** `li` of the reader's last frame; `null` for the first frame, or after a gap. */
  prev: number | null
  skipped?: number
}>

function frameOf(source: string, { data, li }: Payload, { prev, skipped = 0 }: Before): Buffer {
  const gap = skipped === 0 ? '' : `,"skipped":${skipped}`
  return textFrame(`{"channel":"${source}","data":${data},"li":${li},"prev":${prev}${gap}}`)
}

function framesOf(source: string, payloads: readonly Payload[], after: number): Buffer {
  const frames = payloads.map((each, at) =>
    frameOf(source, each, { prev: at === 0 ? after : payloads[at - 1]!.li }),
  )
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames)
}
