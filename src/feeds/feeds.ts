// Turns durable batches into frames for the subscribers of each topic, in the trading thread.
// Market topics are flushed by a timer, account topics after the replies of their batch were sent.
// A topic exists while it has subscribers.

import { columnsOf, eventTypes, kindAt, kindOfEvent, nextAfter } from '../core/index.ts'
import { type Batch, kindOf, type Outcome } from '../sequencer/outcome.ts'
import { AccountEvents } from './accounts/account-events.ts'
import { DeleverageRanks } from './accounts/deleverage-ranks.ts'
import { FactWindow } from './accounts/fact-window.ts'
import { FillValues } from './accounts/fill-values.ts'
import { missedFacts, type Recalled } from './accounts/past-facts.ts'
import { StateRefresher } from './accounts/state-refresher.ts'
import { type AccountPublisher, Watch } from './accounts/watch.ts'
import { Watches } from './accounts/watches.ts'
import type { AccountChannel, MarketChannel } from './channels/channel.ts'
import { channels } from './channels/channels.ts'
import type { EventReader } from './event-reader.ts'
import type { FeedContext } from './feed-context.ts'
import { FlushTimer } from './flush-timer.ts'
import { MarketEvents } from './markets/market-events.ts'
import type { MarketTopic } from './markets/market-publisher.ts'
import { type Outlet, type Subscription, Topic } from './topic.ts'
import type { TopicId, TopicIdOf } from './topic-id.ts'

const TRADED = kindOfEvent('Traded')
const traded = columnsOf('Traded')

export type FeedsOptions = Readonly<{
  context: FeedContext
  /** Called when frames were passed to outlets and may be written now. */
  onPushed: () => void
  /** Called when the state was replaced, before any data of the new state is sent. */
  onReverted: (revert: Readonly<{ id: string; seq: number; atMs: number }>) => void
  /** Whether readers may come from other processes, and resume subscriptions that started there. */
  keepsAll?: boolean
}>

type OpenTopic = Readonly<
  { topic: MarketTopic; watch: null } | { topic: Topic<AccountPublisher>; watch: Watch }
>

export class Feeds {
  private readonly options: FeedsOptions
  private readonly topics = new Map<string, OpenTopic>()
  private readonly markets = new MarketEvents()
  private readonly watches = new Watches()
  private readonly window = new FactWindow()
  private readonly values: FillValues
  private readonly accounts: AccountEvents
  private readonly ranks = new DeleverageRanks()
  private readonly accountHandlers: readonly (readonly EventReader[])[]
  /** Readers by event kind. */
  private handlers: readonly (readonly EventReader[])[] = []
  /** Topics with pending data. */
  private readonly ready = new Set<MarketTopic>()
  /** Account topics whose payloads are held until the replies are sent. */
  private readonly holding = new Set<Topic>()
  private releasing: NodeJS.Immediate | null = null
  private readonly flushTimer = new FlushTimer(() => this.flush())
  private readonly refresher: StateRefresher
  private seq: number
  /** `null` if only accounts with local readers are watched. */
  private readonly unwatched: Set<number> | null
  /** Accounts that are not watched had no events after this sequence number. */
  private quietAfter: number

  constructor(options: FeedsOptions) {
    this.options = options
    this.seq = options.context.seq()
    this.quietAfter = this.seq
    this.unwatched = options.keepsAll === true ? new Set() : null
    this.values = new FillValues(options.context, () => this.fillValuesLoaded())
    this.accounts = new AccountEvents(this.watches, this.values, this.unwatched)
    this.accountHandlers = eventTypes.map((type) => this.accounts.readersOf(type))
    this.bindReaders()
    this.refresher = new StateRefresher(this.watches, () => this.refresh())
  }

  /** Loads values of earlier fills of open orders. Must be called before anything is fed. */
  async load(): Promise<void> {
    await this.values.load()
  }

  /** Must be called when topics with event readers are added or removed. */
  private bindReaders(): void {
    this.handlers = eventTypes.map((type, kind) => [
      ...this.markets.readersOf(type),
      ...this.accountHandlers[kind]!,
    ])
  }

  feed({ outcomes }: Batch): void {
    for (const outcome of outcomes) {
      if (outcome.seq <= this.seq) continue
      this.seq = outcome.seq
      const reverted = kindOf(outcome) === 'revert' ? outcome.entry : null
      if (reverted?.kind === 'revert') this.revert(outcome, reverted.id)
      else this.take(outcome)
    }
    this.accounts.batchEnded()
    if (this.unwatched !== null) this.watchActive(this.unwatched)
    for (const topic of this.markets.batchEnded()) this.ready.add(topic)
    this.options.onPushed()
    if (this.ready.size > 0) this.flushTimer.schedule(0)
  }

