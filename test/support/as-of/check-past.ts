// Readers that come back after a restart: what they get, from history, is what they would have got.

import assert from 'node:assert/strict'
import { isInHistory } from '../../../src/feeds/channels/channels.ts'
import type {
  FeedContext,
  PastKind,
  PastRows,
  ReadPastRows,
} from '../../../src/feeds/feed-context.ts'
import { Feeds } from '../../../src/feeds/feeds.ts'
import type { TopicIdOf } from '../../../src/feeds/topic-id.ts'
import type { Sight } from '../../../src/projections/sight.ts'
import { type ChannelName, declared } from '../../../src/protocol/streams/channels.ts'
import type { Random } from '../../programs/differential/random.ts'
import type { FedStore } from '../history/fed-store.ts'
import { type Frame, framesTo } from './readers.ts'

const sights: readonly Sight[] = ['all', 'released', 'resting']
const channels = (Object.keys(declared) as ChannelName[]).filter(isInHistory)

export class PastChecks {
  /** What came after a subscription began, by topic. */
  private readonly frames = new Map<TopicIdOf<'account'>, Frame[]>()
  private readonly context: FeedContext

  constructor(context: FeedContext) {
    this.context = context
  }

  /** Reads an account from here on, as its owner and as others. */
  read(feeds: Feeds, address: string): void {
    for (const channel of channels)
      for (const sight of sights) {
        const key = `${channel} ${address} ${sight}`
        const topic = { of: 'account', channel, address, sight, key } as const
        const frames: Frame[] = []
        const outlet = framesTo(topic, (frame) => frames.push(frame))
        feeds.begin(feeds.subscribe(topic, channel, outlet), null)
        // A list begins with what there is.
        frames.length = 0
        this.frames.set(topic, frames)
      }
  }

  /** Each topic from a place that is drawn among the first half of its frames. Returns the number
   *  of frames that were sent again. */
  async check(random: Random): Promise<number> {
    let count = 0
    const { accounts } = this.context.view
    for (const [topic, all] of this.frames) {
      if (all.length === 0 || accounts.isReserved(accounts.idOf(topic.address))) continue
      const { li: from } = all[random.below(Math.ceil(all.length / 2))]!
      const expected = all.filter(({ li }) => li > from)
      const feeds = new Feeds({
        context: this.context,
        onPushed: () => undefined,
        onReverted: () => undefined,
      })
      const recalled = await feeds.recall(topic, from)
      assert.equal(feeds.canResume(topic.address, from, recalled), true)
      const frames: Frame[] = []
      const outlet = framesTo(topic, (frame) => frames.push(frame))
      feeds.begin(feeds.subscribe(topic, topic.channel, outlet), from, recalled)
      feeds.close()
      assert.deepEqual(frames, expected)
      count += frames.length
    }
    return count
  }
}

/** As `feedContextOf` asks the store of a running exchange. */
export function pastOf(fed: FedStore): FeedContext['history']['past'] {
  const after =
    <K extends PastKind>(kind: K): ReadPastRows<PastRows[K]> =>
    async ({ address, from: seq, limit }) =>
      fed.ask<PastKind>(kind, address, { seq, limit }) as unknown as readonly PastRows[K][]
  return {
    fillsAfter: after('fillsAfter'),
    ledgerAfter: after('ledgerAfter'),
    orderStepsAfter: after('orderStepsAfter'),
    twapsAfter: after('twapsAfter'),
  }
}
