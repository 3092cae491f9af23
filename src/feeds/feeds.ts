// What is told. Durable batches come in, in the trading thread; frames go out to whoever reads a
// topic. Market topics are written out by the pulse, account topics right after their batch, before
// anyone is answered. A topic lives while it is read.

import { columnsOf } from '../core/events/event-columns.ts'
import type { EventType } from '../core/events/event-fields.ts'
import { eventTypes } from '../core/events/event-fields.ts'
import { kindOfEvent, rowWidth } from '../core/events/event-log.ts'
import { MatchReader } from '../projections/match-reader.ts'
import type { Batch, Outcome } from '../sequencer/outcome.ts'
import { accountTopics } from './accounts/account-channels.ts'
import { AccountNews } from './accounts/account-news.ts'
import { AccountTopic, OrdersTopic, StateTopic } from './accounts/account-topic.ts'
import { DeleverageRanks } from './accounts/deleverage-ranks.ts'
import { FactWindow } from './accounts/fact-window.ts'
import { FillValues } from './accounts/fill-values.ts'
import { Watch } from './accounts/watch.ts'
import { Watches } from './accounts/watches.ts'
import { makeMarketTopic, type Wanted } from './markets/make-market-topic.ts'
import { MarketNews } from './markets/market-news.ts'
import { MarketTopic } from './markets/market-topic.ts'
import { Pulse } from './pulse.ts'
import type { Sight } from './sight.ts'
import { frameOf, type Outlet, type Subscription, type Topic } from './topic.ts'

const TRADED = kindOfEvent('Traded')
const FILLED = kindOfEvent('Filled')
const filled = columnsOf('Filled')
/** States that move with the marks are looked at once a second, a slice of them at a time. */
const refreshMs = 50
const refreshSlices = 20

export type { Wanted } from './markets/make-market-topic.ts'

export type FeedsOptions = Readonly<{
  sight: Sight
  /** Outlets were given frames: they may be written now. */
  onPushed: () => void
  /** The state was replaced; told before anything of the new one. */
  onReverted: (revert: Readonly<{ id: string; seq: number; atMs: number }>) => void
}>

type Reader = (outcome: Outcome, row: number) => void

export class Feeds {
  private readonly options: FeedsOptions
  private readonly topics = new Map<string, Topic>()
  private readonly markets = new MarketNews()
  private readonly watches = new Watches()
  private readonly window = new FactWindow()
  private readonly values: FillValues
  private readonly accounts: AccountNews
  private readonly ranks = new DeleverageRanks()
  private readonly accountTopic = accountTopics(this.ranks)
  private readonly match = new MatchReader()
  private readonly readers: readonly (readonly Reader[])[]
  private readonly speaking = new Set<MarketTopic>()
  private readonly pulse = new Pulse(() => this.flush())
  private readonly refresher: NodeJS.Timeout
  private unrefreshed: Watch[] = []
  private seq: number

  constructor(options: FeedsOptions) {
    this.options = options
    this.seq = options.sight.seq()
    this.values = new FillValues(options.sight, () => this.valuesLoaded())
    this.accounts = new AccountNews(this.watches, this.values)
    this.readers = eventTypes.map((type) => this.readersOf(type))
    this.refresher = setInterval(() => this.refresh(), refreshMs).unref()
  }

  /** Before anything is fed: what open orders were filled for so far. */
  async load(): Promise<void> {
    await this.values.ask()
  }

  private readersOf(type: EventType): readonly Reader[] {
    const readers = [this.markets.reads[type], this.accounts.reads[type]]
    return readers.filter((reader) => reader !== undefined)
  }

  feed({ outcomes }: Batch): void {
    for (const outcome of outcomes) {
      if (outcome.seq <= this.seq) continue
      this.seq = outcome.seq
      if (outcome.entry.kind === 'revert') this.revert(outcome, outcome.entry.id)
      else this.take(outcome)
    }
    this.accounts.batchEnded()
    for (const topic of this.markets.batchEnded()) this.speaking.add(topic)
    this.options.onPushed()
    if (this.speaking.size > 0) this.pulse.at(0)
  }

  private take(outcome: Outcome): void {
    const { log, first, end } = outcome
    const { rows } = log
    for (let row = first; row < end; row++) {
      const at = row * rowWidth
      const kind = rows[at]!
      for (const reader of this.readers[kind]!) reader(outcome, row)
      if (kind === FILLED) this.filled(outcome, at)
      else if (kind === TRADED) this.match.read(rows, at)
    }
    this.accounts.commandEnded()
    this.values.commandEnded()
  }

  private filled(outcome: Outcome, at: number): void {
    const { rows } = outcome.log
    const order = rows[at + filled.order]!
    if (order !== 0) this.values.add(order, rows[at + filled.value]!, outcome.seq)
    this.markets.filled(outcome, at)
    this.accounts.filled(outcome, at)
    const side = this.match.read(rows, at)
    if (side === null) return
    this.accounts.matched(outcome, at, this.match, side)
    if (side === 'taker') this.markets.matched(outcome, this.match)
  }