  /** Holds payloads until the replies of the batch are sent: in this turn of the event loop, or in
   *  the next one if another process answers. */
  private hold(topic: Topic): void {
    this.holding.add(topic)
    this.releasing ??= setImmediate(() => {
      this.releasing = setImmediate(() => this.release())
    })
  }

  /** Sends the held payloads of account topics. */
  release(): void {
    if (this.releasing !== null) clearImmediate(this.releasing)
    this.releasing = null
    if (this.holding.size === 0) return
    for (const topic of this.holding) topic.release()
    this.holding.clear()
    this.options.onPushed()
  }

  /** Starts watching accounts with the next batch: the current state is older. */
  private watchActive(accounts: Set<number>): void {
    const { view } = this.options.context
    for (const account of accounts) {
      if (account === 0 || view.accounts.isReserved(account)) continue
      if (this.watches.hasRoom) this.watchIdle(view.accounts.addressOf(account), this.seq)
      else this.quietAfter = this.seq
    }
    accounts.clear()
  }

  private take(outcome: Outcome): void {
    const { log, first, end } = outcome
    const { rows } = log
    for (let at = first; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      // Must run before the order readers, whose average prices include this fill.
      if (kind === TRADED) this.countValues(outcome, at)
      for (const reader of this.handlers[kind]!) reader(outcome, at)
    }
    this.accounts.commandEnded()
    this.values.commandEnded()
  }

  private countValues({ log, seq }: Outcome, at: number): void {
    const { rows } = log
    const value = rows[at + traded.value]!
    this.values.add(rows[at + traded.takerOrder]!, value, seq)
    this.values.add(rows[at + traded.makerOrder]!, value, seq)
  }

  /** Notifies every subscriber of the revert and sends it a fresh snapshot. */
  private revert({ seq }: Outcome, id: string): void {
    const { view } = this.options.context
    this.release()
    this.options.onReverted({ id, seq, atMs: view.atMs })
    this.markets.reverted()
    this.ranks.clear()
    this.quietAfter = seq
    // Average prices of earlier fills are loaded asynchronously.
    void this.values.load()
    this.accounts.reverted()
    for (const { topic, watch } of this.topics.values()) {
      if (watch === null) topic.publisher.throttle?.reset()
      topic.publisher.reverted?.()
      topic.sendSnapshotToAll()
    }
  }

  private fillValuesLoaded(): void {
    for (const { topic, watch } of this.topics.values())
      if (watch !== null) topic.publisher.fillValuesLoaded?.()
    this.options.onPushed()
  }

  /** Sends all pending data now, regardless of how recently a topic was sent. */
  sendAll(): void {
    this.refresher.refreshAll()
    this.release()
    this.flush(true)
  }

  private flush(isForced = false): void {
    const now = performance.now()
    let nextAt = Number.POSITIVE_INFINITY
    for (const topic of this.ready) {
      const { throttle } = topic.publisher
      const update = throttle?.take(now, isForced) ?? null
      if (update !== null) topic.queue(update)
      topic.flush()
      // The topic was sent recently, so that it has to wait.
      if (throttle?.hasChanged) nextAt = Math.min(nextAt, throttle.nextAt)
      else this.ready.delete(topic)
    }
    this.options.onPushed()
    if (nextAt < Number.POSITIVE_INFINITY) this.flushTimer.schedule(nextAt)
  }

  /** Refreshes equity and liquidation prices, which change with the marks. */
  private refresh(): void {
    const isAlone = this.releasing === null
    this.refresher.refreshSlice()
    // Released immediately, unless replies of a batch are still to be sent first.
    if (isAlone) this.release()
  }

  /** Whether memory and the recalled facts contain all that the readers missed. */
  canResume(address: string, from: number, recalled: Recalled | null = null): boolean {
    const watch = this.watches.ofAddress(address)
    if (this.isCurrent(recalled)) return true
    if (watch !== undefined) return watch.canResume(from)
    return this.unwatched !== null && from >= this.quietSince() && from <= this.seq
  }

  /** Whether memory has all facts after the recalled ones. */
  isCurrent(recalled: Recalled | null): boolean {
    if (recalled === null) return false
    const { watch, until } = recalled
    return watch === this.watches.ofAddress(watch.address) && until === watch.completeAfter
  }

