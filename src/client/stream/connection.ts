// A connection that is reopened whenever it ends, until it is closed. The delay grows with each
// consecutive failure. The connection pairs requests with their replies and does not interpret
// them. It never sends a request twice: requests without a reply fail when the connection ends.

import { ApiRefusal, NetworkFailure, TimeoutFailure } from '../errors.ts'
import type { Socket, SocketMaker } from '../platform/socket.ts'
import type { Message } from './frames.ts'
import type { Timers } from './timers.ts'

/** State of a connection, for display. */
export type Health = Readonly<{
  /** `waiting`: the next attempt to connect is scheduled. */
  state: 'connecting' | 'open' | 'waiting' | 'closed'
  /** Duration of the last ping in milliseconds; `null` if this connection has none yet. */
  latencyMs: number | null
  /** Milliseconds since the last message from the exchange; `null` if there was none. */
  silentMs: number | null
  /** Number of consecutive failed attempts. */
  failures: number
  /** Why the last connection ended or failed to open; `null` before the first failure. */
  ended: string | null
}>

export type ConnectionParts = Readonly<{
  /** Endpoints of the same exchange. Each reconnect uses the next one. */
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  openSocket: SocketMaker
  timers: Timers
  timeoutMs: number
  pingMs: number
  backoffMs: Readonly<{ first: number; most: number }>
  opened(): void
  heard(message: Message): void
  /** Called when the connection is lost; `opened` is called after a reconnect. */
  down(): void
  healthChanged(): void
}>

type Settle = (answer: Message | Error) => void
type Waiting = Readonly<{ settle: Settle; callOff(): void }>

/** Maximum number of requests without a reply; further ones fail here. */
const waitingMax = 10_000
const noTimer = () => undefined

export class Connection {
  // A private field, so that logging the object does not show an API key in the headers.
  readonly #parts: ConnectionParts
  #socket: Socket | null = null
  private readonly waiting = new Map<number, Waiting>()
  private state: Health['state'] = 'connecting'
  private latencyMs: number | null = null
  private heardAt: number | null = null
  private failures = 0
  private ended: string | null = null
  private lastId = 0
  private at = 0
  private callOffPing: () => void = noTimer
  private callOffAttempt: () => void = noTimer

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.connect()
  }

  get isOpen(): boolean {
    return this.state === 'open'
  }

  private get url(): string {
    return this.#parts.urls[this.at]!
  }

  health(): Health {
    const { state, latencyMs, heardAt, failures, ended } = this
    const silentMs = heardAt === null ? null : this.#parts.timers.now() - heardAt
    return { state, latencyMs, silentMs, failures, ended }
  }

  /** `settle` is called once, before any later message is processed. */
  ask(message: Readonly<Record<string, unknown>>, settle: Settle): void {
    const { timers, timeoutMs } = this.#parts
    const { url } = this
    if (!this.isOpen) return settle(new NetworkFailure(`not connected to ${url}`))
    if (this.waiting.size >= waitingMax)
      return settle(new Error(`${waitingMax} requests wait for an answer already`))
    this.lastId += 1
    const id = this.lastId
    const callOff = timers.after(timeoutMs, () => {
      this.waiting.delete(id)
      settle(new TimeoutFailure(`${url} did not answer within ${timeoutMs} ms`))
    })
    this.waiting.set(id, { settle, callOff })
    this.#socket?.send(JSON.stringify({ ...message, id }))
  }

  /** Closes this connection and connects to the next address. */
  leave(why: string): void {
    if (this.isOpen) this.fail(why)
  }

  close(): void {
    if (this.state === 'closed') return
    this.lose('closed here')
    this.callOffAttempt()
    this.change('closed')
  }

  private change(state: Health['state']): void {
    this.state = state
    this.#parts.healthChanged()
  }

  private connect(): void {
    const { headers, openSocket, timers, timeoutMs } = this.#parts
    const socket = openSocket(this.url, headers)
    this.#socket = socket
    const isMine = () => this.#socket === socket
    const callOff = timers.after(timeoutMs, () => isMine() && this.fail('it took too long'))
    socket.onopen = () => {
      callOff()
      if (isMine()) this.opened()
    }
    socket.onmessage = ({ data }) => {
      if (isMine()) this.take(String(data))
    }
    socket.onerror = (event) => {
      const { message } = event as { message?: string }
      if (isMine() && message) this.ended = message
    }
    socket.onclose = ({ code, reason }) => {
      callOff()
      if (isMine()) this.fail(reason || (this.isOpen ? null : this.ended) || `closed with ${code}`)
    }
    this.change('connecting')
  }

  private opened(): void {
    this.change('open')
    this.#parts.opened()
    this.ping()
  }

  private ping(): void {
    const { timers, pingMs, healthChanged } = this.#parts
    const socket = this.#socket
    const sentAt = timers.now()
    this.ask({ method: 'ping' }, (answer) => {
      if (this.#socket !== socket) return
      if (answer instanceof Error) return this.fail('a ping was not answered')
      this.latencyMs = timers.now() - sentAt
      healthChanged()
      this.callOffPing = timers.after(pingMs, () => this.ping())
    })
  }

  private take(text: string): void {
    this.heardAt = this.#parts.timers.now()
    this.failures = 0
    const message = messageIn(text)
    if (message === null) return this.fail('what came is not of this API')
    const id = message.id as number
    const waiting = this.waiting.get(id)
    if (waiting === undefined) return this.#parts.heard(message)
    this.waiting.delete(id)
    waiting.callOff()
    waiting.settle(refusalIn(message) ?? message)
  }

  private fail(why: string): void {
    const { timers, backoffMs, urls } = this.#parts
    this.lose(why)
    this.at = (this.at + 1) % urls.length
    const round = Math.floor(this.failures / urls.length)
    const most = Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(round, 30))
    this.failures += 1
    // Half of the delay is random, so that clients that were disconnected together do not reconnect
    // together.
    const wait = most * (0.5 + timers.random() / 2)
    this.callOffAttempt = timers.after(wait, () => this.connect())
    this.change('waiting')
  }

  /** Drops the socket; later messages on it are ignored. */
  private lose(why: string): void {
    const { waiting, url } = this
    const socket = this.#socket
    this.#socket = null
    this.state = 'waiting'
    this.latencyMs = null
    this.ended = why
    this.callOffPing()
    socket?.close()
    const unanswered = [...waiting.values()]
    waiting.clear()
    this.#parts.down()
    for (const { settle, callOff } of unanswered) {
      callOff()
      settle(new NetworkFailure(`the connection to ${url} ended: ${why}`))
    }
  }
}

function messageIn(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Message) : null
  } catch {
    return null
  }
}

/** A refusal is an error frame, or a reply with a code other than 200. */
function refusalIn(message: Message): ApiRefusal | null {
  const inFrame = message.channel === 'error'
  const { error, code } = (inFrame ? message.data : { error: message.err, code: message.code }) as {
    error?: string
    code?: number
  }
  if (error === undefined || code === undefined) return null
  const { seq = null } = message
  const details = { ...message }
  return new ApiRefusal(error, { status: code, code, retryAfter: null, seq, details })
}
