// A program that speaks the link between nodes as it likes: it calls, submits records and hears
// what the leader sends, without following.

import type { TLSSocket } from 'node:tls'
import type { Command } from '../../../src/core/index.ts'
import { EntryWriter } from '../../../src/sequencer/codec.ts'
import type { By } from '../../../src/sequencer/entry.ts'
import { Calls } from '../../../src/sequencer/link/calls.ts'
import { encodeSubmit, MessageReader } from '../../../src/sequencer/link/messages.ts'
import { dialNode, linkKeyOf } from '../../../src/sequencer/link/node-link.ts'

export type Heard = Readonly<{ name: string; what: unknown }>

export class RawLink {
  readonly calls: Calls
  /** What the leader has called. */
  readonly heard: Heard[] = []
  /** Kinds of the messages that were no calls, newest last. */
  readonly kinds: number[] = []
  readonly closed: Promise<void>
  isClosed = false
  private readonly stream: TLSSocket
  private readonly reader = new MessageReader()

  private constructor(stream: TLSSocket) {
    this.stream = stream
    const hear = (name: string) => (what: unknown) => {
      this.heard.push({ name, what })
    }
    const served = { here: hear('here'), status: hear('status'), admin: hear('admin') }
    const shared = { keysUsed: hear('keysUsed'), spent: hear('spent') }
    this.calls = new Calls((message) => stream.write(message), { ...served, ...shared })
    stream.on('data', (piece: Buffer) => {
      this.reader.push(piece)
      for (let next = this.reader.next(); next !== null; next = this.reader.next())
        if (!this.calls.take(next)) this.kinds.push(next.kind)
    })
    stream.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      stream.once('close', () => {
        this.isClosed = true
        this.calls.end(new Error('the link was closed'))
        resolve()
      })
    })
  }

  static async open(address: string, node: string, secret: string): Promise<RawLink> {
    return new RawLink(await dialNode(address, { node, wish: 'follow' }, linkKeyOf(secret)))
  }

  /** As gateways on the machine of the leader do. */
  submit(command: Command, by: By | null): void {
    const record = new EntryWriter().command(command, by)
    this.stream.write(encodeSubmit({ id: 1, mayPass: false, record }))
  }

  write(bytes: Uint8Array): void {
    this.stream.write(bytes)
  }

  close(): void {
    this.stream.destroy()
  }
}
