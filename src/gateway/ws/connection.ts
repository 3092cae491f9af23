// A websocket client. Frames are collected and written together. Unread bytes and the client's
// messages are limited. The connection knows of channels only to end its subscriptions.

import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Outlet, Subscription } from '../../feeds/topic.ts'
import { textFrame } from '../../protocol/streams/text-frame.ts'
import type { Visitor } from '../intake/door.ts'
import type { Line } from '../intake/line.ts'
import type { Incoming } from './incoming.ts'
import type { LabConnection } from './lab-connection.ts'
import { type Closing, closings, type WsLimits } from './limits.ts'

export type ConnectionParts = Readonly<{
  socket: Duplex
  ws: WebSocket
  visitor: Visitor
  limits: WsLimits
  /** Prefix of the connection's name. */
  owner: string
  /** Called when the connection has frames to write. */
  onFrames(connection: Connection): void
}>

/** Time in milliseconds that a client that sent too much has to read the reason. */
const deafMs = 1_000
/** Maximum number of accounts that a connection is known by. */
const accountsMax = 64
/** Maximum number of messages that a client may have had in flight when the server closed. */
const lateMax = 1_024

export class Connection implements Outlet {
  /** Changes at most once, when a client authenticates with an API key after the handshake. */
  visitor: Visitor
  readonly openedAt = performance.now()
  /** Subscriptions by source and topic. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Name of the connection in the core; unique, even after a restart. */
  readonly id: string
  /** Accounts whose orders will be cancelled when the connection ends. */
  readonly armed = new Set<string>()
  /** Accounts for which the connection has sent requests, up to `accountsMax`. */
  private readonly accounts = new Set<string>()
  /** Time of the last frame from the client. */
  receivedAt = this.openedAt
  /** Resolves when every request so far has been submitted. */
  turn: Promise<unknown> = Promise.resolve()
  /** Resolves when a signed read or a resumption is done, together with the messages that wait for
   *  it; `null` if there is none. */
  reading: Promise<void> | null = null
  /** Fault-injection and latency rules applied to this connection; `null` outside a sandbox. */
  lab: LabConnection | null = null
  /** Messages of the connection in the intake. */
  line!: Line<Incoming>
  private readonly parts: ConnectionParts
  /** Payload of the newest ping without a pong; earlier pings need none. */
  private pinged: Buffer | null = null
  private out: Buffer[] = []
  private outBytes = 0
  /** Bytes of snapshots and replays that the reader requested. They do not count towards the
   *  limit. */
  private requestedBytes = 0
  /** The client sent too much. Nothing more is read, not even its close frame. */
  private isDeaf = false
  private late = 0
  private ended = false
  private tokens: number
  private tokensAt = this.openedAt
  private refused = 0

  constructor(parts: ConnectionParts) {
    this.parts = parts
    this.visitor = parts.visitor
    this.id = parts.owner + randomUUID()
    this.tokens = parts.limits.messagesBurst
    parts.socket.on('drain', () => this.drained())
  }

  get isOpen(): boolean {
    return !this.ended
  }

  /** Number of unsent bytes. */
  get buffered(): number {
    return this.parts.socket.writableLength + this.outBytes
  }

  isFull(): boolean {
    return this.buffered > this.parts.limits.fullBytes
  }

  /** Whether requested data is still unsent; nothing else is sent before it. */
  isBacklogged(): boolean {
    return this.buffered > this.parts.limits.bufferBytes
  }

  push(frames: Buffer, of?: Subscription): void {
    if (this.ended) return
    const { lab } = this
    if (lab?.isActive === true) lab.push(frames, of, (frame) => this.enqueue(frame))
    else this.enqueue(frames)
  }

  private enqueue(frames: Buffer): void {
    this.out.push(frames)
    this.outBytes += frames.length
    if (this.out.length === 1) this.parts.onFrames(this)
  }

  send(message: unknown): void {
    this.push(textFrame(JSON.stringify(message)))
  }

  /** Runs `work`, and counts the frames that it pushes as requested by the client. */
  pushRequested(work: () => void): void {
    const before = this.outBytes
    work()
    this.requestedBytes += this.outBytes - before
  }

