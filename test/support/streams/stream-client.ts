// A client of the websocket that keeps every frame and holds each to the schema of its channel.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { Compile } from '../../../src/protocol/schemas/typebox.ts'
import { dataSchemas } from '../../../src/protocol/streams/channel-schemas.ts'
import { channelOfSource } from '../../../src/protocol/streams/channels.ts'
import { withoutExtras } from '../desk.ts'

export type Frame = {
  channel?: string
  data?: unknown
  li?: number
  id?: unknown
  code?: number
  [more: string]: unknown
}

/** Frames of an account may come this long after the reply that they follow. */
export const heldMsMax = 120
/** And this many turns of the server's loop. */
export const heldTurns = 3

const checks = new Map<string, ReturnType<typeof Compile>>()
/** Channels of which a frame was seen and held to its schema. */
export const seenSources = new Set<string>()

export function requireFits(frame: Frame): void {
  const { channel = '' } = frame
  const name = channelOfSource(channel)
  if (name === undefined) return
  let check = checks.get(name)
  if (check === undefined) {
    check = Compile(withoutExtras(dataSchemas[name]))
    checks.set(name, check)
  }
  assert.ok(Number.isSafeInteger(frame.li), `${channel} without li`)
  if (!check.Check(frame.data))
    assert.fail(
      `${channel}: ${JSON.stringify(check.Errors(frame.data)[0])} in ${JSON.stringify(frame)}`,
    )
  seenSources.add(channel)
}

type Waiting = Readonly<{ fits: (frame: Frame) => boolean; resolve: (frame: Frame) => void }>

export class StreamClient {
  readonly ws: WebSocket
  readonly frames: Frame[] = []
  closed: { code: number; reason: string } | null = null
  onFrame: (frame: Frame) => void = () => undefined
  private waiting: Waiting[] = []

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data: Buffer) => this.take(JSON.parse(data.toString()) as Frame))
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    ws.on('error', () => undefined)
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<StreamClient> {
    const client = new StreamClient(new WebSocket(url, { headers, perMessageDeflate: false }))
    await once(client.ws, 'open')
    return client
  }

  private take(frame: Frame): void {
    requireFits(frame)
    this.frames.push(frame)
    this.onFrame(frame)
    for (const each of this.waiting.filter(({ fits }) => fits(frame))) {
      this.waiting = this.waiting.filter((other) => other !== each)
      each.resolve(frame)
    }
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** The next frame that fits; those that came before do not count. */
  next(fits: (frame: Frame) => boolean, what = 'a frame'): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${what} did not come`)), 120_000)
      const waiting = {
        fits,
        resolve: (frame: Frame) => {
          clearTimeout(timer)
          resolve(frame)
        },
      }
      this.waiting.push(waiting)
    })
  }

  nextOf(channel: string): Promise<Frame> {
    return this.next((frame) => frame.channel === channel, channel)
  }

  async ask(message: unknown): Promise<Frame> {
    const answer = this.next(() => true, 'an answer')
    this.send(message)
    return answer
  }

  /** Gives the acknowledgement. */
  async subscribe(source: string, params: Record<string, unknown> = {}): Promise<Frame> {
    const answer = this.next(
      ({ channel, data }) =>
        channel === 'error' ||
        (channel === 'subscribe' && (data as { source: string }).source === source),
      `subscribe ${source}`,
    )
    this.send({ method: 'subscribe', params: { source, ...params } })
    return answer
  }

  /** Every frame about earlier replies has come. Frames are written after the replies of their
   *  batch, and lists wait for changes that share a frame: one pong may come before both. */
  async settle(): Promise<void> {
    await new Promise((done) => setTimeout(done, heldMsMax))
    for (let turn = 0; turn < heldTurns; turn++) {
      const pong = this.nextOf('pong')
      this.send({ method: 'ping' })
      await pong
    }
  }

  of(channel: string): Frame[] {
    return this.frames.filter((frame) => frame.channel === channel)
  }

  async close(): Promise<void> {
    if (this.closed !== null) return
    const gone = once(this.ws, 'close')
    this.ws.close()
    await gone
  }

  /** As if the cable were cut. */
  cut(): void {
    this.ws.terminate()
  }
}
