// The leader's end of the links. A follower receives every durable frame from its position on. A
// trusted one, on the same machine, submits records, which are answered with their seq, after the
// frame that contains them. A call is answered after every frame that was durable before.

import type { Duplex } from 'node:stream'
import type { SealedFrame } from '../../journal/journal.ts'
import type { ChainEnd } from '../../journal/store/frame-store.ts'
import { SequencerStopped } from '../not-taken.ts'
import type { Outcome } from '../outcome.ts'
import { Calls, type Served } from './calls.ts'
import {
  decodeSubmit,
  encodeMessage,
  encodeRefused,
  encodeTaken,
  encodeWelcome,
  FRAME,
  type Message,
  MessageReader,
  SUBMIT,
  type Taken,
} from './messages.ts'

/** A follower with more unsent bytes than this is disconnected, and catches up from the journal. */
const unsentBytesMax = 256 * 1_024 * 1_024
/** Time in ms that a stopping leader waits for a follower that does not read. */
const finishMsMax = 2_000

export type FollowersParts = Readonly<{
  /** The end of history before the first frame that is sent. */
  end: ChainEnd
  ask: (record: Buffer, mayPass: boolean) => Promise<Outcome>
  unsentBytesMax?: number
  /** Whether frames are sent before they are on this disk. */
  leadsDisk?: boolean
}>

/** A frame, and the end of the chain before it. */
type RecentFrame = Readonly<{ before: ChainEnd; message: Buffer }>

/** Maximum number of frames that are sent before they are on this disk, as happens in a cluster. */
const recentMax = 2

export class Followers {
  private readonly parts: FollowersParts
  private readonly links = new Set<FollowerLink>()
  private readonly recent: RecentFrame[] = []
  private end: ChainEnd

  constructor(parts: FollowersParts) {
    this.parts = parts
    this.end = parts.end
  }

  get count(): number {
    return this.links.size
  }

  all(): readonly FollowerLink[] {
    return [...this.links]
  }

  /** Sends a durable frame to all followers. */
  publish({ head, body, seq, seal }: SealedFrame): void {
    const before = this.end
    this.end = { seq, seal }
    if (this.links.size === 0 && !this.parts.leadsDisk) return
    const message = encodeMessage(FRAME, head, body)
    if (this.parts.leadsDisk && this.recent.push({ before, message }) > recentMax)
      this.recent.shift()
    for (const link of this.links) link.send(message)
  }

  /** Adds a follower at the other end of the stream. `served` are the calls that it may make. It
   *  first receives the frames after `after` from this disk. */
  serve(stream: Duplex, served: Served = {}, after = this.end.seq): FollowerLink {
    return this.add(stream, { ask: this.parts.ask, served }, after)
  }

  /** Adds a follower that may call, but not submit records. */
  serveCaller(stream: Duplex, served: Served): FollowerLink {
    return this.add(stream, { ask: null, served }, this.end.seq)
  }

  private add(stream: Duplex, parts: Omit<LinkParts, 'unsentBytesMax'>, after: number) {
    const { unsentBytesMax: most = unsentBytesMax } = this.parts
    const link = new FollowerLink(stream, { ...parts, unsentBytesMax: most })
    this.links.add(link)
    const behind = this.recent.filter(({ before }) => before.seq >= after)
    link.send(encodeWelcome(behind[0]?.before ?? this.end))
    for (const { message } of behind) link.send(message)
    link.gone.then(() => this.links.delete(link))
    return link
  }

  close(): void {
    for (const link of this.links) link.close()
  }
}

type LinkParts = Readonly<{
  /** `null` if the follower may not submit records. */
  ask: FollowersParts['ask'] | null
  served: Served
  unsentBytesMax: number
}>

export class FollowerLink {
  /** Resolves when the follower has disconnected. */
  readonly gone: Promise<void>
  readonly calls: Calls
  private readonly stream: Duplex
  private readonly parts: LinkParts
  private readonly reader = new MessageReader()
  private taken: Taken[] = []
  private corked = false
  /** Number of submitted records without an answer. */
  private pending = 0
  private finished: (() => void) | null = null

  constructor(stream: Duplex, parts: LinkParts) {
    this.stream = stream
    this.parts = parts
    const send = (message: Buffer) => this.send(message)
    this.calls = new Calls(send, parts.served, () => this.answered(0))
    this.gone = new Promise((done) => stream.once('close', done))
    this.gone.then(() => this.calls.end(new SequencerStopped('connection to the follower lost')))
    // Errors are ignored here, because every error is followed by the stream's close event.
    stream.on('error', () => undefined)
    stream.on('data', (piece: Buffer) => this.hear(piece))
    stream.on('end', () => stream.destroy())
  }

  /** Sends a message. Messages of one turn of the event loop are written together. */
  send(message: Buffer): void {
    const { stream } = this
    if (stream.writableEnded) return
    if (!this.corked) {
      this.corked = true
      stream.cork()
      process.nextTick(() => {
        this.corked = false
        stream.uncork()
      })
    }
    stream.write(message)
    if (stream.writableLength > this.parts.unsentBytesMax) this.close()
  }

  /** Ignores further messages, and closes when all records and calls are answered. */
  async finish(): Promise<void> {
    const finished = new Promise<void>((resolve) => {
      this.finished = resolve
    })
    this.answered(0)
    const stuck = setTimeout(() => this.close(), finishMsMax)
    await Promise.race([finished, this.gone])
    clearTimeout(stuck)
  }

  close(): void {
    this.stream.destroy()
  }

  private end(): void {
    this.stream.end(() => this.finished?.())
  }

  private hear(piece: Buffer): void {
    if (this.finished !== null) return
    this.reader.push(piece)
    try {
      for (let next = this.reader.next(); next !== null; next = this.reader.next()) this.take(next)
    } catch {
      // After a malformed message the stream cannot be read further.
      this.close()
    }
  }

  private take(message: Message): void {
    if (this.calls.take(message)) return
    const { kind, bytes } = message
    const { ask } = this.parts
    if (kind !== SUBMIT || ask === null) throw new RangeError(`a message of kind ${kind}`)
    const { id, record, mayPass } = decodeSubmit(bytes)
    this.pending += 1
    ask(record, mayPass).then(
      ({ seq }) => this.sendTaken({ id, seq }),
      ({ code = 'ERROR', message: why }: Error & { code?: string }) => {
        this.send(encodeRefused({ id, code, message: why }))
        this.answered(1)
      },
    )
  }

  private answered(count: number): void {
    this.pending -= count
    if (this.finished !== null && this.pending === 0 && this.calls.serving === 0) this.end()
  }

  /** Answers a whole batch in one message, before the frame of the next batch. This works because a
   *  batch is answered in one turn of the event loop, and the next batch in a later turn. */
  private sendTaken(taken: Taken): void {
    if (this.taken.push(taken) > 1) return
    queueMicrotask(() => {
      this.send(encodeTaken(this.taken))
      const { length } = this.taken
      this.taken = []
      this.answered(length)
    })
  }
}
