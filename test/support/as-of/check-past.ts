// Readers that come back after a restart: what they get, from history, is what they would have got.

import assert from 'node:assert/strict'
import { isInHistory } from '../../../src/feeds/channels/channels.ts'
import type { FeedContext } from '../../../src/feeds/feed-context.ts'
import { Feeds } from '../../../src/feeds/feeds.ts'
import type { Random } from '../differential/random.ts'
import type { FedStore } from '../history/fed-store.ts'
import { type Frame, framesTo } from './readers.ts'

export class PastChecks {
  private readonly frames = new Map<string, Frame[]>()
  private readonly context: FeedContext

  constructor(context: FeedContext) {
    this.context = context
  }

  learn(frames: readonly Frame[]): void {
    for (const frame of frames) {
      const { key } = frame.topic
      if (isInHistory(frame.topic.channel))
        this.frames.set(key, [...(this.frames.get(key) ?? []), frame])
    }
  }

  /** Each topic from a place that is drawn among the first half of its frames. Returns the number
   *  of frames that were sent again. */
  async check(random: Random): Promise<number> {
    let count = 0
    for (const all of this.frames.values()) {
      const { topic, li: from } = all[random.below(Math.ceil(all.length / 2))]!
      const { accounts } = this.context.view
      if (topic.of !== 'account' || accounts.isReserved(accounts.idOf(topic.address))) continue
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
  return {
    fillsAfter: async ({ address, from: seq, limit }) =>
      fed.ask('fillsAfter', address, { seq, limit }),
    ledgerAfter: async ({ address, from: seq, limit }) =>
      fed.ask('ledgerAfter', address, { seq, limit }),
  }
}
