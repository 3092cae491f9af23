// One client. Frames are collected and written together; unread bytes are limited, and so are the
// client's messages. It knows of channels only how to end its subscriptions.

import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Outlet, Subscription } from '../../feeds/topic.ts'
import { textFrame } from '../../protocol/streams/text-frame.ts'
import type { Visitor } from '../intake/door.ts'
import type { Line } from '../intake/line.ts'
import type { Incoming } from './incoming.ts'
import { type Closing, closings, type WsLimits } from './limits.ts'

export type ConnectionParts = Readonly<{
  socket: Duplex
  ws: WebSocket
  visitor: Visitor
  limits: WsLimits
  /** Prefix of its name. */
  owner: string
  /** It has frames to be written. */
  onFrames(connection: Connection): void
}>

/** Time in ms that a client that sent too much has to read the reason. */
const deafMs = 1_000
/** Number of messages that a client may have had in flight when we closed. */
const lateMax = 1_024

export class Connection implements Outlet {
  /** Changes at most once: when a client names its key after the handshake. */
  visitor: Visitor
  readonly openedAt = performance.now()
  /** By source and topic. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Its name in the core: unique, even after a restart. */
  readonly id: string
  /** Addresses of accounts whose orders are to be cancelled when it ends. */
  readonly armed = new Set<string>()
  /** When the client last sent a frame. */
  receivedAt = this.openedAt
  /** Resolves without a value when every request so far has been submitted. */
  turn: Promise<unknown> = Promise.resolve()
  /** Settles when a signed read or a resumption and what waits for it is done; `null` if there is
   *  none. */
  reading: Promise<void> | null = null
  /** Its messages on their way through the intake. */
  line!: Line<Incoming>
  private readonly parts: ConnectionParts
  /** Payload of the newest unanswered ping: earlier ones need no answer. */
  private pinged: Buffer | null = null
  private out: Buffer[] = []
  private outBytes = 0
  /** Bytes of snapshots and replays that the reader requested: they may exceed the limit. */
  private requestedBytes = 0
  /** It sent too much: nothing more is read, not even its close frame. */
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

  /** Unsent bytes. */
  get buffered(): number {
    return this.parts.socket.writableLength + this.outBytes
  }

  isFull(): boolean {
    return this.buffered > this.parts.limits.fullBytes
  }

  /** Requested data is still unsent: nothing more is sent before. */
  isBacklogged(): boolean {
    return this.buffered > this.parts.limits.bufferBytes
  }

  push(frames: Buffer): void {
    if (this.ended) return
    this.out.push(frames)
    this.outBytes += frames.length
    if (this.out.length === 1) this.parts.onFrames(this)
  }

  send(message: unknown): void {
    this.push(textFrame(JSON.stringify(message)))
  }

  /** Frames pushed while this runs were requested by the client. */
  pushRequested(work: () => void): void {
    const before = this.outBytes
    work()
    this.requestedBytes += this.outBytes - before
  }

  /** A pong waits until everything before it is read: a client that does not read gets only one. */
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

  /** A control frame counts as a message. `false` if it exceeds the limit, and is not answered. */
  controlled(ping: Buffer | null): boolean {
    if (!this.allowMessage()) return false
    if (ping === null) return true
    // A copy, because the data is part of a larger buffer that it would retain.
    this.pinged = Buffer.from(ping)
    if (this.out.length === 0) this.parts.onFrames(this)
    return true
  }

  /** Counts a message other than trading; `false` if it exceeds the limit. */
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

  /** Resolves when every received request has been answered. */
  settled(): Promise<void> {
    return this.line.settled()
  }

  /** Sends the reason, and disconnects a client that does not answer. */
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

  /** A message arrived after we had closed, and is ignored. A client with messages in flight still
   *  completes the close; one that continues to send is no longer read. */
  receivedAfterClose(): void {
    this.late += 1
    if (this.late === lateMax) this.deafen()
  }

  private deafen(): void {
    this.isDeaf = true
    this.parts.ws.pause()
  }

  /** The socket is closed. */
  gone(): void {
    this.ended = true
    this.out = []
    this.outBytes = 0
  }
}
