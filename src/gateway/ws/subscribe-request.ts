// Validates the params of a subscribe or unsubscribe message, and finds the topic that they name.

import type { TopicId } from '../../feeds/topic-id.ts'
import {
  channelOfSource,
  type Declaration,
  declared,
  isOwnersOnly,
} from '../../protocol/streams/channels.ts'
import { type Gather, gathers } from '../../protocol/words.ts'
import { type Interval, intervals } from '../../units/intervals.ts'
import { apiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import { addressIn } from '../known-address.ts'
import type { Caller } from '../operation.ts'
import { listedId, requireAlgoReader, requireReader, sightOf } from '../operations/reading.ts'

export type Params = Readonly<Record<string, unknown>>

export type SubscribeRequest = Readonly<{
  /** The channel's alias as sent by the client. */
  source: string
  topicId: TopicId
  /** Sequence number to resume from; `null` to start from the beginning. */
  resumeFrom: number | null
  /** The subscription starts with the events since this time; `null` to start now. */
  sinceMs: number | null
}>

type Reading = Readonly<{ exchange: Exchange; caller: Caller }>

const malformed = (explanation: string) => apiError('MALFORMED_REQUEST', explanation)

/** Throws the message of the error frame. */
export function parseSubscribe(reading: Reading, params: Params): SubscribeRequest {
  const { source } = params
  const channel = typeof source === 'string' ? channelOfSource(source) : undefined
  if (typeof source !== 'string' || channel === undefined)
    throw malformed('params.source must be the name of a channel; /asyncapi.json lists them')
  const { of } = declared[channel]
  const topicId = topicIdOf(reading, params, { channel, of })
  const resumeFrom = params.resume_from ?? null
  if (resumeFrom !== null && (of !== 'account' || !isPlace(resumeFrom)))
    throw malformed('resume_from must be the li of a frame, and is for channels of an account')
  const since = params.since ?? null
  if (since !== null && ((declared[channel] as Declaration).since !== true || !isPlace(since)))
    throw malformed(`since must be a time in milliseconds, and is for ${sinceSources.join(', ')}`)
  if (since !== null && resumeFrom !== null)
    throw malformed('params must not have both since and resume_from')
  const sinceMs = since as number | null
  return { source, topicId, resumeFrom: resumeFrom as number | null, sinceMs }
}

const sinceSources = Object.values<Declaration>(declared).flatMap(({ since, sources }) =>
  since === true ? sources : [],
)

function isPlace(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

type Named = Readonly<Pick<TopicId, 'channel' | 'of'>>

function topicIdOf(reading: Reading, params: Params, { channel, of }: Named): TopicId {
  if (of === 'all') {
    // The channel covers all markets. An unknown market is refused nevertheless, because the client
    // would otherwise not notice its mistake.
    const { symbol = null } = params
    if (symbol !== null) marketIn(reading, symbol)
    return { channel, of, key: channel }
  }
  if (of === 'account') {
    const address = accountIn(reading, params)
    if (isOwnersOnly(channel)) requireAlgoReader(reading, address)
    const sight = sightOf(reading, address)
    return { channel, of, address, sight, key: `${channel} ${address} ${sight}` }
  }
  const market = marketIn(reading, params.symbol)
  if (of === 'book') {
    const gather = params.agg_level ?? params.aggLevel ?? 1
    if (!gathers.includes(gather as Gather))
      throw malformed(`params.agg_level must be one of ${gathers.join(', ')}`)
    return { channel, of, market, gather: gather as number, key: `${channel} ${market} ${gather}` }
  }
  if (of === 'symbol') return { channel, of, market, key: `${channel} ${market}` }
  const interval = params.interval as Interval
  if (!intervals.includes(interval))
    throw malformed(`params.interval must be one of ${intervals.join(', ')}`)
  return { channel, of, market, interval, key: `${channel} ${market} ${interval}` }
}

function marketIn({ exchange }: Reading, symbol: unknown): number {
  if (typeof symbol !== 'string') throw malformed('params.symbol must be a symbol of GET /info')
  return listedId(exchange, symbol)
}

/** The account, which can be sent under three names. */
function accountIn(reading: Reading, params: Params): string {
  const address = params.account ?? params.user ?? params.address
  if (typeof address !== 'string')
    throw malformed('params.account (or user, or address) must be an address')
  addressIn('account', address)
  requireReader(reading, address)
  return address
}
