// A channel: its names and subscription, as declared by the protocol, and a publisher for each
// market or account with readers. The publisher provides the snapshot and turns events into
// payloads. Channels are plain objects; similar channels are made by the same function
// (account-channel.ts) instead of a base class.

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
  /** Called when a frame was sent between two flushes and may be written now. */
  onPushed(): void
}>

type MarketOf = Exclude<ChannelOf, 'account'>

export type MarketChannel<Of extends MarketOf = MarketOf> = Declaration &
  Readonly<{ of: Of; open(parts: MarketParts, id: TopicIdOf<Of>): MarketPublisher }>

/** Makes facts from events. Keys are the event and its field that names the account. */
export type FactMakers<F> = {
  readonly [E in EventType]?: {
    readonly [C in keyof EventOf<E>]?: (event: EventOf<E>) => F
  }
}

export type AccountChannel = Declaration &
  Readonly<{
    of: 'account'
    /** Facts of this channel only, which are kept for a while, with or without readers. */
    facts: FactMakers<unknown>
    /** Reads the channel's facts from history; absent if history does not keep them. */
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
