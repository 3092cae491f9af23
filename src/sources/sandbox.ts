// The sandbox: simulated prices, bots, a settable clock, test money, snapshots. Its commands go
// through the queue like those of clients. Values that it needs after a restart are stored as notes
// in the state, and random streams are saved with every snapshot. It implements the gateway's
// `Sandbox` port.

import type { Command } from '../core/index.ts'
import type { SourceMemory } from '../sequencer/ports.ts'
import type { StateHashes } from '../sequencer/snapshots/state-hash.ts'
import { divFloor } from '../units/rounding.ts'
import type { Quote } from '../units/units.ts'
import { cancelBotOrders, missingDeposits, openingDeposits } from './bots/bot-accounts.ts'
import { Bots } from './bots/bots.ts'
import type { SandboxClock } from './clock.ts'
import { firstOf, type SourceExchange, submitChecked } from './exchange-port.ts'
import { makeLive } from './make-live.ts'
import { Mutex } from './mutex.ts'
import { writePast } from './past.ts'
import { ObservedTicks } from './prices/observed-ticks.ts'
import { Oracle } from './prices/oracle.ts'
import { stepMs } from './prices/price-simulation.ts'
import { SandboxPrices } from './prices/sandbox-prices.ts'
import type { ScenarioName } from './prices/scenarios.ts'
import { characterOf, openingCommands } from './sandbox-markets.ts'
import { memoryOf, memoryText } from './sandbox-memory.ts'
import { botsIn, botsNote, pastNote } from './sandbox-notes.ts'
import { SandboxSnapshots, type SavedSnapshot } from './sandbox-snapshots.ts'
import { realTimers, type Timers } from './timers.ts'
import { nextStepAt, walkTo } from './walk.ts'

export const advanceMsMax = 31 * 86_400_000
const minuteMs = 60_000
export type ClockReading = Readonly<{
  engineNow: number
  wallNow: number
  frozen: boolean
  offsetMs: number
  manual: boolean
}>

export type Progress = Readonly<{ isIdle: boolean; nextEventAt: number }>

export type SandboxParts = Readonly<{
  exchange: SourceExchange
  clock: SandboxClock
  seed: string
  /** Called when a beat could not be submitted. The sandbox stops after that. */
  fault: (error: unknown) => void
  /** Called when the clock was moved or released, so that timers are checked again. */
  clockMoved?: () => void
  /** Available snapshots, oldest first. */
  snapshots?: readonly SavedSnapshot[]
  timers?: Timers
  /** Whether bots run. Applies to a new sandbox, and to a start with a changed setting. */
  bots?: boolean
  /** Minutes of simulated history in the charts of a new sandbox. */
  pastMinutes?: number
  /** With a manual clock: whether orders that may take wait at the speed bump of a new sandbox. */
  speedBump?: boolean
  /** Observation interval of simulated sources; `null` if each price holds until the next one. */
  cadenceMs?: number | null
}>

export class SandboxSources {
  readonly sourceMemory: SourceMemory = {
    save: () => this.save(),
    restore: (text) => this.restore(text),
  }
  private readonly parts: SandboxParts
  private readonly exchange: SourceExchange
  private readonly timeSource: SandboxClock
  private readonly timers: Timers
  private readonly oracle: Oracle
  private readonly ticks: ObservedTicks
  private readonly prices: SandboxPrices
  private readonly bots: Bots
  private readonly mutex = new Mutex()
  private readonly saved: SandboxSnapshots
  private running = true
  private nextDeposit = 0
  private filling: Promise<unknown> = Promise.resolve()
  private clearBeat: (() => void) | null = null
  private closed = false

  constructor(parts: SandboxParts) {
    this.parts = parts
    this.exchange = parts.exchange
    this.timeSource = parts.clock
    this.timers = parts.timers ?? realTimers
    this.saved = new SandboxSnapshots(parts, this.sourceMemory)
    const volatilityOf = (symbol: string) => characterOf(symbol).volatilityPpm
    this.oracle = new Oracle({ seed: parts.seed, volatilityOf })
    this.ticks = new ObservedTicks(this.oracle, parts.cadenceMs ?? null)
    this.prices = new SandboxPrices(parts.exchange, this.oracle, () => parts.clock.now())
    const { atMs, markets } = parts.exchange.view
    // After a restart bots use different random numbers, unless a reset has to repeat the first.
    const isFirst = markets.count === 0 || parts.clock.isManual
    this.bots = new Bots(isFirst ? parts.seed : `${parts.seed} ${atMs}`)
  }

