// The sandbox of an embedded exchange: prices, bots, test money, snapshots and time, all within the
// call. It uses the same simulation and the same walk through time as a running sandbox (sources/),
// but has neither a beat nor a wall clock, so that nothing happens by itself.

import type { Command, MarketView } from '../core/index.ts'
import type { ClockReading, Sandbox, SavedSnapshot } from '../gateway/sandbox.ts'
import type { FedStatistics, SavedStatistics } from '../projections/market-statistics.ts'
import type { Outcome } from '../sequencer/outcome.ts'
import { stateHash, tradingHash } from '../sequencer/snapshots/state-hash.ts'
import { accountOf, allBots, missingDeposits } from '../sources/bots/bot-accounts.ts'
import { Bots } from '../sources/bots/bots.ts'
import { firstOf, Refused } from '../sources/exchange-port.ts'
import { isPrice } from '../sources/prices/combined.ts'
import { Oracle, type OracleTick } from '../sources/prices/oracle.ts'
import type { ScenarioName } from '../sources/prices/scenarios.ts'
import { characterOf } from '../sources/sandbox-markets.ts'
import { memoryOf, memoryText } from '../sources/sandbox-memory.ts'
import { botsNote } from '../sources/sandbox-notes.ts'
import { snapshotsKept, startId } from '../sources/sandbox-snapshots.ts'
import { nextStepAt, stepsBetween } from '../sources/walk.ts'
import type { MicroTicks, Quote } from '../units/units.ts'
import type { DirectSequencer } from './direct-sequencer.ts'
import type { ManualClock } from './manual-clock.ts'

const pathMax = 10_000

export type ManualParts = Readonly<{
  sequencer: DirectSequencer
  clock: ManualClock
  statistics: FedStatistics
  seed: string
  bots: boolean
}>

type Kept = SavedSnapshot & Readonly<{ statistics: SavedStatistics }>

export class ManualSandbox {
  private readonly parts: ManualParts
  private readonly oracle: Oracle
  private readonly bots: Bots
  private running: boolean
  private nextDeposit = 0
  private saved: Kept[] = []
  private start: SavedStatistics | null = null

  constructor(parts: ManualParts) {
    this.parts = parts
    const volatilityOf = (symbol: string) => characterOf(symbol).volatilityPpm
    this.oracle = new Oracle({ seed: parts.seed, volatilityOf })
    this.bots = new Bots(parts.seed)
    this.running = parts.bots
  }

  /** Advances time to `target`. Due work runs at its time. */
  advanceTo(target: number): void {
    const { sequencer, clock } = this.parts
    const { oracle, bots } = this
    const parts = { exchange: sequencer, oracle, bots, botsRunning: () => this.running }
    for (const { at, commands } of stepsBetween(parts, clock.now(), target)) {
      clock.moveTo(at)
      // As in a running sandbox, the walk itself completes the work that its commands leave.
      for (const command of commands) sequencer.applyAlone(command)
    }
    sequencer.completeWork()
  }

  fund(address: string, amount: number): number {
    const { money } = this.parts.sequencer.view
    while (money.depositUnder(`faucet ${this.nextDeposit}`) !== null) this.nextDeposit += 1
    const reference = `faucet ${this.nextDeposit++}`
    const outcome = this.checked({ type: 'Deposit', address, amount: amount as Quote, reference })
    return firstOf(outcome, 'Deposited')!.balance
  }

  /** Sets prices in millionths of a tick; the last one holds. */
  setPrices(market: number, prices: readonly number[], plain = false): void {
    const target = this.marketOf(market)
    const wrong = prices.find((price) => !isPrice(price))
    if (wrong !== undefined || prices.length === 0 || prices.length > pathMax)
      throw new Refused('INVALID_PRICE', [wrong ?? 0])
    this.follow(target, this.oracle.set(target, [...prices] as MicroTicks[], this.now(), plain))
  }

  /** Holds a market's current price. */
  hold(market: number): void {
    this.oracle.hold(this.marketOf(market), this.now())
  }

  simulate(market: number): void {
    const target = this.marketOf(market)
    this.oracle.resume(target, this.now())
    this.follow(target, null)
  }

  play(name: ScenarioName, market: number): void {
    const target = this.marketOf(market)
    this.follow(target, this.oracle.play(name, target, this.now()))
  }

  stall(market: number, ms: number): void {
    const target = this.marketOf(market)
    this.oracle.stall(target, this.now(), ms)
    this.follow(target, null)
  }

  /** Stores what the market follows, as a running sandbox does, so that both have the same
   *  history. */
  private follow(market: MarketView, tick: OracleTick | null): void {
    this.checked(this.oracle.note(market, this.now()))
    if (tick !== null) this.checked(tick)
  }

  setBots(running: boolean): void {
    this.running = running
    if (!running) this.cancelOrders()
    else for (const deposit of missingDeposits(this.parts.sequencer.view)) this.checked(deposit)
    this.checked(botsNote({ running, configured: this.parts.bots }))
  }

