// The exchange in process: all parts of a running sandbox except the disk, the port and the running
// clock. Like main.ts it assembles the zones. The options and the calls determine everything;
// nothing happens between two calls.

import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Client } from '../client/client.ts'
import type { ClientOptions } from '../client/client-options.ts'
import type { Key } from '../client/key.ts'
import type { Command, ExchangeView, MarketView } from '../core/index.ts'
import { apiKeyMaker } from '../gateway/auth/api-keys.ts'
import { keyUseMemory } from '../gateway/auth/key-use.ts'
import type { Exchange } from '../gateway/exchange.ts'
import { forksOfEmbedded } from '../gateway/forks.ts'
import type { AnswerOptions } from '../gateway/http/answer.ts'
import type { Lab } from '../gateway/lab/lab.ts'
import { OpenConnections } from '../gateway/open-connections.ts'
import { createMarketStatistics } from '../projections/market-statistics.ts'
import { moneyText } from '../projections/market-text.ts'
import { noReserves } from '../projections/reserves/published-reserves.ts'
import type { FaultReport } from '../protocol/schemas/lab/faults.ts'
import type { LatencyReport } from '../protocol/schemas/lab/latency.ts'
import type { Placed } from '../sequencer/entry.ts'
import type { Batch, Outcome } from '../sequencer/outcome.ts'
import { stateHash, tradingHash } from '../sequencer/snapshots/state-hash.ts'
import { standardGenesis } from '../sources/sandbox-markets.ts'
import { DirectSequencer } from './direct-sequencer.ts'
import { embeddedLab, faultPlan, latencyPlan, requireNothingDue } from './embedded-lab.ts'
import { EntriesHistory, entriesUpTo } from './history/entries-history.ts'
import { LazyHistory } from './history/lazy-history.ts'
import { replayed } from './history/replay.ts'
import { fetchOf } from './http/fetch.ts'
import { requestIds } from './http/own-requests.ts'
import { socketMakerOf } from './http/own-sockets.ts'
import type { Fetch, Listening } from './http/reached.ts'
import { answerOptionsOf, unchecked } from './http/request-parts.ts'
import { embeddedUrl, routes } from './http/routes.ts'
import { lazyVerifiers } from './http/shared-verifiers.ts'
import { ManualClock } from './manual-clock.ts'
import { ManualSandbox } from './manual-sandbox.ts'
import { openMarkets } from './opening.ts'
import { microPricesOf, usdOf } from './options/amounts.ts'
import { type Duration, elapsedMs, type Instant, instantMs } from './options/duration.ts'
import { addressOfName, keyOfName } from './options/named-keys.ts'
import { type Chosen, chosenOf, type ExchangeOptions, settingsOf } from './options/options.ts'
import { ownCommand } from './own-command.ts'
import { Trader } from './trader.ts'

export function createExchange(options: ExchangeOptions = {}): EmbeddedExchange {
  return new EmbeddedExchange(chosenOf(options))
}

export class EmbeddedExchange {
  /** A replacement for `fetch` that reaches this exchange at `url`. */
  readonly fetch: Fetch
  readonly url = embeddedUrl
  /** Id of this exchange, derived from the seed; the `venue` of signed requests. */
  readonly venue: string
  private readonly chosen: Chosen
  private readonly clock: ManualClock
  private readonly sequencer: DirectSequencer
  private readonly sandbox: ManualSandbox
  private readonly history: LazyHistory
  private readonly verifiers = lazyVerifiers()
  private readonly exchange: Exchange
  private readonly lab: Lab
  private readonly options: AnswerOptions
  private readonly listening = new Set<Listening>()
  private readonly connections = new OpenConnections()
  private server: Promise<FastifyInstance> | null = null
  private closed = false

