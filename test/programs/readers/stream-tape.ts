// Everything that the websocket of one node says, as it came: every channel, on some connections,
// each with a market and an account of its own.

import { once } from 'node:events'
import { WebSocket } from 'ws'
import { allSources, channelOfSource, declared } from '../../../src/protocol/streams/channels.ts'
import { until } from '../../support/http/held-sockets.ts'
import { heldTurns } from '../../support/streams/stream-client.ts'

export type Subscriber = Readonly<{ symbol: string; account: string }>

/** Frames of one channel on one connection with the same place in history. */
export type Place = Readonly<{ key: string; source: string; li: number; texts: string[] }>

/** States come by a timer, as the newest, or because a client requested them again: two nodes need
 *  not send the same ones. The same is true of positions when a price moves. */
export function isState(source: string): boolean {
  const channel = channelOfSource(source)!
  return declared[channel].sends === 'state' || channel === 'positions'
}

export class StreamTape {
  private readonly places = new Map<string, Place>()
  private readonly sockets: WebSocket[] = []
  private readonly subscribers: readonly Subscriber[]
  private pongs = 0
  /** Both nodes have all that comes behind this. */
  acknowledgedAt = 0
  /** What is neither a frame of a channel nor an answer that was expected. */
  readonly strange: string[] = []

  private constructor(subscribers: readonly Subscriber[]) {
    this.subscribers = subscribers
  }

  static async open(port: number, subscribers: readonly Subscriber[]): Promise<StreamTape> {
    const tape = new StreamTape(subscribers)
    for (const n of subscribers.keys()) await tape.connect(port, n)
    await tape.subscribe()
    return tape
  }

  /** A second time, states are answered with their present value. */
  async subscribe(sources: readonly string[] = allSources): Promise<void> {
    for (const [n, { symbol, account }] of this.subscribers.entries())
      for (const source of sources) {
        const params = { source, ...paramsOf(source, symbol, account) }
        this.sockets[n]!.send(JSON.stringify({ method: 'subscribe', params }))
      }
    await this.settle()
  }

  /** Everything that was said before has come. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < heldTurns; turn++) {
      const awaited = this.pongs + this.sockets.length
      for (const socket of this.sockets) socket.send('{"method":"ping"}')
      await until(() => this.pongs >= awaited)
    }
  }

  /** Frames after one entry and up to another, which are removed here. */
  take(after: number, until: number): ReadonlyMap<string, Place> {
    const taken = new Map<string, Place>()
    for (const [key, place] of this.places) {
      if (place.li > until) continue
      this.places.delete(key)
      if (place.li > after) taken.set(key, place)
    }
    return taken
  }

  close(): void {
    for (const socket of this.sockets) socket.terminate()
  }

  private async connect(port: number, n: number): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { perMessageDeflate: false })
    socket.on('message', (bytes: Buffer) => this.hear(n, bytes.toString('utf8')))
    socket.on('error', (error) => this.strange.push(error.message))
    await once(socket, 'open')
    this.sockets.push(socket)
  }

  private hear(n: number, said: string): void {
    // Where a reader stood before depends on when it subscribed.
    const text = said.replace(/,"prev":(\d+|null)(?=[,}][^{}]*$|}$)/, '')
    const { channel, li } = JSON.parse(text) as { channel: string; li?: number }
    if (channel === 'pong') this.pongs += 1
    else if (channel === 'subscribe') this.acknowledgedAt = Math.max(this.acknowledgedAt, li!)
    else if (channelOfSource(channel) === undefined || li === undefined) this.strange.push(text)
    else {
      const key = `${n} ${channel} ${li}`
      const known = this.places.get(key)
      if (known === undefined) this.places.set(key, { key, source: channel, li, texts: [text] })
      else known.texts.push(text)
    }
  }
}

function paramsOf(source: string, symbol: string, account: string): object {
  const { of } = declared[channelOfSource(source)!]
  if (of === 'account') return { account }
  if (of === 'all') return {}
  return of === 'interval' ? { symbol, interval: '1m' } : { symbol }
}
