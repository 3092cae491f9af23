// A drawn world in batches through the real feeds and the real store, next to a core that is
// stepped command by command. The exchange applies all commands of a batch before it publishes;
// what it publishes of each command must be as the stepped core had it after that command.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { apply, createState, EventLog } from '../../../src/core/engine.ts'
import type { Event } from '../../../src/core/events/event-fields.ts'
import type { State } from '../../../src/core/state/state.ts'
import { viewOf } from '../../../src/core/view/exchange-view.ts'
import type { FeedContext } from '../../../src/feeds/feed-context.ts'
import { Feeds } from '../../../src/feeds/feeds.ts'
import type { OrderEventRow } from '../../../src/projections/history/history.ts'
import { createMarketStatistics } from '../../../src/projections/market-statistics.ts'
import type { Outcome } from '../../../src/sequencer/outcome.ts'
import type { TimeMs } from '../../../src/units/units.ts'
import { Generator, type Step } from '../../programs/differential/generator.ts'
import { Random } from '../../programs/differential/random.ts'
import { FedStore } from '../history/fed-store.ts'
import { NaiveHistory } from '../history/naive-history.ts'
import { reservedOf } from '../history/played.ts'
import { knowRules, trialRules, trialVersion } from '../trial-rules.ts'
import { checkEvents } from './check-events.ts'
import { checkFacts, checkStates, type Stepped } from './check-frames.ts'
import { HistoryChecks } from './check-history.ts'
import { PastChecks, pastOf } from './check-past.ts'
import { type Moment, momentOf } from './moment.ts'
import { Readers } from './readers.ts'

knowRules(trialRules)

export const batchMax = 256

/** What hardly ever comes is as much of a number as what comes all the time. */
const oftener = {
  TellPast: 0.5,
  KeepNote: 0.3,
  Breach: 0.2,
  MoveReserve: 0.8,
  CreateApiKey: 0.8,
  RevokeApiKey: 0.6,
  SetApiKeyCredits: 0.8,
  AllowAgentIp: 0.7,
  DisallowAgentIp: 0.6,
  RevokeAgent: 0.4,
  EngineStarted: 0.15,
  CompleteWithdrawal: 0.6,
  FailWithdrawal: 0.6,
}

/** The clock of the machine, which says when channels may send again: a second later each batch. */
let now = 0

export class AsOfWorld {
  readonly generator: Generator
  readonly moments: Moment[] = []
  private readonly random: Random
  private readonly live: State
  private readonly stepped: State
  private readonly log = new EventLog()
  private readonly feeds: Feeds
  private readonly readers: Readers
  private readonly past: PastChecks
  private readonly statistics = createMarketStatistics()
  private readonly fed: FedStore
  private readonly naive: NaiveHistory
  private readonly history: HistoryChecks
  /** By address. */
  private readonly since = new Map<string, number>()
  private markets = 0

  constructor(seed: number, commands: number) {
    this.generator = new Generator(seed, commands, { commands: oftener })
    this.random = new Random(seed + 7)
    const { genesis } = this.generator.world
    this.live = createState(genesis)
    this.stepped = createState(genesis)
    this.fed = new FedStore(reservedOf(genesis))
    this.naive = new NaiveHistory(reservedOf(genesis))
    this.history = new HistoryChecks(this.fed, this.naive)
    Object.defineProperty(performance, 'now', { value: () => now, configurable: true })
    const context: FeedContext = {
      view: viewOf(this.live),
      seq: () => this.live.seq,
      onCheckpoint: () => () => undefined,
      statistics: this.statistics.statistics,
      history: {
        past: pastOf(this.fed),
        candle: async (seq) => ({ seq, value: null }),
        filledValues: async (seq, orders) => ({
          seq,
          value: this.fed.ask('filledValues', orders),
        }),
      },
      namesAccounts: true,
    }
    this.past = new PastChecks(context)
    this.feeds = new Feeds({
      context,
      onPushed: () => undefined,
      onReverted: () => undefined,
    })
    this.readers = new Readers(this.feeds)
    checkStates(this.readers.take(), viewOf(this.stepped), 0)
  }

