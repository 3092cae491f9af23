// What a channel publishes of one market, or of all of them: which parts of a batch it is given,
// and how often it sends. All it queues in a batch goes out at the next flush.

import type { EventType } from '../../core/index.ts'
import type { TradeRow } from '../../projections/history/history.ts'
import type { EventReader } from '../event-reader.ts'
import type { Publisher, Topic } from '../topic.ts'
import type { Throttle } from './throttle.ts'

/** A match with its two accounts. */
export type Match = TradeRow & Readonly<{ taker: number; maker: number }>

export type Place = Readonly<{ seq: number; atMs: number }>

/** What touched the book of a market last. */
export type BookChange = Place & Readonly<{ order: number }>

export type MarketPublisher = Publisher &
  Readonly<{
    /** Once a batch. */
    bookChanged?(change: BookChange): void
    /** Of the topic's own market only. */
    traded?(match: Match): void
    marked?(mark: number, place: Place): void
    /** Charts learned of minutes from before the market began. */
    pastChanged?(): void
    /** Other events that concern it, of whatever market. */
    events?: Readonly<Partial<Record<EventType, EventReader>>>
    /** The last chance to queue something of this batch. */
    batchEnded?(): void
    /** Of a channel that sends its state again, but not for each change. */
    throttle?: Throttle
  }>

export type MarketTopic = Topic<MarketPublisher>