  /** `origin`: the exchange that this one is a fork of, and its last common entry. */
  constructor(chosen: Chosen, origin: Origin | null = null) {
    this.chosen = chosen
    this.venue = chosen.venue
    const { historyMax, seed, bots } = chosen
    const clock = new ManualClock(chosen.startMs)
    const sequencer = new DirectSequencer({ genesis: standardGenesis, clock, historyMax })
    const statistics = createMarketStatistics()
    sequencer.onBatch((batch) => statistics.feed(batch))
    this.clock = clock
    this.sequencer = sequencer
    this.sandbox = new ManualSandbox({ sequencer, clock, statistics, seed, bots })
    this.history = new LazyHistory(standardGenesis, sequencer.kept)
    const [sandbox, connections] = [this.sandbox.port(), this.connections]
    this.lab = embeddedLab({ sandbox, connections, clock, sequencer })
    this.exchange = {
      submit: (command, by) => sequencer.submit(command, by ?? null),
      get view() {
        return sequencer.view
      },
      seq: () => sequencer.seq,
      reached: (seq) => Promise.resolve(seq <= sequencer.seq),
      history: this.history.history,
      explain: this.history.explain,
      statistics: statistics.statistics,
      closed: () => (this.closed ? 'draining' : null),
      wallNow: chosen.verify ? Date.now : () => clock.now(),
      settings: { ...settingsOf(chosen), fork: origin !== null },
      keyUse: keyUseMemory(),
      apiKeys: apiKeyMaker(createHash('sha256').update(`API keys of ${seed}`).digest()),
      reserves: noReserves,
      receipts: null,
      disputedPrices: () => [],
      sandbox,
      connections,
      manual: null,
      lab: this.lab,
      forks: forksOfEmbedded,
    }
    this.options = answerOptionsOf(this.exchange, chosen.verify ? this.verifiers : null)
    this.fetch = fetchOf({
      routes,
      options: this.options,
      nextId: requestIds(),
      server: () => this.httpServer(),
    })
    if (origin === null) this.open()
    else this.continueAs(origin)
  }

  /** Engine time in milliseconds. */
  get now(): number {
    return this.clock.now()
  }

  /** Advances time. Due work runs at its time, and a price is set every three seconds. */
  advance(duration: Duration): number {
    const until = this.now + elapsedMs(duration)
    requireNothingDue(this.lab, until)
    this.sandbox.advanceTo(until)
    return this.now
  }

  /** Advances time as `advance` does. Requests, replies and frames with a latency arrive at their
   *  times in between, and clients in this process react before time goes on. */
  async elapse(duration: Duration): Promise<number> {
    await this.lab.advance(elapsedMs(duration))
    return this.now
  }

  /** Sets latencies: a plan, or the name of a preset. `{ lines: [] }` removes them. */
  latency(plan: Parameters<typeof latencyPlan>[0]): LatencyReport {
    return this.lab.setLatency(latencyPlan(plan))
  }

  latencyReport = (): LatencyReport => this.lab.latencyReport()

  /** Sets faults: a plan, or the name of a profile. `{ rules: [] }` ends them. */
  faults(plan: Parameters<typeof faultPlan>[0]): FaultReport {
    return this.lab.setFaults(faultPlan(plan))
  }

  /** The faults so far, and where clients believe something that is not true. */
  faultReport = (): FaultReport => this.lab.faultReport()

  /** Advances time to an instant. */
  setTime(instant: Instant): number {
    const target = instantMs(instant)
    if (target < this.now)
      throw new RangeError(
        `time is ${new Date(this.now).toISOString()} and does not go back to ` +
          `${new Date(target).toISOString()}; revert() returns to a snapshot`,
      )
    return target === this.now ? target : this.advance(target - this.now)
  }

  /** Sets the index price. If several prices are given, they are applied one every three seconds,
   *  and the last one stays in effect. */
  setOracle(symbol: string, ...prices: readonly [string, ...string[]]): void {
    const { id, params } = this.market(symbol)
    this.sandbox.setPrices(id, microPricesOf(params, prices))
  }

  /** Continues the simulation from the current price. */
  releaseOracle(symbol: string): void {
    this.sandbox.simulate(this.market(symbol).id)
  }

  setBots(running: boolean): void {
    this.sandbox.setBots(running)
  }

  /** Credits USD to an account, by name or address; returns its balance. */
  fund(account: string, amount: string): string {
    return moneyText(this.sandbox.fund(addressOfName(account), usdOf(amount)))
  }

  /** Key of a name. `trader`, `client` or `fund` open its account. */
  key(name: string): Key {
    return keyOfName(name)
  }

  /** Returns an interface for direct calls of a named account, which is funded if it is new. */
  trader(name: string): Trader {
    return new Trader(name, this.funded(name), this.exchange, this.sequencer)
  }

  /** Returns a typed client of a named account, which is funded if it is new. */
  async client(name: string, options: Partial<ClientOptions> = {}): Promise<Client> {
    const address = this.funded(name)
    const signer = this.chosen.verify ? keyOfName(name) : { address, sign: () => unchecked }
    return new Client({
      url: this.url,
      ...(options.actAs === undefined && { signer, signReads: true }),
      fetch: this.fetch,
      openSocket: socketMakerOf(this.listening),
      ...options,
    })
  }

  /** Applies one command of the engine, even if the rules refuse it. Its events can be read until
   *  the next call (`eventsOf`). */
  apply(command: Command): Outcome {
    return this.sequencer.apply(ownCommand(command))
  }