  /** Everything anew: every reader is told, and then gets what a new one would. */
  private revert({ seq }: Outcome, id: string): void {
    const { state } = this.options.sight
    this.options.onReverted({ id, seq, atMs: state.atMs })
    this.markets.reverted()
    this.ranks.clear()
    // Averages of orders that were filled before come a moment later; nothing waits for them.
    void this.values.ask()
    this.accounts.reverted()
    for (const topic of this.topics.values()) {
      topic.reverted()
      topic.sendFirstToAll()
    }
  }

  private valuesLoaded(): void {
    for (const topic of this.topics.values())
      if (topic instanceof OrdersTopic) topic.sendFirstToAll()
    this.options.onPushed()
  }

  private flush(): void {
    const now = performance.now()
    let nextAt = Number.POSITIVE_INFINITY
    for (const topic of this.speaking) {
      const later = topic.collect(now)
      topic.deliver()
      if (later) nextAt = Math.min(nextAt, topic.nextAt)
      else this.speaking.delete(topic)
    }
    this.options.onPushed()
    if (nextAt < Number.POSITIVE_INFINITY) this.pulse.at(nextAt)
  }

  /** Equity and liquidation prices move with the marks, without an event of the account. */
  private refresh(): void {
    if (this.unrefreshed.length === 0) this.unrefreshed = [...this.watches.all()]
    const count = Math.ceil(this.watches.size / refreshSlices)
    for (const watch of this.unrefreshed.splice(0, count)) watch.stateChanged()
    this.watches.forget(performance.now())
    this.options.onPushed()
  }

  /** Whether what this account's readers missed since then can be told. */
  canResume(address: string, from: number): boolean {
    return this.watches.ofAddress(address)?.canResume(from) ?? false
  }

  /** The market must exist. The reader gets nothing before `begin`. */
  subscribe(wanted: Wanted, source: string, outlet: Outlet): Subscription {
    const topic = this.topics.get(wanted.key) ?? this.made(wanted)
    return topic.join(source, outlet)
  }

  /** First frames, or what was missed since `resumeFrom`, which `canResume` has agreed to. */
  begin(subscription: Subscription, resumeFrom: number | null): void {
    const { topic, source, outlet } = subscription
    const resumes = resumeFrom !== null && topic instanceof AccountTopic
    if (!resumes || topic instanceof StateTopic) {
      topic.sendFirst(subscription)
      return
    }
    const frames = topic.replay(topic.missedSince(resumeFrom))
    for (const told of frames) outlet.push(frameOf(source, told))
  }

  /** The present state, to one who reads already and asks again. */
  tellAgain(subscription: Subscription): void {
    const { topic } = subscription
    // What waits is of the time before: it must not come after what it led to.
    topic.deliver()
    topic.sendFirst(subscription)
  }

  unsubscribe(subscription: Subscription): void {
    const { topic } = subscription
    topic.leave(subscription)
    if (topic.isRead) return
    this.topics.delete(topic.key)
    if (topic instanceof AccountTopic) this.leftAccount(topic)
    else if (topic instanceof MarketTopic) this.leftMarket(topic)
  }

  private leftAccount(topic: AccountTopic): void {
    const { watch } = topic
    watch.topics.delete(topic)
    if (watch.topics.size === 0) this.watches.isIdle(watch, performance.now())
  }

  private leftMarket(topic: MarketTopic): void {
    this.speaking.delete(topic)
    this.markets.remove(topic, topic.market)
    if (topic === this.markets.liquidations) this.markets.liquidations = null
    if (topic === this.markets.status) this.markets.status = null
  }

  private made(wanted: Wanted): Topic {
    const topic = wanted.of === 'account' ? this.madeAccount(wanted) : this.madeMarket(wanted)
    this.topics.set(wanted.key, topic)
    return topic
  }

  private madeAccount({ channel, address, key }: Extract<Wanted, { of: 'account' }>): Topic {
    const { sight } = this.options
    let watch = this.watches.ofAddress(address)
    if (watch === undefined) {
      watch = new Watch(address, { sight, window: this.window, values: this.values })
      this.watches.add(watch)
    }
    this.watches.isRead(watch)
    const topic = this.accountTopic(channel, watch, key)
    watch.topics.add(topic)
    return topic
  }

  private madeMarket(wanted: Exclude<Wanted, { of: 'account' }>): Topic {
    const topic = makeMarketTopic(this.options.sight, wanted, () => this.options.onPushed())
    this.markets.add(topic, topic.market)
    if (wanted.channel === 'liquidations') this.markets.liquidations = topic as never
    if (wanted.channel === 'marketStatus') this.markets.status = topic as never
    return topic
  }

  close(): void {
    clearInterval(this.refresher)
    this.pulse.stop()
  }
}
