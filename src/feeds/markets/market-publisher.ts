// Publishes a channel of one or all markets. Its methods receive the parts of a batch, and
// `throttle` limits how often it sends. Payloads queued in a batch are sent at the next flush.

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
    /** Called once per batch. */
    bookChanged?(change: BookChange): void
    /** Called for trades in the topic's own market. */
    traded?(match: Match): void
    marked?(mark: number, place: Place): void
    /** Called when late minutes from before the listing of the market were added. */
    pastChanged?(): void
    /** Readers of other events, of any market. */
    events?: Readonly<Partial<Record<EventType, EventReader>>>
    /** Called at the end of a batch, when payloads may still be queued. */
    batchEnded?(): void
    /** Limits how often the state is sent. */
    throttle?: Throttle
  }>

export type MarketTopic = Topic<MarketPublisher>
