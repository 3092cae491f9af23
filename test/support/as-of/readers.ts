// Readers of every channel: each frame as it came, parsed.

import type { Feeds } from '../../../src/feeds/feeds.ts'
import type { Outlet } from '../../../src/feeds/topic.ts'
import type { TopicId } from '../../../src/feeds/topic-id.ts'
import { type ChannelName, declared } from '../../../src/protocol/streams/channels.ts'

export type Row = Readonly<Record<string, unknown>>
export type Frame = Readonly<{ topic: TopicId; li: number; data: unknown }>

export const rowsOf = ({ data }: Frame): readonly Row[] =>
  (Array.isArray(data) ? data : [data]) as readonly Row[]

/** Candles are of history; they have a test of their own. */
const unread: readonly ChannelName[] = ['candle', 'markCandle']

const names = (Object.keys(declared) as ChannelName[]).filter((name) => !unread.includes(name))
const namesOf = (of: string) => names.filter((name) => declared[name].of === of)

export class Readers {
  private readonly feeds: Feeds
  private frames: Frame[] = []

  constructor(feeds: Feeds) {
    this.feeds = feeds
    for (const channel of namesOf('all')) this.read({ channel, key: channel, of: 'all' })
  }

  account(address: string): void {
    for (const channel of namesOf('account'))
      this.read({ channel, key: `${channel} ${address}`, of: 'account', address, sight: 'all' })
  }

  market(market: number): void {
    for (const channel of namesOf('symbol'))
      this.read({ channel, key: `${channel} ${market}`, of: 'symbol', market })
    for (const channel of namesOf('book'))
      this.read({ channel, key: `${channel} ${market}`, of: 'book', market, gather: 1 })
  }

  /** What came since the last call. */
  take(): readonly Frame[] {
    const { frames } = this
    this.frames = []
    return frames
  }

  private read(topic: TopicId): void {
    const outlet = framesTo(topic, (frame) => this.frames.push(frame))
    const source = declared[topic.channel].sources[0]
    this.feeds.begin(this.feeds.subscribe(topic, source, outlet), null)
  }
}

/** An outlet that gives each frame that it is sent. */
export function framesTo(topic: TopicId, take: (frame: Frame) => void): Outlet {
  return {
    isFull: () => false,
    push: (bytes) => {
      for (const { li, data } of messagesIn(bytes)) take({ topic, li, data })
    },
  }
}

/** Frames of a server stand one behind the other: unmasked text, with its length before it. */
function* messagesIn(bytes: Buffer): Iterable<Readonly<{ li: number; data: unknown }>> {
  for (let at = 0; at < bytes.length; ) {
    const short = bytes[at + 1]!
    const head = short < 126 ? 2 : short === 126 ? 4 : 10
    const long = head === 4 ? bytes.readUInt16BE(at + 2) : bytes.readUInt32BE(at + 6)
    const length = head === 2 ? short : long
    yield JSON.parse(bytes.toString('utf8', at + head, at + head + length))
    at += head + length
  }
}