  /** Sets up a new sandbox or continues an old one, and starts the beat. `EngineStarted` is
   *  submitted before. Until then the clock of an old sandbox is frozen. */
  async start(): Promise<void> {
    if (this.exchange.view.markets.count === 0) await this.open()
    else await this.goOn()
    this.scheduleBeat()
  }

  /** Writes the missing simulated history, if any, in the background. */
  fillPast(): void {
    this.filling = writePast(this.exchange, this.parts.seed, () => this.closed).catch(
      (error: unknown) => {
        if (!this.closed) this.parts.fault(error)
      },
    )
  }

  /** Waits for the current operation. Orders of bots stay open. */
  async close(): Promise<void> {
    this.closed = true
    this.clearBeat?.()
    await this.mutex.take(async () => undefined)
    await this.filling
  }

  async fund(address: string, amount: number): Promise<Readonly<{ balance: number }>> {
    await this.saved.reverting
    const { money } = this.exchange.view
    while (money.depositUnder(`faucet ${this.nextDeposit}`) !== null) this.nextDeposit += 1
    const reference = `faucet ${this.nextDeposit++}`
    const command: Command = { type: 'Deposit', address, amount: amount as Quote, reference }
    return submitChecked(this.exchange, command).then((outcome) => ({
      balance: firstOf(outcome, 'Deposited')!.balance,
    }))
  }

  clock(): ClockReading {
    const engineNow = this.timeSource.now()
    const wallNow = this.timeSource.wallNow()
    const { isManual: manual } = this.timeSource
    const frozen = manual || this.exchange.view.clockFrozen
    return { engineNow, wallNow, frozen, offsetMs: engineNow - wallNow, manual }
  }

  advance(ms: number): Promise<ClockReading> {
    if (!Number.isSafeInteger(ms) || ms < 1 || ms > advanceMsMax)
      return Promise.reject(new RangeError(`advance by 1 to ${advanceMsMax} ms, not ${ms}`))
    return this.mutex.take(async () => {
      const { exchange, timeSource: clock, oracle, bots } = this
      const start = clock.now()
      clock.beginWalk(start)
      try {
        const botsRunning = () => this.running
        const stopped = () => this.closed
        await walkTo({ exchange, clock, oracle, bots, botsRunning, stopped }, start + ms)
      } finally {
        clock.endWalk(exchange.view.clockFrozen)
        this.parts.clockMoved?.()
      }
      return this.clock()
    })
  }

  freeze(): Promise<ClockReading> {
    return this.mutex.take(async () => {
      if (this.timeSource.isManual) return this.clock()
      this.timeSource.holdAt(this.timeSource.now())
      await submitChecked(this.exchange, { type: 'SetClockFrozen', frozen: true })
      return this.clock()
    })
  }

  resume(): Promise<ClockReading> {
    return this.mutex.take(async () => {
      await submitChecked(this.exchange, { type: 'SetClockFrozen', frozen: false })
      this.timeSource.release()
      this.parts.clockMoved?.()
      return this.clock()
    })
  }

  async setOracle(market: number, path: readonly number[], plain = false): Promise<void> {
    await this.saved.reverting
    await this.prices.set(market, path, plain)
  }

  async resumeOracle(market: number): Promise<void> {
    await this.saved.reverting
    await this.prices.resume(market)
  }

  async playScenario(name: ScenarioName, market: number): Promise<void> {
    await this.saved.reverting
    await this.prices.play(name, market)
  }

  async stallFeed(market: number, ms: number): Promise<void> {
    await this.saved.reverting
    await this.prices.stall(market, ms)
  }

  snapshot(): Promise<SavedSnapshot> {
    return this.mutex.take(() => this.saved.save())
  }

  snapshots(): readonly SavedSnapshot[] {
    return this.saved.list()
  }

  revert(id: string): Promise<boolean> {
    return this.mutex.take(() => this.saved.revert(id))
  }

  keepStart(): Promise<void> {
    return this.mutex.take(() => this.saved.keepStart())
  }

  reset(): Promise<boolean> {
    return this.mutex.take(() => this.saved.reset())
  }

  progress(): Progress {
    const { view, isIdle } = this.exchange
    const nextEventAt = nextStepAt(view, this.timeSource.now())
    return { isIdle: isIdle && !view.hasWorkLeft && !this.mutex.isBusy, nextEventAt }
  }

