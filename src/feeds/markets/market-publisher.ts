// Publishes a channel of one market, or of all: the parts of a batch that it receives, and how
// often it sends. Payloads queued in a batch are sent at the next flush.

import type { EventType } from '../../core/index.ts'
import type { TradeRow } from '../../projections/history/history.ts'
import type { EventReader } from '../event-reader.ts'
import type { Publisher, Topic } from '../topic.ts'
import type { Throttle } from './throttle.ts'

/** A match with its two accounts. */
export type Match = TradeRow & Readonly<{ taker: number; maker: number }>

export type Place = Readonly<{ seq: number; atMs: number }>

/** The last change of a market's book. */
export type BookChange = Place & Readonly<{ order: number }>

export type MarketPublisher = Publisher &
  Readonly<{
    /** Once per batch. */
    bookChanged?(change: BookChange): void
    /** Of the topic's own market only. */
    traded?(match: Match): void
    marked?(mark: number, place: Place): void
    /** Late minutes of the time before the market began were added. */
    pastChanged?(): void
    /** Other events that concern it, of any market. */
    events?: Readonly<Partial<Record<EventType, EventReader>>>
    /** The last chance to queue payloads of this batch. */
    batchEnded?(): void
    /** For a channel that sends its state repeatedly, but not for each change. */
    throttle?: Throttle
  }>

export type MarketTopic = Topic<MarketPublisher>
