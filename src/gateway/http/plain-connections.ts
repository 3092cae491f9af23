// The shortest way of an order. A connection begins here, on the bare socket: as long as each piece
// that it brings is one whole plain POST (plain-head.ts), the operation is asked and its reply
// written without any object of node:http. The first piece that is anything else goes to node:http,
// and the connection with it, for good; so nothing is ever half read here. What is kept for a
// connection is at most one piece that came too early.

import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Operation } from '../operation.ts'
import { type Answer, answerTo, bodyIn } from './answer.ts'
import { anyOrigin } from './cross-origin.ts'
import { PlainHeads } from './plain-head.ts'
import type { PlainPosts } from './plain-posts.ts'

type Listener = (socket: Socket) => void

export class PlainConnections {
  readonly server: Server
  readonly posts: PlainPosts
  readonly heads = new PlainHeads()
  private readonly longWay: readonly Listener[]
  private readonly open = new Set<PlainConnection>()
  private closing = false

  /** Puts itself before the listeners that the server has. */
  constructor(server: Server, posts: PlainPosts) {
    this.server = server
    this.posts = posts
    this.longWay = server.listeners('connection') as Listener[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (this.closing) this.toLongWay(socket)
      else this.open.add(new PlainConnection(socket, this))
    })
  }

  get isClosing(): boolean {
    return this.closing
  }

  toLongWay(socket: Socket): void {
    for (const listener of this.longWay) listener.call(this.server, socket)
  }

  gone(connection: PlainConnection): void {
    this.open.delete(connection)
  }

  /** Before the server closes: it waits for all connections, and ends only those it knows. */
  close(): void {
    this.closing = true
    for (const connection of this.open) connection.serverCloses()
  }
}

class PlainConnection {
  private readonly socket: Socket
  private readonly owner: PlainConnections
  /** Between a request and its reply. */
  private answering = false
  private served = false
  private ended = false
  private early: Buffer | null = null

  constructor(socket: Socket, owner: PlainConnections) {
    this.socket = socket
    this.owner = owner
    socket.on('data', this.onData)
    socket.on('end', this.onEnd)
    socket.on('error', onError)
    socket.on('close', this.onClose)
    socket.on('timeout', this.onTimeout)
    socket.on('drain', this.onDrain)
    socket.setTimeout(owner.server.requestTimeout)
  }

  serverCloses(): void {
    if (this.answering) return
    if (this.served) this.socket.destroy()
    else this.handOver(null)
  }

  private readonly onData = (bytes: Buffer): void => {
    if (this.answering) {
      this.socket.pause()
      this.early = bytes
      return
    }
    const { operations, bodyBytesMax } = this.owner.posts
    const post = this.owner.isClosing ? null : this.owner.heads.postIn(bytes)
    const operation = post === null ? undefined : operations.get(post.path)
    if (post === null || operation === undefined || bytes.length - post.bodyAt > bodyBytesMax)
      return this.handOver(bytes)
    this.answer(operation, post.headers, bytes.toString('utf8', post.bodyAt))
  }

  private answer(operation: Operation, headers: Readonly<Record<string, string>>, text: string) {
    const { nextId, options } = this.owner.posts
    const id = nextId()
    this.answering = true
    const socketAddress = this.socket.remoteAddress
    const incoming = { id, headers, socketAddress, read: () => bodyIn(text) }
    answerTo(operation, incoming, options)
      .then((answer) => this.reply(id, answer))
      .catch((error: unknown) => {
        // A reply that cannot be written is a defect; only this caller is to suffer from it.
        options.log.error({ err: error, reqId: id }, 'a reply could not be sent')
        this.socket.destroy()
      })
  }

  private reply(id: string, answer: Answer): void {
    const { socket, owner } = this
    this.answering = false
    if (socket.destroyed) return
    const last = owner.isClosing || this.ended
    const { keepAliveTimeout } = owner.server
    const text = JSON.stringify(answer.body)
    const length = Buffer.byteLength(text)
    const head = headOf(id, answer, length, last ? null : keepAliveTimeout)
    // ASCII, as nearly every reply is, need not be encoded.
    const taken = socket.write(head + text, length === text.length ? 'latin1' : 'utf8')
    if (last) return socket.destroySoon()
    if (!this.served) socket.setTimeout(keepAliveTimeout)
    this.served = true
    if (this.early !== null) this.handOver(this.early)
    // Whoever does not read his replies is not read either.
    else if (!taken) socket.pause()
  }

  private handOver(bytes: Buffer | null): void {
    const { socket, owner } = this
    this.onClose()
    socket.off('data', this.onData)
    socket.off('end', this.onEnd)
    socket.off('error', onError)
    socket.off('close', this.onClose)
    socket.off('timeout', this.onTimeout)
    socket.off('drain', this.onDrain)
    socket.setTimeout(0)
    socket.pause()
    if (bytes !== null) socket.unshift(bytes)
    owner.toLongWay(socket)
    socket.resume()
  }

  private readonly onDrain = (): void => {
    if (this.early === null) this.socket.resume()
  }

  private readonly onEnd = (): void => {
    this.ended = true
    if (!this.answering) this.socket.end()
  }

  private readonly onClose = (): void => {
    this.owner.gone(this)
  }

  /** Whoever has been silent from the start is told so by node:http. */
  private readonly onTimeout = (): void => {
    if (this.answering) return
    if (this.served) this.socket.destroy()
    else this.handOver(null)
  }
}

/** The socket closes itself, and nobody is left to be told. */
function onError(): void {}

const originLines = linesOf(anyOrigin)
const typeLine = 'content-type: application/json; charset=utf-8\r\n'

function linesOf(namesAndValues: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < namesAndValues.length; at += 2)
    lines += `${namesAndValues[at]}: ${namesAndValues[at + 1]}\r\n`
  return lines
}

/** As node:http writes it. `keepAliveMs` null: it is the last on its connection. */
function headOf(
  id: string,
  { status, headers }: Answer,
  bodyBytes: number,
  keepAliveMs: number | null,
): string {
  let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${id}\r\n${originLines}`
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  const stay =
    keepAliveMs === null
      ? 'Connection: close'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}`
  return `${lines}${typeLine}content-length: ${bodyBytes}\r\nDate: ${dateText()}\r\n${stay}\r\n\r\n`
}

let dateSecond = 0
let date = ''

/** Written anew each second. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1_000)
  if (second !== dateSecond) {
    dateSecond = second
    date = new Date(second * 1_000).toUTCString()
  }
  return date
}