  hashes(): Promise<StateHashes> {
    return this.exchange.hashes()
  }

  setBots(running: boolean): Promise<void> {
    return this.mutex.take(async () => {
      this.running = running
      const { exchange } = this
      // Submitted last, so that bots noted as stopped have no open orders.
      const note = botsNote({ running, configured: this.configured })
      const before = running
        ? missingDeposits(exchange.view).map((deposit) => submitChecked(exchange, deposit))
        : cancelBotOrders(exchange)
      await Promise.all([...before, submitChecked(exchange, note)])
    })
  }

  botsRunning(): boolean {
    return this.running
  }

  private get configured(): boolean {
    return this.parts.bots ?? true
  }

  /** Sets up the sandbox in one batch, so that a crash leaves it either complete or empty. Then
   *  bots fill the books. */
  private async open(): Promise<void> {
    const { exchange, timeSource: clock } = this
    this.running = this.configured
    const commands = clock.isManual ? this.manualOpening() : this.wallOpening()
    await Promise.all(commands.map((command) => submitChecked(exchange, command)))
    if (!this.running || clock.isManual) return
    const { view } = exchange
    const turns = view.markets
      .all()
      .flatMap((market) => this.bots.turn(view, market, clock.now(), 'coarse'))
    await Promise.all(turns.map((command) => exchange.submit(command)))
  }

  private wallOpening(): Command[] {
    const { pastMinutes: minutes = 0 } = this.parts
    const endMs = divFloor(this.timeSource.now(), minuteMs) * minuteMs
    const note = botsNote({ running: this.running, configured: this.configured })
    const past = minutes > 0 ? [pastNote({ minutes, endMs })] : []
    return [...openingCommands(), ...openingDeposits(), note, ...past]
  }

  /** The commands of a new embedded exchange, so that both have the same history. */
  private manualOpening(): Command[] {
    const frozen = this.parts.speedBump !== true
    const deposits = this.running ? openingDeposits() : []
    const note = botsNote({ running: this.running, configured: this.configured })
    return [{ type: 'SetClockFrozen', frozen }, ...openingCommands(), ...deposits, note]
  }

  /** After a restart the first tick has the market's last price and time, as if nothing had
   *  changed. Then engine time jumps to the current time. */
  private async goOn(): Promise<void> {
    const { exchange, timeSource: clock, oracle, configured } = this
    const { view } = exchange
    const bots = botsIn(view.notes)
    this.running = bots?.running ?? configured
    oracle.resumeAfterRestart(view)
    if (!view.clockFrozen && !clock.isManual) {
      const ticks = oracle.ticksAt(view, clock.now())
      await Promise.all(ticks.map((tick) => exchange.submit(tick)))
      clock.goOn()
      this.parts.clockMoved?.()
      await makeLive(exchange, oracle, () => clock.now())
    }
    if (bots !== null && bots.configured !== configured) await this.setBots(configured)
  }

  private scheduleBeat(): void {
    if (this.closed || this.timeSource.isManual) return
    const wait = stepMs - (this.timeSource.wallNow() % stepMs)
    this.clearBeat = this.timers.after(wait, () => this.beat())
  }

  /** Sends a price for every market and runs bots on some markets; skipped while the mutex is
   *  busy. */
  private beat(): void {
    if (this.timeSource.isHeld || this.mutex.isBusy) return this.scheduleBeat()
    this.mutex
      .take(() => Promise.all(this.beatCommands().map((each) => this.exchange.submit(each))))
      .then(
        () => this.scheduleBeat(),
        (error: unknown) => {
          this.closed = true
          this.parts.fault(error)
        },
      )
  }

  private beatCommands(): Command[] {
    const { view } = this.exchange
    const now = this.timeSource.now()
    const ticks = this.ticks.ticksAt(view, now)
    return this.running ? [...ticks, ...this.bots.beat(view, now)] : ticks
  }

  private save(): string {
    return memoryText({
      version: 1,
      botsRunning: this.running,
      bots: this.bots.save(),
      oracle: this.oracle.save(),
      nextDeposit: this.nextDeposit,
    })
  }

  private restore(text: string): void {
    const memory = memoryOf(text)
    this.running = memory.botsRunning
    this.bots.restore(memory.bots)
    this.oracle.restore(this.exchange.view, memory.oracle)
    this.nextDeposit = memory.nextDeposit
  }
}