  /** Plays this many commands, in batches of one to `batchMax`, and returns everything that
   *  happened. Halfway the exchange switches to another version of the rules. */
  async run(commands: number, count: (events: readonly Event[]) => void): Promise<void> {
    await this.feeds.load()
    const half = commands >> 1
    for (let left = commands; left > 0; ) {
      const size = Math.min(left, this.drawnSize())
      const crosses = left > half && left - size <= half
      const drawn = Array.from({ length: size }, () => null)
      await this.batch(crosses ? [this.crossing(), ...drawn.slice(1)] : drawn)
      for (const { events } of this.moments.slice(-size)) count(events)
      left -= size
    }
    this.feeds.close()
  }

  /** Returns the number of frames that were sent again to clients that resumed. */
  checkPast(): Promise<number> {
    return this.past.check(this.random)
  }

  private crossing(): Step {
    const atMs = this.moments.at(-1)?.atMs ?? this.generator.world.startMs
    return { atMs, command: { type: 'SetRulesVersion', version: trialVersion } }
  }

  private drawnSize(): number {
    return this.random.pick([1, this.random.between(2, 16), this.random.between(17, batchMax)])
  }

  /** One batch: given steps, or as many drawn ones. */
  async batch(given: readonly (Step | null)[]): Promise<void> {
    const first = this.stepped.seq + 1
    const steps: Step[] = []
    const orderSteps = new Map<number, readonly OrderEventRow[]>()
    for (const each of given) {
      const step = each ?? this.generator.next()
      steps.push(step)
      const events = this.stepOne(step)
      const before = this.naive.orderEvents.length
      const entry = { kind: 'command', command: step.command, by: null } as const
      this.naive.take({ seq: this.stepped.seq, atMs: step.atMs, entry, events })
      orderSteps.set(this.stepped.seq, this.naive.orderEvents.slice(before))
    }
    const frames = await this.publish(steps)
    const moments = this.moments.slice(first - 1)
    const view = viewOf(this.stepped)
    const orderOf = (id: number) => this.naive.orders.get(id)!
    const stepped: Stepped = { moments, steps: orderSteps, orderOf, view }
    checkStates(frames, view, this.stepped.seq)
    checkFacts(frames, stepped, this.since)
    this.history.check(stepped)
    this.readMore(view.accounts.count)
  }

  /** The oracle: one command, and what the core has after it. */
  private stepOne({ atMs, command }: Step): readonly Event[] {
    this.log.clear()
    const { stepped } = this
    apply(stepped, { seq: stepped.seq + 1, atMs: atMs as TimeMs, command }, this.log)
    const events = this.log.readAll()
    this.generator.learn(events)
    checkEvents(stepped, stepped.seq, events)
    this.moments.push(momentOf(stepped, stepped.seq, events))
    return events
  }

  /** The exchange: all commands of the batch, and then the readers. */
  private async publish(steps: readonly Step[]) {
    const log = new EventLog()
    const { live } = this
    const outcomes = steps.map(({ atMs, command }): Outcome => {
      const first = log.end
      apply(live, { seq: live.seq + 1, atMs: atMs as TimeMs, command }, log)
      const entry = { kind: 'command', command, by: null } as const
      const { end, ownFirst, ownEnd } = log
      return { seq: live.seq, atMs, entry, log, first, end, ownFirst, ownEnd }
    })
    const batch = { timeline: 0, outcomes }
    now += 1_000
    this.statistics.feed(batch)
    this.fed.feed([batch])
    this.feeds.feed(batch)
    // Market channels are flushed in a turn of their own.
    await nextTurn()
    await nextTurn()
    return this.readers.take()
  }

  /** Accounts and markets that came to be are read from here on. */
  private readMore(accounts: number): void {
    const { records } = this.live.accounts
    for (let account = 1; account <= accounts; account++) {
      const { address } = records[account]!
      if (this.since.has(address)) continue
      this.since.set(address, this.live.seq)
      this.readers.account(address)
      this.past.read(this.feeds, address)
    }
    for (; this.markets + 1 < this.live.markets.length; this.markets++)
      this.readers.market(this.markets + 1)
    // What a subscription begins with is of now too.
    checkStates(this.readers.take(), viewOf(this.stepped), this.stepped.seq)
  }
}
