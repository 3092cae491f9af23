// One client. Frames for it gather and are written together; what it does not read is bounded. It
// knows nothing of channels but how to end its subscriptions.

import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Outlet, Subscription } from '../../feeds/topic.ts'
import { textFrame } from '../../protocol/streams/text-frame.ts'
import type { Visitor } from '../door.ts'
import { type Closing, closings, type WsLimits } from './limits.ts'

export type ConnectionParts = Readonly<{
  socket: Duplex
  ws: WebSocket
  visitor: Visitor
  limits: WsLimits
  /** It has frames to be written. */
  onFrames(connection: Connection): void
}>

export class Connection implements Outlet {
  /** Changes once at most: when a client names its key after the handshake. */
  visitor: Visitor
  readonly openedAt = performance.now()
  /** By source and topic. */
  readonly subscriptions = new Map<string, Subscription>()
  /** How the core knows it: never the same, also after a restart. */
  readonly id = randomUUID()
  /** Addresses of accounts whose orders are to be cancelled when this ends. */
  readonly armed = new Set<string>()
  /** When the client last sent a frame. */
  heardAt = this.openedAt
  /** Resolves when every request so far has been handed over. */
  turn: Promise<unknown> = Promise.resolve()
  private readonly parts: ConnectionParts
  private readonly running = new Set<Promise<unknown>>()
  private out: Buffer[] = []
  private outBytes = 0
  /** Bytes of first frames and replays that the reader has asked for: they may exceed the bound. */
  private asked = 0
  private ended = false
  private tokens: number
  private tokensAt = this.openedAt
  private refused = 0

  constructor(parts: ConnectionParts) {
    this.parts = parts
    this.visitor = parts.visitor
    this.tokens = parts.limits.messagesBurst
    parts.socket.on('drain', () => this.drained())
  }

  get isOpen(): boolean {
    return !this.ended
  }

  /** Bytes that wait to be read. */
  get buffered(): number {
    return this.parts.socket.writableLength + this.outBytes
  }

  isFull(): boolean {
    return this.buffered > this.parts.limits.fullBytes
  }

  /** No more is asked for before what was is read. */
  isBusyReading(): boolean {
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

  /** Whatever `push` gives while this runs was asked for. */
  asking(work: () => void): void {
    const before = this.outBytes
    work()
    this.asked += this.outBytes - before
  }

  write(): void {
    const { out } = this
    const { socket, limits } = this.parts
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
    if (socket.writableLength === 0) this.asked = 0
    else if (socket.writableLength > limits.bufferBytes + this.asked) this.close(closings.slow)
  }

  private drained(): void {
    this.asked = 0
    for (const subscription of this.subscriptions.values()) subscription.topic.catchUp(subscription)
  }

  /** One more message that is not trading; false: it is one too many. */
  mayAsk(): boolean {
    const { messagesBurst, messagesPerSecond, messagesRefused } = this.parts.limits
    const now = performance.now()
    const earned = ((now - this.tokensAt) / 1_000) * messagesPerSecond
    this.tokens = Math.min(messagesBurst, this.tokens + earned)
    this.tokensAt = now
    if (this.tokens >= 1) {
      this.tokens -= 1
      this.refused = 0
      return true
    }
    this.refused += 1
    if (this.refused > messagesRefused) this.close(closings.flood)
    return false
  }

  /** Counts a request; while too many are running nothing more is read. */
  track(request: Promise<unknown>): void {
    const { ws, limits } = this.parts
    const { running } = this
    running.add(request)
    if (running.size >= limits.inFlight) ws.pause()
    const done = () => {
      running.delete(request)
      if (ws.isPaused && running.size < limits.inFlight) ws.resume()
    }
    request.then(done, done)
  }

  /** Resolves when every request that was read has been answered. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running)
  }

  /** Says why, and lets go of a client that does not answer. */
  close({ code, reason }: Closing): void {
    if (this.ended) return
    this.write()
    this.ended = true
    this.out = []
    const { ws, limits } = this.parts
    ws.close(code, reason)
    setTimeout(() => ws.terminate(), limits.closeMs).unref()
  }

  /** The socket is gone. */
  gone(): void {
    this.ended = true
    this.out = []
    this.outBytes = 0
  }
}