  /** Sends a pong once all earlier data has been written. A client that does not read gets only
   *  one. */
  private pong(): void {
    if (this.pinged === null || this.ended || this.parts.socket.writableLength > 0) return
    const payload = this.pinged
    this.pinged = null
    this.parts.ws.pong(payload)
  }

  write(): void {
    const { out } = this
    const { socket, limits } = this.parts
    this.pong()
    if (out.length === 0) return
    this.out = []
    this.outBytes = 0
    if (this.ended || socket.destroyed) return
    if (out.length === 1) socket.write(out[0]!)
    else {
      socket.cork()
      for (const frames of out) socket.write(frames)
      socket.uncork()
    }
    if (socket.writableLength === 0) this.requestedBytes = 0
    else if (socket.writableLength > limits.bufferBytes + this.requestedBytes)
      this.close(closings.slow)
  }

  private drained(): void {
    this.requestedBytes = 0
    this.pong()
    for (const subscription of this.subscriptions.values()) subscription.topic.catchUp(subscription)
  }

  /** Handles a control frame, which counts as a message. Returns `false` if it exceeds the limit;
   *  it gets no reply then. */
  controlled(ping: Buffer | null): boolean {
    if (!this.allowMessage()) return false
    if (ping === null) return true
    // Copied, because the data would keep the larger buffer that it is part of in memory.
    this.pinged = Buffer.from(ping)
    if (this.out.length === 0) this.parts.onFrames(this)
    return true
  }

  /** Counts a message other than a trading request. Returns `false` if it exceeds the limit. */
  allowMessage(): boolean {
    const { messagesBurst, messagesPerSecond, messagesRefused } = this.parts.limits
    const now = performance.now()
    const earned = ((now - this.tokensAt) / 1_000) * messagesPerSecond
    this.tokens = Math.min(messagesBurst, this.tokens + earned)
    this.tokensAt = now
    this.refused = Math.max(0, this.refused - earned)
    if (this.tokens >= 1) {
      this.tokens -= 1
      return true
    }
    this.refused += 1
    if (this.refused > messagesRefused) this.close(closings.flood)
    return false
  }

  readOn(): void {
    if (!this.isDeaf) this.parts.ws.resume()
  }

  /** Notes the account that a request names. */
  usedBy(account: unknown): void {
    if (typeof account !== 'string' || this.accounts.size >= accountsMax) return
    this.accounts.add(account)
  }

  /** The account that the connection acts for; `null` if it is not known. */
  get account(): string | null {
    const { keyAccount, signedReader } = this.visitor
    return keyAccount ?? signedReader?.account ?? this.accounts.values().next().value ?? null
  }

  /** Whether the connection has read or traded for the account, by its address. */
  isOf(account: string): boolean {
    const { keyAccount, signedReader } = this.visitor
    if (keyAccount === account || signedReader?.account === account) return true
    if (this.armed.has(account) || this.accounts.has(account)) return true
    const topics = [...this.subscriptions.values()].map(({ topic }) => topic.id)
    return topics.some((id) => id.of === 'account' && id.address === account)
  }

  /** Ends the connection without a closing handshake, as a lost network does. */
  cut(): void {
    this.gone()
    this.parts.ws.terminate()
  }

  /** Number of received requests without a reply. */
  get underWay(): number {
    return this.line.active + this.line.waiting.length
  }

  /** Resolves when every received request has a reply. */
  settled(): Promise<void> {
    return this.line.settled()
  }

  /** Sends the reason and closes the connection, even if the client does not reply. */
  close(closing: Closing): void {
    if (this.ended) return
    this.write()
    this.ended = true
    this.out = []
    const { ws, limits } = this.parts
    ws.close(closing.code, closing.reason)
    const sentTooMuch = closing === closings.flood || closing === closings.behind
    if (sentTooMuch) this.deafen()
    setTimeout(() => ws.terminate(), sentTooMuch ? deafMs : limits.closeMs).unref()
  }

  /** Ignores a message that arrived after the server closed. A client with messages in flight
   *  still completes the closing handshake. A client that continues to send is no longer read. */
  receivedAfterClose(): void {
    this.late += 1
    if (this.late === lateMax) this.deafen()
  }

  private deafen(): void {
    this.isDeaf = true
    this.parts.ws.pause()
  }

  /** Called when the socket is closed. */
  gone(): void {
    this.ended = true
    this.out = []
    this.outBytes = 0
  }
}
