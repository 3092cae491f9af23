// The follower's end of one stream to the leader: incoming frames, calls to the leader, and
// submitted records.

import type { Duplex } from 'node:stream'
import { decodeFrame } from '../../journal/frame.ts'
import type { ChainEnd } from '../../journal/store/frame-store.ts'
import { EntryNotExact } from '../codec.ts'
import { AnswerLost, NoLeader, Overloaded, SequencerStopped } from '../not-taken.ts'
import type { Outcome } from '../outcome.ts'
import { sequencerLimits } from '../queue/sequencer-limits.ts'
import { Calls, errorOf, type Served } from './calls.ts'
import type { Followed } from './followed.ts'
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

/** Maximum received bytes that are not yet processed. Beyond it nothing is read, and the leader
 *  disconnects a follower that leaves too much unread. */
const waitingBytesMax = 128 * 1_024 * 1_024

type Waiting = Readonly<{ resolve: (outcome: Outcome) => void; reject: (error: unknown) => void }>

export class LeaderLink {
  readonly calls: Calls
  private readonly stream: Duplex
  private readonly waitingMax: number
  private readonly messages = new MessageReader()
  private readonly waiting = new Map<number, Waiting>()
  private nextId = 1
  /** Why the stream ended; `null` while it is open. Data received before the end is still
   *  processed. */
  private ended: Error | null = null
  private lost = false
  private arrived: () => void = () => undefined
  private corked = false
  private heardAt = performance.now()
  /** Time at which the last received data was processed. */
  private inStepAt = this.heardAt

  /** `served`: calls that the leader may make. */
  constructor(
    stream: Duplex,
    served: Served = {},
    waitingMax: number = sequencerLimits.waitingMax,
  ) {
    this.stream = stream
    this.waitingMax = waitingMax
    this.calls = new Calls((message) => this.send(message), served)
    stream.on('data', (piece: Buffer) => {
      this.heardAt = performance.now()
      this.messages.push(piece)
      if (this.messages.waitingBytes > waitingBytesMax) stream.pause()
      this.arrived()
    })
    stream.on('error', () => undefined)
    stream.once('end', () => stream.destroy())
    const gone = () => {
      this.ended = new SequencerStopped('connection to the leader lost')
      this.arrived()
    }
    if (stream.closed) gone()
    else stream.once('close', gone)
  }

  get waitingCount(): number {
    return this.waiting.size + this.calls.waitingCount
  }

  /** Time in ms since the last data arrived. */
  get sinceLastMs(): number {
    return performance.now() - this.heardAt
  }

  /** Time in ms since all received data was processed. */
  get behindMs(): number {
    return performance.now() - this.inStepAt
  }

  /** Resolves with the leader's position in the chain, which is its first message. */
  async welcome(): Promise<ChainEnd> {
    const { kind, bytes } = await this.nextMessage().catch(() => {
      throw new SequencerStopped('it does not lead, or not yet')
    })
    if (kind !== WELCOME) throw new SequencerStopped(`the leader began with kind ${kind}`)
    return decodeWelcome(bytes)
  }

  /** Processes messages of the leader until the connection is lost; rejects with the reason. */
  async follow(followed: Followed): Promise<never> {
    try {
      for (;;) await this.take(await this.nextMessage(), followed)
    } catch (error) {
      this.lose(error as Error)
      throw error
    }
  }

  /** Submits a record; resolves when it is durable at the leader and applied by this process. */
  submit(record: Uint8Array, mayPass: boolean): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.ended !== null) throw new NoLeader(this.ended.message)
      if (this.waiting.size >= this.waitingMax)
        throw new Overloaded(`${this.waiting.size} commands wait for the leader`)
      const id = this.nextId
      this.nextId = (id + 1) >>> 0
      this.waiting.set(id, { resolve, reject })
      this.send(encodeSubmit({ id, mayPass, record }))
    })
  }

  /** Closes the link, and rejects everything that waits for an answer. */
  close(why: Error = new SequencerStopped('the link was closed')): void {
    this.lose(why)
  }

  /** Sends a message. Messages of one turn of the event loop are written together. */
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

  private async nextMessage(): Promise<Message> {
    for (;;) {
      const message = this.lost ? null : this.messages.next()
      if (message !== null) return message
      if (this.ended !== null) throw this.ended
      this.inStepAt = this.heardAt
      if (this.stream.isPaused()) this.stream.resume()
      await new Promise<void>((arrived) => {
        this.arrived = arrived
      })
    }
  }

  private async take(message: Message, followed: Followed): Promise<void> {
    if (this.calls.take(message)) return
    const { kind, bytes } = message
    if (kind === FRAME) return takeFrame(bytes, followed)
    if (kind === REFUSED) return this.refuse(decodeRefused(bytes))
    if (kind !== TAKEN) throw new SequencerStopped(`the leader said something of kind ${kind}`)
    for (const { id, seq } of decodeTaken(bytes)) this.answer(id, followed.outcomeOf(seq))
    // Callers read the events of their command before the next frame overwrites them.
    await new Promise((read) => setImmediate(read))
  }

  private answer(id: number, outcome: Outcome | undefined): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (outcome === undefined) waiting?.reject(offChain('an answer is not of the newest frame'))
    else waiting?.resolve(outcome)
  }

  private refuse({ id, code, message }: Refused): void {
    this.waiting.get(id)?.reject(refusalOf(code, message))
    this.waiting.delete(id)
  }

  private lose(cause: Error): void {
    if (this.lost) return
    this.lost = true
    this.ended ??= cause
    this.stream.destroy()
    const unknown = new AnswerLost('the leader was lost before it answered', { cause })
    for (const { reject } of this.waiting.values()) reject(unknown)
    this.waiting.clear()
    this.calls.end(unknown)
    this.arrived()
  }
}

function takeFrame(bytes: Buffer, followed: Followed): Promise<void> {
  const frame = decodeFrame(bytes, 0)
  if (frame === undefined || frame.end !== bytes.length)
    throw offChain(`the bytes after seq ${followed.seq} are not a complete frame`)
  return followed.take(frame)
}

function offChain(why: string): SequencerStopped {
  return new SequencerStopped(`this process cannot follow the leader: ${why}`)
}

function refusalOf(code: string, message: string): Error {
  return code === 'ENTRY_NOT_EXACT' ? new EntryNotExact(message) : errorOf({ code, message })
}
