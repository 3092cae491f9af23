// An address of a running exchange that fails as machines and networks do: it loses requests or
// answers, cuts them in half, says nothing, or stands by. Several of them are to a client what the
// nodes of a cluster are.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { apiError } from '../../../src/gateway/api-error.ts'
import { minSeqHeader } from '../../../src/protocol/seq-headers.ts'

export type Fault =
  | 'none'
  /** The connection ends before the exchange has the request. */
  | 'unsent'
  /** The exchange has it, and what it answers is lost: whole, but for a half, or for ever. */
  | 'unanswered'
  | 'halved'
  | 'silent'
  /** As a node says it that does not lead. */
  | 'standby'
  /** As a node that is far behind the others. */
  | 'behind'
  /** Not of this API at all. */
  | 'stranger'
  | 'limited'

export type Seen = Readonly<{
  path: string
  headers: IncomingMessage['headers']
  body: string
  fault: Fault
}>

export class FaultyProxy {
  fault: (path: string) => Fault = () => 'none'
  /** The requests, in order. */
  readonly seen: Seen[] = []
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private readonly to: URL

  private constructor(to: string) {
    this.to = new URL(to)
    this.server = createServer((request, response) => {
      // The client has disconnected meanwhile.
      this.answer(request, response).catch(() => request.socket.destroy())
    })
    this.server.on('upgrade', (request, near: Socket) => this.join(request, near))
    this.server.on('connection', (socket) => {
      this.sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.sockets.delete(socket))
    })
  }

  static async to(url: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(url)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The number of requests for this. */
  count(path: string): number {
    return this.seen.filter((each) => each.path.startsWith(path)).length
  }

  /** Every connection is closed immediately, without a reply. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  close(): void {
    this.cut()
    this.server.close()
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const path = request.url!.replace('/api/v1', '')
    const fault = this.fault(path)
    this.seen.push({ path, headers: request.headers, body, fault })
    if (fault === 'unsent') return void request.socket.destroy()
    if (fault === 'standby') return void say(response, 503, standbyText())
    if (fault === 'limited') return void say(response, 429, limitedText(), { 'retry-after': '1' })
    if (fault === 'stranger') return void say(response, 502, '<h1>Bad Gateway</h1>')
    const reply = await this.forward(request, body, fault)
    const text = await reply.text()
    if (fault === 'silent') return
    if (fault === 'unanswered') return void request.socket.destroy()
    const { 'transfer-encoding': _, ...headers } = Object.fromEntries(reply.headers)
    if (fault !== 'halved') return void response.writeHead(reply.status, headers).end(text)
    response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(text) })
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy())
  }

  private forward({ method, url, headers }: IncomingMessage, body: string, fault: Fault) {
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers
    const given = rest as Record<string, string>
    return fetch(new URL(url!, this.to), {
      method: method!,
      headers: fault === 'behind' ? { ...given, [minSeqHeader]: '999999999999999' } : given,
      ...(method === 'POST' && { body }),
    })
  }

  /** A websocket, byte by byte. */
  private join(request: IncomingMessage, near: Socket): void {
    const fault = this.fault(request.url!)
    this.seen.push({ path: request.url!, headers: request.headers, body: '', fault })
    if (fault === 'standby') {
      near.end('HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      return
    }
    if (fault !== 'none') return void near.destroy()
    const far = connect(Number(this.to.port), this.to.hostname)
    const head = [...Array(request.rawHeaders.length / 2).keys()].map(
      (at) => `${request.rawHeaders[2 * at]}: ${request.rawHeaders[2 * at + 1]}\r\n`,
    )
    far.write(`GET ${request.url} HTTP/1.1\r\n${head.join('')}\r\n`)
    far.pipe(near).pipe(far)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
  }
}

function standbyText(): string {
  const { message, status } = apiError(
    'NOT_READY',
    'this node of the cluster is a standby: a leads',
  )
  return JSON.stringify({ success: false, data: null, error: message, code: status })
}

function limitedText(): string {
  const { message, status } = apiError('RATE_LIMITED', 'credits are used up; try again in 1 s')
  return JSON.stringify({ success: false, data: null, error: message, code: status })
}

function say(to: ServerResponse, status: number, text: string, headers: object = {}): void {
  to.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
  to.end(text)
}
