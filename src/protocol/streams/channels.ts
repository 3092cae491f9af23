// All websocket channels, by name and by alias. No schemas, so that a browser loads none;
// channel-schemas.ts has them.

import { accountChannels } from './account-channels.ts'
import type { Declaration } from './declaration.ts'
import { marketChannels } from './market-channels.ts'
import { orderChannels } from './order-channels.ts'

export type { ChannelOf, ChannelSends, Declaration } from './declaration.ts'

export const declared = { ...marketChannels, ...orderChannels, ...accountChannels }

export type ChannelName = keyof typeof declared
export type Source = (typeof declared)[ChannelName]['sources'][number]
export type NameOf<S extends Source> = {
  [N in ChannelName]: S extends (typeof declared)[N]['sources'][number] ? N : never
}[ChannelName]

const bySource = new Map<string, ChannelName>(
  (Object.keys(declared) as ChannelName[]).flatMap((name) =>
    declared[name].sources.map((source): [string, ChannelName] => [source, name]),
  ),
)

export function channelOfSource(source: string): ChannelName | undefined {
  return bySource.get(source)
}

/** Whether only the account's owner may subscribe to the channel, unless reads are public. */
export function isOwnersOnly(name: ChannelName): boolean {
  return (declared[name] as Declaration).ownersOnly === true
}

export const allSources: readonly string[] = [...bySource.keys()]
