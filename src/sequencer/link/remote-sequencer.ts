// The follower's end: the leader's sequencer as another process sees it. Its frames are applied to
// a replica of this process's own; what is submitted here is answered from there, once it is
// applied, so that whoever asks afterwards finds what he did.

import type { Duplex } from 'node:stream'
import type { ClosedState, Command, ExchangeView } from '../../core/index.ts'
import { decodeFrame } from '../../journal/frame.ts'
import { JournalFault } from '../../journal/journal-fault.ts'
import { type ChainEnd, isNext } from '../../journal/store/frame-store.ts'
import { EntryNotExact, EntryWriter } from '../codec.ts'
import type { By } from '../entry.ts'
import { Overloaded, SequencerStopped } from '../not-taken.ts'
import type { Batch, Outcome } from '../outcome.ts'
import { SeqWaits } from '../queue/seq-waits.ts'
import type { Follower } from '../replica/follower.ts'
import { sequencerLimits } from '../sequencer.ts'
import { Calls, errorOf, type Served } from './calls.ts'
import {
  decodeRefused,
  decodeTaken,
  decodeWelcome,
  encodeSubmit,
  FRAME,
  type Message,
  MessageReader,
  REFUSED,
  type Refused,
  TAKEN,
  WELCOME,
} from './messages.ts'

export type RemoteParts = Readonly<{
  /** A follower that stands at the end of this history. */
  recover: (end: ChainEnd) => Promise<Follower>
  /** Called once, when the leader is gone or cannot be followed any more. */
  onLost: (error: unknown) => void
  /** What the leader may ask of this process. */
  served?: Served
  waitingMax?: number
}>

type Waiting = Readonly<{ resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }>

export class RemoteSequencer {
  readonly calls: Calls
  private readonly stream: Duplex
  private readonly parts: RemoteParts
  private readonly messages = new MessageReader()
  private readonly writer = new EntryWriter()
  private readonly listeners = new Set<(batch: Batch) => void>()
  private readonly waiting = new Map<number, Waiting>()
  private nextId = 1
  private follower!: Follower
  private seal!: Buffer
  /** What the newest frame brought about; its events can be read until the next. */
  private newest: Batch | null = null
  private stopped: SequencerStopped | null = null
  private arrived: () => void = () => undefined
  private readonly waits = new SeqWaits()
  private corked = false

  private constructor(stream: Duplex, parts: RemoteParts) {
    this.stream = stream
    this.parts = parts
    this.calls = new Calls((message) => this.send(message), parts.served ?? {})
    stream.on('data', (piece: Buffer) => {
      this.messages.push(piece)
      this.arrived()
    })
    stream.on('error', () => undefined)
    stream.once('end', () => stream.destroy())
    stream.once('close', () => this.lose(new SequencerStopped('the leader is gone')))
  }

  /** Resolves when it stands where the leader stood as it came in. */
  static async follow(stream: Duplex, parts: RemoteParts): Promise<RemoteSequencer> {
    const remote = new RemoteSequencer(stream, parts)
    await remote.begin()
    remote.run().catch((error: unknown) => remote.lose(error))
    return remote
  }

  get view(): ExchangeView {
    return this.follower.replica.view
  }

  get state(): ClosedState {
    return this.follower.replica.state
  }

  get seq(): number {
    return this.follower.replica.seq
  }

  get timeline(): number {
    return this.follower.replica.timeline
  }

  get waitingCount(): number {
    return this.waiting.size
  }

