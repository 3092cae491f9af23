// Identifies a topic: a channel with its parameters. `key` is the same for all aliases of the
// channel.

import type { Sight } from '../projections/sight.ts'
import type { ChannelName, ChannelOf } from '../protocol/streams/channels.ts'
import type { Interval } from '../units/intervals.ts'

type Named = Readonly<{ channel: ChannelName; key: string }>

export type TopicId =
  | (Named & Readonly<{ of: 'account'; address: string; sight: Sight }>)
  | (Named & Readonly<{ of: 'all' }>)
  | (Named & Readonly<{ of: 'symbol'; market: number }>)
  | (Named & Readonly<{ of: 'book'; market: number; gather: number }>)
  | (Named & Readonly<{ of: 'interval'; market: number; interval: Interval }>)

export type TopicIdOf<Of extends ChannelOf> = Extract<TopicId, { of: Of }>
