// All channels by name. A declared channel that is missing here does not compile.

import type { ChannelName } from '../../protocol/streams/channels.ts'
import { accountEventChannels } from './account-event-channels.ts'
import { accountStateChannels } from './account-state-channels.ts'
import { bookChannels } from './book-channels.ts'
import { candleChannels } from './candle-channels.ts'
import type { Channel } from './channel.ts'
import { marketChannels } from './market-channels.ts'
import { orderChannels } from './order-channels.ts'
import { tradeChannels } from './trade-channels.ts'
import { twapChannels } from './twap-channels.ts'

export const channels = {
  ...bookChannels,
  ...tradeChannels,
  ...candleChannels,
  ...marketChannels,
  ...orderChannels,
  ...twapChannels,
  ...accountStateChannels,
  ...accountEventChannels,
} satisfies Record<ChannelName, Channel>

/** Whether history has the events of the channel. */
export function isInHistory(name: ChannelName): boolean {
  const channel: Channel = channels[name]
  return channel.of === 'account' && channel.past !== undefined
}
