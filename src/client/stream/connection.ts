// One connection that is made again whenever it ends, later after each failure in a row, until it
// is closed. It carries messages and pairs requests with their answers; what they mean is not its
// business. A request is never sent twice: what had no answer when a connection ended has failed.

import { ApiRefusal, NetworkFailure, TimeoutFailure } from '../errors.ts'
import type { Socket, SocketMaker } from '../platform/socket.ts'
import type { Message } from './frames.ts'
import type { Timers } from './timers.ts'

/** How a connection is, for a connection light. */
export type Health = Readonly<{
  /** `waiting`: until the next attempt to connect. */
  state: 'connecting' | 'open' | 'waiting' | 'closed'
  /** Milliseconds that the last ping took; `null`: not known on this connection. */
  latencyMs: number | null
  /** Milliseconds since the exchange was last heard; null: never. */
  silentMs: number | null
  /** Number of attempts in a row that failed. */
  failures: number
  /** Why the last connection ended, or could not be opened; `null`: none did. */
  ended: string | null
}>

export type ConnectionParts = Readonly<{
  /** Of one exchange; when a connection ends, the next is made to the next of them. */
  urls: readonly string[]
  headers: Readonly<Record<string, string>>
  openSocket: SocketMaker
  timers: Timers
  timeoutMs: number
  pingMs: number
  backoffMs: Readonly<{ first: number; most: number }>
  opened(): void
  heard(message: Message): void
  /** It is down until `opened` is called again. */
  down(): void
  healthChanged(): void
}>

type Settle = (answer: Message | Error) => void
type Waiting = Readonly<{ settle: Settle; callOff(): void }>

/** Requests without an answer; more are refused here. */
const waitingMax = 10_000
const noTimer = () => undefined

export class Connection {
  // Private to the machine too: the headers may carry an API key.
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

  /** `settle` is called once, before anything that came after the answer is looked at. */
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

  /** Gives this connection up, for one to the next address. */
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
    // Half of it by chance, so that those who were cut off together do not come back together.
    const wait = most * (0.5 + timers.random() / 2)
    this.callOffAttempt = timers.after(wait, () => this.connect())
    this.change('waiting')
  }

  /** Lets go of the socket; whatever it still says is not heard. */
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

/** A refusal comes as an error frame, or as a reply with another code than 200. */
function refusalIn(message: Message): ApiRefusal | null {
  const inFrame = message.channel === 'error'
  const { error, code } = (inFrame ? message.data : { error: message.err, code: message.code }) as {
    error?: string
    code?: number
  }
  if (error === undefined || code === undefined) return null
  return new ApiRefusal(error, { status: code, code, retryAfter: null, details: { ...message } })
}