  /** Adds a listener, called within the call that causes events. It must not change anything. */
  onBatch(listener: (batch: Batch) => void): () => void {
    return this.sequencer.onBatch(listener)
  }

  /** Read-only view of the state. `revert` replaces the object. */
  get state(): ExchangeView {
    return this.sequencer.view
  }

  get seq(): number {
    return this.sequencer.seq
  }

  /** The market with this symbol; commands and prices need its `id` and `params`. */
  market(symbol: string): MarketView {
    const { markets, symbols } = this.sequencer.view
    const market = markets.named(symbol)
    if (market !== undefined) return market
    throw new RangeError(`no market ${symbol}; there are ${[...symbols.keys()].join(', ')}`)
  }

  snapshot(): string {
    return this.sandbox.snapshot().id
  }

  /** Reverts to a snapshot (default: the newest), including ids and time. */
  revert(id = this.sandbox.snapshots().at(-1)?.id ?? ''): void {
    if (this.sandbox.revert(id)) return this.lab.wentBack()
    const ids = this.sandbox.snapshots().map((each) => each.id)
    const known = ids.length === 0 ? 'there is none yet' : `there are ${ids.join(', ')}`
    throw new RangeError(`no snapshot ${id}: ${known}`)
  }

  /** Returns to the state after the start. Sockets stay open; snapshots are dropped. */
  reset(): void {
    this.sandbox.reset()
    this.lab.restart()
  }

  /** Cuts the sockets of an account, by name or address (default: all sockets). Streams can resume
   *  where they were. Returns how many were cut. */
  dropConnections(account?: string): number {
    const address = account === undefined ? null : addressOfName(account)
    return this.connections.drop({ kind: 'ws', account: address })
  }

  /** A second exchange with this one's state after an entry, by its seq or engine time (default:
   *  now). Both continue independently. In the fork, a client with `actAs` acts for any account. */
  fork({ at }: Readonly<{ at?: number | Instant }> = {}): EmbeddedExchange {
    const entries = entriesUpTo(this.asHistory('the exchange'), at)
    return new EmbeddedExchange(this.chosen, { exchange: this, entries })
  }

  /** The history of this exchange, for `diff`. */
  asHistory(name: string): EntriesHistory {
    return new EntriesHistory(name, standardGenesis, this.journal())
  }

  /** Hash of the whole state. Equal calls give equal hashes. */
  hash(): string {
    return stateHash(this.sequencer.state)
  }

  /** Hash of books, positions and money, without seq, time and the replay guard. */
  tradingHash(): string {
    return tradingHash(this.sequencer.state)
  }

  /** All commands so far, with their seq and time. */
  journal(): readonly Placed[] {
    return this.sequencer.kept.all()
  }

  /** Replays the journal into a new exchange and returns its hash, which equals `hash()`. */
  replayedHash(): string {
    return stateHash(replayed(standardGenesis, this.journal()))
  }

  async listen(port = 0, host = '127.0.0.1'): Promise<Listening> {
    if (this.closed) throw new Error('the exchange is closed')
    const { listenOn } = await import('./http/served.ts')
    const listening = await listenOn(this.servedParts(), port, host)
    const close = async () => {
      this.listening.delete(tracked)
      await listening.close()
    }
    const tracked = { ...listening, close }
    this.listening.add(tracked)
    return tracked
  }

  /** Stops accepting calls; closes sockets and threads. */
  async close(): Promise<void> {
    this.closed = true
    this.lab.close()
    await Promise.all([...this.listening].map((each) => each.close()))
    this.sequencer.close()
    await (await this.server)?.close()
    await this.history.close()
    await this.verifiers.close()
  }

  private continueAs({ exchange, entries }: Origin): void {
    this.sequencer.replay(entries)
    this.sandbox.continueAs(exchange.sandbox, entries.length === exchange.seq)
  }

  private open(): void {
    openMarkets(this.sequencer, this.chosen)
    if (this.chosen.prices === 'held')
      for (const { id } of this.sequencer.view.markets.all()) this.sandbox.hold(id)
    this.sandbox.keepStart()
  }

  private funded(name: string): string {
    const { address } = keyOfName(name)
    if (this.sequencer.view.accounts.idOf(address) === 0) this.fund(name, this.chosen.funds)
    return address
  }

  private servedParts() {
    return { options: this.options, sequencer: this.sequencer, history: this.history }
  }

  private httpServer(): Promise<FastifyInstance> {
    this.server ??= import('./http/served.ts').then(({ serverOf }) => serverOf(this.servedParts()))
    return this.server
  }
}

type Origin = Readonly<{ exchange: EmbeddedExchange; entries: readonly Placed[] }>
