// Which topic serves which public channel.

import type { ChannelName } from '../../protocol/streams/sources.ts'
import type { Interval } from '../../units/intervals.ts'
import type { Sight } from '../sight.ts'
import { BboTopic } from './bbo-topic.ts'
import { BookDeltaTopic } from './book-delta-topic.ts'
import { BookTopic } from './book-topic.ts'
import { CandleTopic } from './candle-topic.ts'
import { LiquidationsTopic } from './liquidations-topic.ts'
import type { MarketTopic } from './market-topic.ts'
import { PricesTopic } from './prices-topic.ts'
import { StatusTopic } from './status-topic.ts'
import { TradesTopic } from './trades-topic.ts'

type Named = Readonly<{ channel: ChannelName; key: string }>

/** What someone wants to read. `key` is the same for the same thing in all spellings. */
export type Wanted =
  | (Named & Readonly<{ of: 'account'; address: string }>)
  | (Named & Readonly<{ of: 'all' }>)
  | (Named & Readonly<{ of: 'symbol'; market: number }>)
  | (Named & Readonly<{ of: 'book'; market: number; gather: number }>)
  | (Named & Readonly<{ of: 'interval'; market: number; interval: Interval }>)

export function makeMarketTopic(
  sight: Sight,
  wanted: Exclude<Wanted, { of: 'account' }>,
  whenLoaded: () => void,
): MarketTopic {
  const { key, channel } = wanted
  switch (wanted.of) {
    case 'book':
      return new BookTopic(key, sight, wanted.market, wanted.gather)
    case 'interval': {
      const { market, interval } = wanted
      const kind = channel === 'candle' ? 'trade' : 'mark'
      return new CandleTopic(key, sight, { market, kind, interval }, whenLoaded)
    }
    case 'all':
      if (channel === 'prices') return new PricesTopic(key, sight)
      return channel === 'liquidations'
        ? new LiquidationsTopic(key, sight, null)
        : new StatusTopic(key, sight)
    default:
      if (channel === 'bookDelta') return new BookDeltaTopic(key, sight, wanted.market)
      return channel === 'bbo'
        ? new BboTopic(key, sight, wanted.market)
        : new TradesTopic(key, sight, wanted.market)
  }
}
