// Connections that send signed requests: either the next one when the last is answered, or as many
// as the other side reads. Only answers are counted; nothing else is looked at.

import { connect, type Socket } from 'node:net'
import { frameOf, opcodes } from '../streams/raw-socket.ts'

export type Transport = 'http' | 'ws'
export type Counts = { good: number; refused: number; busy: number }

/** This much is written ahead when the other side does not keep up. */
const aheadBytes = 65_536
const headEnd = Buffer.from('\r\n\r\n')
const lengthName = Buffer.from('ontent-length: ', 'latin1')
const goodCode = Buffer.from('"code":200,')
const busyCodes = [Buffer.from('"code":503,'), Buffer.from('"code":429,')]

export class FloodConnection {
  readonly counts: Counts = { good: 0, refused: 0, busy: 0 }
  ranOut = false
  closed = false
  private readonly transport: Transport
  private readonly requests: readonly Buffer[]
  private next = 0
  private socket: Socket | null = null
  private rest: Buffer = Buffer.alloc(0)
  private shaken = false
  private isOpenLoop = false
  private running = false

  constructor(transport: Transport, requests: readonly Buffer[]) {
    this.transport = transport
    this.requests = requests
  }

  open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      this.socket = socket
      socket.once('error', reject)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.closed = true
      })
      socket.on('data', (bytes: Buffer) => {
        this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes])
        if (this.shaken) this.read()
        else if (this.rest.includes(headEnd)) {
          this.rest = this.rest.subarray(this.rest.indexOf(headEnd) + 4)
          this.shaken = true
          resolve()
        }
      })
      socket.on('drain', () => this.fill())
      if (this.transport === 'http') {
        this.shaken = true
        socket.once('connect', resolve)
      } else {
        const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='
        const head = 'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n'
        socket.write(`${head}${key}\r\n\r\n`)
      }
    })
  }

  /** Open loop: does not wait for replies. */
  start(isOpenLoop: boolean): void {
    this.isOpenLoop = isOpenLoop
    this.running = true
    this.fill()
  }

  stop(): void {
    this.running = false
  }

  end(): void {
    this.stop()
    this.socket?.destroy()
  }

  private fill(): void {
    const { socket } = this
    if (!this.running || socket === null || this.closed) return
    do this.send()
    while (this.isOpenLoop && socket.writableLength < aheadBytes && !this.ranOut)
  }

  private send(): void {
    const request = this.requests[this.next]
    if (request === undefined) {
      this.ranOut = true
      return
    }
    this.next += 1
    this.socket!.write(request)
  }

  private read(): void {
    let answered = 0
    for (let end = this.endOf(); end > 0 && end <= this.rest.length; end = this.endOf()) {
      this.count(this.rest.subarray(0, end))
      this.rest = this.rest.subarray(end)
      answered += 1
    }
    if (this.isOpenLoop || !this.running) return
    for (; answered > 0; answered--) this.send()
  }

  /** Where the first reply ends; 0: unknown yet. */
  private endOf(): number {
    const { rest } = this
    if (this.transport === 'ws') {
      if (rest.length < 2) return 0
      const short = rest[1]! & 0x7f
      if (short < 126) return 2 + short
      return rest.length < 4 ? 0 : 4 + rest.readUInt16BE(2)
    }
    const head = rest.indexOf(headEnd)
    if (head < 0) return 0
    let at = rest.indexOf(lengthName) + lengthName.length
    let length = 0
    for (; rest[at]! >= 0x30 && rest[at]! <= 0x39; at++) length = length * 10 + rest[at]! - 0x30
    return head + 4 + length
  }

  private count(reply: Buffer): void {
    const { counts } = this
    if (this.transport === 'ws') {
      if (reply.includes(goodCode)) counts.good += 1
      else if (busyCodes.some((code) => reply.includes(code))) counts.busy += 1
      else counts.refused += 1
      return
    }
    const status = reply.toString('latin1', 9, 12)
    if (status === '200') counts.good += 1
    else if (status === '503' || status === '429') counts.busy += 1
    else counts.refused += 1
  }
}

/** The bytes of a signed request. */
export function bytesOf(transport: Transport, path: string, type: string, body: unknown): Buffer {
  if (transport === 'ws')
    return frameOf(opcodes.text, JSON.stringify({ id: '1', params: { [type]: body } }))
  const text = JSON.stringify(body)
  const head = `POST /api/v1${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  const length = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
  return Buffer.from(`${head}${length}\r\n${text}`)
}
