// Subscribes a connection, starting now or where a lost connection ended.

import type { FastifyBaseLogger } from 'fastify'
import type { Recalled } from '../../feeds/accounts/past-facts.ts'
import { isInHistory } from '../../feeds/channels/channels.ts'
import type { Feeds } from '../../feeds/feeds.ts'
import type { Subscription } from '../../feeds/topic.ts'
import type { TopicId } from '../../feeds/topic-id.ts'
import { declared } from '../../protocol/streams/channels.ts'
import { apiError } from '../api-error.ts'
import type { Door } from '../intake/door.ts'
import type { Caller } from '../operation.ts'
import type { Connection } from './connection.ts'
import type { WsLimits } from './limits.ts'
import { acknowledgement, type RequestId } from './replies.ts'
import { type Params, parseSubscribe, type SubscribeRequest } from './subscribe-request.ts'

export type SubscriptionsParts = Readonly<{
  door: Door
  feeds: Feeds
  limits: WsLimits
  log: FastifyBaseLogger
}>

/** A subscribe message of a client. */
export type SubscribeCall = Readonly<{
  connection: Connection
  id: RequestId | null
  params: Params
  caller: Caller
}>

/** The cost of a subscription that reads history. */
const recalling = {
  operation: { name: 'subscribe', http: 'GET /ws', cost: 'plain' },
  read: () => undefined,
} as const

export class Subscriptions {
  private readonly parts: SubscriptionsParts

  constructor(parts: SubscriptionsParts) {
    this.parts = parts
  }

  /** Handles `resume_from` and `since`. Events that are no longer in memory are read from history
   *  first. */
  async resume(call: SubscribeCall): Promise<void> {
    const recalled = await this.recall(call, this.parse(call))
    if (call.connection.isOpen) this.subscribe(call, recalled)
  }

  private async recall(
    { connection }: SubscribeCall,
    { topicId, resumeFrom, sinceMs }: SubscribeRequest,
  ): Promise<Recalled | null> {
    const { feeds, door, log } = this.parts
    if (topicId.of !== 'account' || !isInHistory(topicId.channel)) return null
    if (resumeFrom !== null && feeds.canResume(topicId.address, resumeFrom)) return null
    if (door.charge(connection.visitor, recalling).refusal !== null) return null
    try {
      return await feeds.recall(topicId, resumeFrom ?? 0, sinceMs)
    } catch (error) {
      // History lags behind or has failed, so that the subscription starts now.
      log.warn({ err: error }, 'history could not be read for a subscription that resumes')
      return null
    }
  }

  subscribe(call: SubscribeCall, recalled: Recalled | null = null): void {
    const { feeds, door } = this.parts
    const { connection, id, params } = call
    const request = this.parse(call)
    const { source, topicId, resumeFrom } = request
    if (connection.isBacklogged())
      throw apiError('RATE_LIMITED', 'read what was sent before asking for more')
    const known = this.knownTo(connection, request)
    if (known === undefined) this.requireRoom(connection, topicId)
    const resumed = known === undefined ? this.isResumed(request, recalled) : null
    const subscription = known ?? feeds.subscribe(topicId, source, connection)
    connection.subscriptions.set(keyOf(request), subscription)
    const li = door.exchange.seq()
    connection.send(acknowledgement('subscribe', params, { li, resumed, id }))
    if (known === undefined)
      connection.pushRequested(() => {
        if (resumed === true) feeds.begin(subscription, resumeFrom, recalled)
        else feeds.begin(subscription, null)
      })
    else if (declared[topicId.channel].sends !== 'events')
      connection.pushRequested(() => feeds.resendSnapshot(known))
  }

  /** Whether all requested events can be sent; `null` if none were requested. */
  private isResumed(request: SubscribeRequest, recalled: Recalled | null): boolean | null {
    const { feeds } = this.parts
    const { topicId, resumeFrom, sinceMs } = request
    if (sinceMs !== null) return feeds.isCurrent(recalled)
    if (resumeFrom === null) return null
    return topicId.of === 'account' && feeds.canResume(topicId.address, resumeFrom, recalled)
  }

  /** Finds an existing subscription. A reader that has authenticated as the owner since then is
   *  subscribed again, with the owner's view. */
  private knownTo(connection: Connection, request: SubscribeRequest): Subscription | undefined {
    const found = connection.subscriptions.get(keyOf(request))
    if (found === undefined || found.topic.id.key === request.topicId.key) return found
    this.parts.feeds.unsubscribe(found)
    connection.subscriptions.delete(keyOf(request))
    return undefined
  }

  private parse({ caller, params }: SubscribeCall): SubscribeRequest {
    return parseSubscribe({ exchange: this.parts.door.exchange, caller }, params)
  }

  private requireRoom(connection: Connection, { channel }: TopicId): void {
    const { subscriptionsPerChannel: most } = this.parts.limits
    let count = 0
    for (const { topic } of connection.subscriptions.values())
      if (topic.id.channel === channel) count += 1
    if (count >= most)
      throw apiError('RATE_LIMITED', `a connection may have ${most} subscriptions of a channel`)
  }

  unsubscribe(call: SubscribeCall): void {
    const { feeds, door } = this.parts
    const { connection, id, params } = call
    const key = keyOf(this.parse(call))
    const subscription = connection.subscriptions.get(key)
    if (subscription !== undefined) feeds.unsubscribe(subscription)
    connection.subscriptions.delete(key)
    const li = door.exchange.seq()
    connection.send(acknowledgement('unsubscribe', params, { li, resumed: null, id }))
  }
}

/** The key of a subscription, regardless of what the reader may see of an account. */
function keyOf({ source, topicId }: SubscribeRequest): string {
  return `${source} ${topicId.of === 'account' ? topicId.address : topicId.key}`
}
