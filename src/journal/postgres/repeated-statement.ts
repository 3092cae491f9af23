// A statement that a connection runs repeatedly, and that returns one text or no row. The driver's
// own protocol needs four messages per run and describes the row in every answer, which takes three
// times the processor time. Here each run is one binary message.

import type { Writable } from 'node:stream'
import type pg from 'pg'

/** Numbers are eight-byte integers in the database. */
export type BinaryValue = number | Uint8Array

type Connection = Readonly<{ stream: Writable }>
type Pending = Readonly<{
  resolve: (text: string | null) => void
  reject: (error: unknown) => void
}>

const name = 'repeated'
const numberBytes = 8
/** Executes the unnamed portal without a row limit, then syncs, after which the server answers. */
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

export class RepeatedStatement {
  private readonly client: pg.Client
  private readonly parse: Buffer
  private hasParsed = false
  private bytes: Buffer = executeAndSync
  private pending: Pending | null = null
  private text: string | null = null

  constructor(client: pg.Client, text: string) {
    this.client = client
    this.parse = message(0x50, Buffer.from(`${name}\0${text}\0\0\0`))
  }

  /** Runs the statement; returns the text of its row, `null` if there is none. Fails with the
   *  database's own error. */
  run(values: readonly BinaryValue[]): Promise<string | null> {
    if (this.pending !== null) throw new Error('the statement is under way')
    this.text = null
    this.bytes = this.messages(values)
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject }
      this.client.query(this)
    })
  }

  private messages(values: readonly BinaryValue[]): Buffer {
    const head = Buffer.from(`\0${name}\0`)
    const lengths = values.map((value) => (typeof value === 'number' ? numberBytes : value.length))
    // Counts the format codes (one for all values, binary), the values, and the result formats
    // (none).
    const bodyBytes = head.length + 6 + lengths.reduce((sum, each) => sum + 4 + each, 0) + 2
    const parse = this.hasParsed ? Buffer.alloc(0) : this.parse
    const bytes = Buffer.allocUnsafe(parse.length + 5 + bodyBytes + executeAndSync.length)
    let at = parse.copy(bytes)
    at = bytes.writeUInt8(0x42, at)
    at = bytes.writeInt32BE(4 + bodyBytes, at)
    at += head.copy(bytes, at)
    at = bytes.writeInt16BE(1, at)
    at = bytes.writeInt16BE(1, at)
    at = bytes.writeInt16BE(values.length, at)
    for (const [n, value] of values.entries()) {
      at = bytes.writeInt32BE(lengths[n]!, at)
      if (typeof value === 'number') at = bytes.writeBigInt64BE(BigInt(value), at)
      else {
        bytes.set(value, at)
        at += value.length
      }
    }
    at = bytes.writeInt16BE(0, at)
    executeAndSync.copy(bytes, at)
    return bytes
  }

  /** The driver calls the methods below. */
  submit({ stream }: Connection): void {
    stream.write(this.bytes)
    this.bytes = executeAndSync
  }

  handleDataRow({ fields: texts }: Readonly<{ fields: readonly (string | null)[] }>): void {
    this.text = texts[0] ?? ''
  }

  handleCommandComplete(): void {
    this.hasParsed = true
  }

  handleReadyForQuery(): void {
    const { pending } = this
    this.pending = null
    pending?.resolve(this.text)
  }

  handleError(error: unknown): void {
    const { pending } = this
    this.pending = null
    pending?.reject(error)
  }
}

function message(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
