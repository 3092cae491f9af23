// A server on this machine that speaks the protocol of one of the places: over a websocket, as a
// stream of events, or answering requests. It can misbehave in every way that a network or a server
// does.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Speech } from './speeches.ts'

/** How it treats a new connection. */
export type Manners =
  /** As documented. */
  | 'good'
  /** Takes the connection and says nothing, not even that it is one. */
  | 'mute'
  /** Resets it. */
  | 'reset'
  | 'unavailable'
  | 'redirect'

type Reader = Readonly<{ write(bytes: string | Buffer): unknown }>
const elsewhere = '/elsewhere'

type Keys = Readonly<{ key: string; cert: string }>

export class TickerServer {
  manners: Manners = 'good'
  /** Its own clock. */
  now = 0
  /** Connections, or questions, so far. */
  came = 0
  /** Requests of clients that were as documented. */
  readonly requests: string[] = []
  /** Requests that were not. */
  readonly faults: unknown[] = []
  private readonly speech: Speech
  private readonly server: Server
  private readonly upgrades = new WebSocketServer({ noServer: true })
  private readonly sockets = new Set<Duplex>()
  private readonly readers = new Set<Reader>()
  private readonly dripped = new Map<Reader, number>()
  /** The body of replies to polling clients; null: no reply. */
  private body: string | null = null
  private waiting: ServerResponse[] = []
  private failsNext = false
  private isDeaf = false

  constructor(speech: Speech, tls: Keys | 'refused' | null = null) {
    this.speech = speech
    this.server =
      tls === null ? createServer() : createTlsServer(tls === 'refused' ? {} : { ...tls })
    this.server.on('connection', (socket: Socket) => this.connected(socket))
    this.server.on('request', (request, response) => this.serve(request, response))
    this.server.on('upgrade', (request, socket) => this.upgraded(request, socket))
  }

  /** Gives the port. */
  async listen(): Promise<number> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return (this.server.address() as AddressInfo).port
  }

  /** Closes the server and all open connections. */
  async close(): Promise<void> {
    const closed = new Promise((done) => this.server.close(done))
    this.cut()
    await closed
  }

  /** Whether a new connection is answered. */
  get willAnswer(): boolean {
    if (this.manners === 'mute') return false
    return this.speech.wire !== 'poll' || this.body !== null || this.manners !== 'good'
  }

  /** Sends messages to all connections. Polling clients get all of them from now on. Returns how
   *  many messages that makes. */
  say(...texts: readonly string[]): number {
    if (this.speech.wire === 'poll') return this.sayRaw(`{${texts.join(',')}}`)
    return texts.reduce((sum, text) => sum + this.sayRaw(text), 0)
  }

  /** One message, whatever it is. */
  sayRaw(text: string | Buffer): number {
    this.isDeaf = false
    if (this.speech.wire === 'poll') return this.answerWith(String(text))
    for (const reader of this.readers) reader.write(this.wrapped(text))
    return text === '' ? 0 : 1
  }

  /** The next bytes of a message that never ends. */
  drip(): number {
    if (this.speech.wire === 'poll') {
      this.body = null
      this.waiting[0]?.write('{')
    } else {
      const whole = this.wrapped(' '.repeat(60_000))
      for (const reader of this.readers) {
        const from = this.dripped.get(reader) ?? 0
        this.dripped.set(reader, from + 5)
        reader.write(whole.slice(from, from + 5))
      }
    }
    return 0
  }

  /** Nothing is said or answered, not even to a ping. */
  hush(): number {
    this.isDeaf = true
    this.body = null
    return 0
  }

  /** Connections are closed without a reply, and the next request is not answered. */
  cut(): void {
    this.failsNext = true
    for (const socket of this.sockets) socket.destroy()
    this.sockets.clear()
    this.readers.clear()
    this.waiting = []
  }

  private answerWith(body: string): number {
    this.body = body
    for (const response of this.waiting.splice(0)) response.end(body)
    return 1
  }

  private connected(socket: Socket): void {
    this.came += 1
    if (this.manners === 'reset') return socket.resetAndDestroy() as unknown as undefined
    this.sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.sockets.delete(socket))
  }

  /** As of a request; a redirected client that follows is served, so that the test notices. */
  private mannersTo({ url }: IncomingMessage): Manners {
    return url === elsewhere ? 'good' : this.manners
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const manners = this.mannersTo(request)
    if (manners === 'unavailable') response.writeHead(503).end('try later')
    if (manners === 'redirect') response.writeHead(302, { location: elsewhere }).end()
    if (manners !== 'good') return
    this.checked(() => this.speech.path(request.url!))
    response.setHeader('date', new Date(this.now).toUTCString())
    if (this.speech.wire === 'poll') {
      if (this.failsNext) response.destroy()
      else if (this.body === null) this.waiting.push(response)
      else response.end(this.body)
      this.failsNext = false
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    this.readers.add(response)
    response.on('close', () => this.readers.delete(response))
  }

  private upgraded(request: IncomingMessage, socket: Duplex): void {
    socket.on('error', () => undefined)
    const manners = this.mannersTo(request)
    if (manners === 'mute') return
    if (manners !== 'good') {
      const moved = `302 Found\r\nlocation: ${elsewhere}`
      const head = manners === 'redirect' ? moved : '503 Unavailable'
      socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    this.checked(() => this.speech.path(request.url!))
    this.upgrades.handleUpgrade(request, socket, Buffer.alloc(0), (client) => {
      this.readers.add(socket)
      client.on('error', () => undefined)
      client.on('close', () => this.readers.delete(socket))
      client.on('message', (text) => {
        const answer = this.checked(() => this.speech.answer(String(text)))
        this.requests.push(String(text))
        if (typeof answer === 'string' && !this.isDeaf) client.send(answer)
      })
    })
  }

  private checked<T>(check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      this.faults.push(error)
      return undefined
    }
  }

  /** As it goes over the wire. */
  private wrapped(text: string | Buffer): string | Buffer {
    if (this.speech.wire === 'events')
      return text === '' ? ':\n\n' : `event: message\ndata:${text}\n\n`
    const isText = typeof text === 'string'
    const payload = Buffer.from(text)
    const head = Buffer.alloc(payload.length < 65_536 ? 4 : 10)
    head[0] = isText ? 0x81 : 0x82
    head[1] = payload.length < 65_536 ? 126 : 127
    if (head.length === 4) head.writeUInt16BE(payload.length, 2)
    else head.writeBigUInt64BE(BigInt(payload.length), 2)
    return Buffer.concat([head, payload])
  }
}