  /** Reads missed facts from history; `null` if unavailable. Newer facts are kept in memory. */
  async recall(
    { channel, address }: TopicIdOf<'account'>,
    from: number,
    sinceMs: number | null = null,
  ): Promise<Recalled | null> {
    const { context } = this.options
    const { past } = channels[channel] as AccountChannel
    if (past === undefined || from > this.seq) return null
    const watch = this.watches.ofAddress(address) ?? this.watchIdle(address)
    const until = watch.completeAfter
    if (watch.isReserved || from >= until) return null
    const facts = await past(context, { address, from, until, sinceMs })
    return facts === null ? null : { watch, until, sinceMs, facts }
  }

  /** Sequence number after which an unwatched account is known to have no events. */
  private quietSince(): number {
    const { quietAfter, unwatched, watches, options } = this
    return unwatched === null ? options.context.seq() : Math.max(quietAfter, watches.lostAt)
  }

  /** The market must exist. The reader receives nothing before `begin`. */
  subscribe(id: TopicId, spelling: string, outlet: Outlet): Subscription {
    const { topic } = this.topics.get(id.key) ?? this.open(id)
    return topic.join(spelling, outlet)
  }

  /** Sends the snapshot, or the missed facts if `canResume` or `isCurrent` has confirmed them. */
  begin(
    subscription: Subscription,
    resumeFrom: number | null,
    recalled: Recalled | null = null,
  ): void {
    const { topic, watch } = this.topics.get(subscription.topic.id.key)!
    const facts = watch === null ? null : missedFacts(watch, resumeFrom, recalled)
    const missed =
      facts === null ? undefined : (topic.publisher as AccountPublisher).replay?.(facts)
    if (missed === undefined) topic.sendSnapshot(subscription)
    else topic.sendMissed(subscription, missed, resumeFrom)
  }

  /** Sends the current state to a reader that subscribes again. */
  resendSnapshot(subscription: Subscription): void {
    const { topic } = subscription
    // Queued payloads are older than the snapshot, so they are sent first.
    topic.flush()
    topic.sendSnapshot(subscription)
  }

  unsubscribe(subscription: Subscription): void {
    const { key } = subscription.topic.id
    subscription.topic.leave(subscription)
    const open = this.topics.get(key)
    if (open === undefined || open.topic.isRead) return
    this.topics.delete(key)
    if (open.watch === null) this.closeMarket(open.topic)
    else this.closeAccount(open.topic.publisher, open.watch)
  }

  private closeAccount(publisher: AccountPublisher, watch: Watch): void {
    watch.publishers.delete(publisher)
    if (watch.publishers.size === 0) this.watches.markIdle(watch, performance.now())
  }

  private closeMarket(topic: MarketTopic): void {
    this.ready.delete(topic)
    this.markets.remove(topic)
    if (topic.publisher.events !== undefined) this.bindReaders()
  }

  private open(id: TopicId): OpenTopic {
    const open = id.of === 'account' ? this.openAccount(id) : this.openMarket(id)
    this.topics.set(id.key, open)
    return open
  }

  private openAccount(id: TopicIdOf<'account'>): OpenTopic {
    const { context } = this.options
    const watch = this.watches.ofAddress(id.address) ?? this.watch(id.address, this.quietSince())
    this.watches.markRead(watch)
    const channel = channels[id.channel] as AccountChannel
    const topic = new Topic(
      id,
      context.seq,
      (made) => channel.open(made, watch),
      (made) => this.hold(made),
    )
    watch.publishers.add(topic.publisher)
    return { topic, watch }
  }

  private watch(address: string, quietAfter: number): Watch {
    const { window, values, ranks } = this
    const { context } = this.options
    const watch = new Watch(address, { context, window, values, ranks }, quietAfter)
    this.watches.add(watch)
    return watch
  }

  private watchIdle(address: string, quietAfter = this.quietSince()): Watch {
    const watch = this.watch(address, quietAfter)
    this.watches.markIdle(watch, performance.now())
    return watch
  }

  private openMarket(id: Exclude<TopicId, { of: 'account' }>): OpenTopic {
    const { context, onPushed } = this.options
    // The id has exactly the parameters that its channel declares.
    const channel = channels[id.channel] as MarketChannel
    const topic = new Topic(id, context.seq, (made) =>
      channel.open({ topic: made, context, onPushed }, id as never),
    )
    this.markets.add(topic)
    if (topic.publisher.events !== undefined) this.bindReaders()
    return { topic, watch: null }
  }

  close(): void {
    this.refresher.close()
    if (this.releasing !== null) clearImmediate(this.releasing)
    this.flushTimer.stop()
  }
}