  /** Resolves when the leader has it on disk and this process has applied it. */
  ask(command: Command, by: By | null = null, mayPass = false): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.stopped !== null) throw this.stopped
      if (this.waiting.size >= (this.parts.waitingMax ?? sequencerLimits.waitingMax))
        throw new Overloaded(`${this.waiting.size} commands wait for the leader`)
      const record = this.writer.command(command, by)
      const id = this.nextId
      this.nextId = (id + 1) >>> 0
      this.waiting.set(id, { resolve, reject })
      this.send(encodeSubmit({ id, mayPass, record }))
    })
  }

  /** Whether this process has applied the entry in time. */
  async reached(seq: number, waitMs: number): Promise<boolean> {
    return this.seq >= seq || this.waits.wait(seq, waitMs)
  }

  /** The listener reads what it needs of a batch before it returns. */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Follows no more; what waits for an answer gets none. */
  close(): void {
    this.stopped ??= new SequencerStopped('the exchange is closed')
    this.stream.destroy()
  }

  /** What the requests of one turn send is written at once. */
  private send(message: Buffer): void {
    const { stream } = this
    if (!this.corked) {
      this.corked = true
      stream.cork()
      setImmediate(() => {
        this.corked = false
        stream.uncork()
      })
    }
    stream.write(message)
  }

  private async begin(): Promise<void> {
    const { kind, bytes } = await this.nextMessage()
    if (kind !== WELCOME) throw new SequencerStopped(`the leader began with kind ${kind}`)
    const end = decodeWelcome(bytes)
    this.follower = await this.parts.recover(end)
    this.seal = end.seal
    if (this.seq !== end.seq)
      throw new SequencerStopped(`recovered to seq ${this.seq}, and the leader is at ${end.seq}`)
  }

  private async run(): Promise<void> {
    for (;;) await this.take(await this.nextMessage())
  }

  private async nextMessage(): Promise<Message> {
    for (;;) {
      const message = this.messages.next()
      if (message !== null) return message
      if (this.stopped !== null) throw this.stopped
      await new Promise<void>((arrived) => {
        this.arrived = arrived
      })
    }
  }

  private async take(message: Message): Promise<void> {
    if (this.calls.take(message)) return
    const { kind, bytes } = message
    if (kind === FRAME) return this.follow(bytes)
    if (kind === REFUSED) return this.refuse(decodeRefused(bytes))
    if (kind !== TAKEN) throw new SequencerStopped(`the leader said something of kind ${kind}`)
    for (const { id, seq } of decodeTaken(bytes)) this.answer(id, seq)
    // Whoever waited reads the events of his command before the next frame overwrites them.
    await new Promise((read) => setImmediate(read))
  }

  private async follow(bytes: Buffer): Promise<void> {
    const frame = decodeFrame(bytes, 0)
    const { seq } = this
    if (frame === undefined || frame.end !== bytes.length)
      throw offChain(`what came behind seq ${seq} is no whole frame`)
    if (!isNext(frame, { seq, seal: this.seal }))
      throw offChain(`the frame of seq ${frame.firstSeq} does not follow seq ${seq}`)
    const batch = await this.follower.take(frame)
    this.seal = frame.seal
    this.newest = batch
    if (batch !== null) for (const listener of this.listeners) listener(batch)
    this.waits.reached(this.seq)
  }

  private answer(id: number, seq: number): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    const outcome = this.newest?.outcomes.find((each) => each.seq === seq)
    if (outcome === undefined) waiting?.reject(offChain(`seq ${seq} is not in the newest frame`))
    else waiting?.resolve(outcome)
  }

  private refuse({ id, code, message }: Refused): void {
    this.waiting.get(id)?.reject(refusalOf(code, message))
    this.waiting.delete(id)
  }

  private lose(cause: unknown): void {
    const closed = this.stopped !== null
    const { message } = cause as Error
    this.stopped ??= new SequencerStopped(`nothing more from the leader: ${message}`, { cause })
    this.stream.destroy()
    const unknown = new SequencerStopped(
      `the leader was lost before it answered; whether the command was carried out is not known`,
      { cause },
    )
    for (const { reject } of this.waiting.values()) reject(unknown)
    this.waiting.clear()
    this.calls.end(unknown)
    this.arrived()
    if (!closed) this.parts.onLost(cause)
  }
}

function offChain(why: string): JournalFault {
  return new JournalFault('JOURNAL_DAMAGED', `this process cannot follow the leader: ${why}`)
}

function refusalOf(code: string, message: string): Error {
  return code === 'ENTRY_NOT_EXACT' ? new EntryNotExact(message) : errorOf({ code, message })
}
