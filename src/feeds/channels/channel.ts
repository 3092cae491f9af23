// What a channel is: how it is named and subscribed to, as the protocol declares it, and what it
// makes for each market or account that someone reads: a publisher, which gives the snapshot and
// turns events into payloads. A channel is a plain object; channels that have much in common are
// made by the same function (account-channel.ts), not by a class above them.

import type { EventOf, EventType } from '../../core/index.ts'
import type { ChannelOf, Declaration } from '../../protocol/streams/channels.ts'
import type { ReadPast } from '../accounts/past-facts.ts'
import type { AccountPublisher, Watch } from '../accounts/watch.ts'
import type { FeedContext } from '../feed-context.ts'
import type { MarketPublisher } from '../markets/market-publisher.ts'
import type { Topic } from '../topic.ts'
import type { TopicIdOf } from '../topic-id.ts'

export type MarketParts = Readonly<{
  topic: Topic
  context: FeedContext
  /** Something was sent between two flushes: it may be written now. */
  onPushed(): void
}>

type MarketOf = Exclude<ChannelOf, 'account'>

export type MarketChannel<Of extends MarketOf = MarketOf> = Declaration &
  Readonly<{ of: Of; open(parts: MarketParts, id: TopicIdOf<Of>): MarketPublisher }>

/** By event, and by which of its fields names the account: what the event is to that account. */
export type FactMakers<F> = {
  readonly [E in EventType]?: {
    readonly [C in keyof EventOf<E>]?: (event: EventOf<E>) => F
  }
}

export type AccountChannel = Declaration &
  Readonly<{
    of: 'account'
    /** Facts that no other channel sends. They are kept for a while, read or not. */
    facts: FactMakers<unknown>
    /** What history has of its facts; absent: it does not keep them. */
    past?: ReadPast
    open(topic: Topic, watch: Watch): AccountPublisher
  }>

export type Channel = { [Of in MarketOf]: MarketChannel<Of> }[MarketOf] | AccountChannel

export function marketChannel<Of extends MarketOf>(
  kind: Declaration & Readonly<{ of: Of }>,
  open: (parts: MarketParts, id: TopicIdOf<Of>) => MarketPublisher,
): MarketChannel<Of> {
  return { ...kind, open }
}