  /** Saves a snapshot. Ids are s1, s2, and so on. A revert also restores the number of the next id,
   *  so that a test repeats exactly. */
  snapshot(): SavedSnapshot {
    const { sequencer, statistics } = this.parts
    const id = `s${Number.parseInt(this.saved.at(-1)?.id.slice(1) ?? '0', 10) + 1}`
    const kept = statistics.save()
    const { seq, atMs } = sequencer.takeSnapshot(id, this.memory())
    const snapshot = { id, seq, atMs, createdAt: Date.now() }
    this.saved.push({ ...snapshot, statistics: kept })
    if (this.saved.length > snapshotsKept) this.saved.shift()
    return snapshot
  }

  /** Keeps the state of a new exchange for `reset`. */
  keepStart(): void {
    const { sequencer, statistics } = this.parts
    this.start = statistics.save()
    sequencer.takeSnapshot(startId, this.memory())
  }

  /** Returns to the state that `keepStart` has kept. Snapshots since then are dropped. */
  reset(): boolean {
    if (this.start === null) return false
    this.saved = []
    this.goBack(startId, this.start)
    return true
  }

  snapshots(): readonly SavedSnapshot[] {
    return this.saved.map(({ statistics: _, ...snapshot }) => snapshot)
  }

  /** Reverts to a snapshot; returns `false` if it does not exist. */
  revert(id: string): boolean {
    const at = this.saved.findIndex((snapshot) => snapshot.id === id)
    if (at < 0) return false
    this.saved = this.saved.slice(0, at + 1)
    this.goBack(id, this.saved[at]!.statistics)
    return true
  }

  /** Continues where another sandbox is, or was, after the entries of its exchange that are played
   *  here. */
  continueAs(other: ManualSandbox, isNow: boolean): void {
    const { sequencer, clock, statistics } = this.parts
    const ids = sequencer.saved.ids()
    this.start = other.start
    this.saved = other.saved.filter(({ id, seq }) => seq <= sequencer.seq && ids.includes(id))
    clock.setBack(isNow ? other.now() : sequencer.view.atMs)
    if (!isNow) {
      this.oracle.resumeAfterRestart(sequencer.view)
      return
    }
    statistics.restore(other.parts.statistics.save())
    this.remember(other.memory())
  }

  private remember(text: string): void {
    const memory = memoryOf(text)
    this.running = memory.botsRunning
    this.bots.restore(memory.bots)
    this.oracle.restore(this.parts.sequencer.view, memory.oracle)
    this.nextDeposit = memory.nextDeposit
  }

  private goBack(id: string, saved: SavedStatistics): void {
    const { sequencer, clock, statistics } = this.parts
    const text = sequencer.revert(id)!
    statistics.restore(saved)
    clock.setBack(sequencer.view.atMs)
    this.remember(text)
  }

  /** Implements the interface of the sandbox's routes. */
  port(): Sandbox {
    return {
      fund: async (address, amount) => ({ balance: this.fund(address, amount) }),
      clock: () => this.reading(),
      advance: async (ms) => {
        this.advanceTo(this.now() + ms)
        return this.reading()
      },
      freeze: async () => this.reading(),
      resume: async () => this.reading(),
      setOracle: async (market, path, plain) => this.setPrices(market, path, plain),
      resumeOracle: async (market) => this.simulate(market),
      snapshot: async () => this.snapshot(),
      snapshots: () => this.snapshots(),
      revert: async (id) => this.revert(id),
      setBots: async (running) => this.setBots(running),
      botsRunning: () => this.running,
      playScenario: async (name, market) => this.play(name, market),
      stallFeed: async (market, ms) => this.stall(market, ms),
      keepStart: async () => this.keepStart(),
      reset: async () => this.reset(),
      progress: () => {
        const nextEventAt = nextStepAt(this.parts.sequencer.view, this.now())
        return { isIdle: true, nextEventAt }
      },
      hashes: async () => {
        const { seq, state } = this.parts.sequencer
        return { seq, state: stateHash(state), trading: tradingHash(state) }
      },
    }
  }

  private now(): number {
    return this.parts.clock.now()
  }

  private reading(): ClockReading {
    const engineNow = this.now()
    const wallNow = Date.now()
    return { engineNow, wallNow, frozen: true, offsetMs: engineNow - wallNow, manual: true }
  }

  private checked(command: Command): Outcome {
    const outcome = this.parts.sequencer.apply(command)
    const refusal = firstOf(outcome, 'CommandRejected')
    if (refusal === undefined) return outcome
    throw new Refused(refusal.rejection, [refusal.first, refusal.second, refusal.third])
  }

  private marketOf(market: number): MarketView {
    const found = this.parts.sequencer.view.markets.get(market)
    if (found === undefined) throw new Refused('BOOK_NOT_FOUND', [market])
    if (found.settled) throw new Refused('UNSUPPORTED_OPERATION', [])
    return found
  }

  private cancelOrders(): void {
    const { view } = this.parts.sequencer
    for (const bot of allBots) {
      const account = accountOf(view, bot)
      if (account === 0) continue
      const all = { market: null, excludeReduceOnly: false }
      this.checked({ type: 'CancelAllOrders', account, proof: null, ...all })
    }
  }

  private memory(): string {
    return memoryText({
      version: 1,
      botsRunning: this.running,
      bots: this.bots.save(),
      oracle: this.oracle.save(),
      nextDeposit: this.nextDeposit,
    })
  }
}
