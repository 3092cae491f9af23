// The leader's end: whoever follows gets every durable frame from where it came in on, and hands
// records in. A record is answered with its seq, behind the frame that holds it.

import type { Duplex } from 'node:stream'
import type { SealedFrame } from '../../journal/journal.ts'
import type { ChainEnd } from '../../journal/store/frame-store.ts'
import type { Outcome } from '../outcome.ts'
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

/** A follower that is this far behind is let go: it comes back by way of the journal. */
const unsentBytesMax = 256 * 1_024 * 1_024

export type FollowersParts = Readonly<{
  /** Where history stands before the first frame that is told. */
  end: ChainEnd
  submit: (record: Buffer, mayPass: boolean) => Promise<Outcome>
  unsentBytesMax?: number
}>

export class Followers {
  private readonly parts: FollowersParts
  private readonly links = new Set<FollowerLink>()
  private end: ChainEnd

  constructor(parts: FollowersParts) {
    this.parts = parts
    this.end = parts.end
  }

  get count(): number {
    return this.links.size
  }

  /** A frame that is durable. */
  tell({ head, body, seq, seal }: SealedFrame): void {
    this.end = { seq, seal }
    if (this.links.size === 0) return
    const message = encodeMessage(FRAME, head, body)
    for (const link of this.links) link.send(message)
  }

  /** Whoever is at the other end of the stream follows from now on. Resolves when it has gone. */
  serve(stream: Duplex): Promise<void> {
    const { submit, unsentBytesMax: most = unsentBytesMax } = this.parts
    const link = new FollowerLink(stream, submit, most)
    this.links.add(link)
    link.send(encodeWelcome(this.end))
    return link.gone.finally(() => this.links.delete(link))
  }

  close(): void {
    for (const link of this.links) link.close()
  }
}

class FollowerLink {
  readonly gone: Promise<void>
  private readonly stream: Duplex
  private readonly submit: FollowersParts['submit']
  private readonly unsentMax: number
  private readonly reader = new MessageReader()
  private taken: Taken[] = []

  constructor(stream: Duplex, submit: FollowersParts['submit'], unsentMax: number) {
    this.stream = stream
    this.submit = submit
    this.unsentMax = unsentMax
    this.gone = new Promise((done) => stream.once('close', done))
    // Whatever happens to the stream ends with its close.
    stream.on('error', () => undefined)
    stream.on('data', (piece: Buffer) => this.hear(piece))
    stream.on('end', () => stream.destroy())
  }

  send(message: Buffer): void {
    this.stream.write(message)
    if (this.stream.writableLength > this.unsentMax) this.close()
  }

  close(): void {
    this.stream.destroy()
  }

  private hear(piece: Buffer): void {
    this.reader.push(piece)
    try {
      for (let next = this.reader.next(); next !== null; next = this.reader.next()) this.take(next)
    } catch {
      // What it says is no message: nothing behind it can be read.
      this.close()
    }
  }

  private take({ kind, bytes }: Message): void {
    if (kind !== SUBMIT) throw new RangeError(`a message of kind ${kind}`)
    const { id, record, mayPass } = decodeSubmit(bytes)
    this.submit(record, mayPass).then(
      ({ seq }) => this.tellTaken({ id, seq }),
      ({ code = 'ERROR', message }: Error & { code?: string }) =>
        this.send(encodeRefused({ id, code, message })),
    )
  }

  /** All of one batch in one message, before the frame of the next: a batch is answered in one
   *  turn, and the next needs a later one. */
  private tellTaken(taken: Taken): void {
    if (this.taken.push(taken) > 1) return
    queueMicrotask(() => {
      this.send(encodeTaken(this.taken))
      this.taken = []
    })
  }
}
