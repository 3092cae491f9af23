// The sandbox: simulated prices, bots, a clock one can move, test money, snapshots. Everything it
// does to the exchange goes through the queue like anyone's commands; what it remembers outside the
// state goes with every snapshot. It fits the `Sandbox` port of the gateway.

import type { Command } from '../core/commands.ts'
import type { AccountId } from '../core/ids.ts'
import { timing } from '../core/limits.ts'
import type { Market } from '../core/markets/market.ts'
import type { SourceMemory } from '../sequencer/ports.ts'
import { divFloor } from '../units/rounding.ts'
import type { MicroTicks, Quote } from '../units/units.ts'
import { accountOf, allBots, openingDeposits } from './bots/bot-accounts.ts'
import { Bots } from './bots/bots.ts'
import type { SandboxClock } from './clock.ts'
import { firstOf, Refused, type SourceExchange, submitChecked } from './exchange-port.ts'
import { Oracle } from './prices/oracle.ts'
import { isPrice } from './prices/price-feed.ts'
import { stepMs } from './prices/price-simulation.ts'
import type { ScenarioName } from './prices/scenarios.ts'
import { characterOf, openingCommands } from './sandbox-markets.ts'
import { memoryOf, memoryText } from './sandbox-memory.ts'
import { realTimers, type Timers } from './timers.ts'
import { Turns } from './turns.ts'
import { walkTo } from './walk.ts'

export const advanceMsMax = 31 * 86_400_000
const pathMax = 10_000
/** A past is lived through in pieces of this length. */
const pastPieceMs = 600_000
/** Beyond these the oldest can no longer be reverted to. */
export const snapshotsKept = 64
/** Each market's bots have their turn in one of these beats. */
const beatsPerTurn = 4

export type SavedSnapshot = Readonly<{ id: string; seq: number; atMs: number; createdAt: number }>
export type ClockReading = Readonly<{
  engineNow: number
  wallNow: number
  frozen: boolean
  offsetMs: number
}>

export type SandboxParts = Readonly<{
  exchange: SourceExchange
  clock: SandboxClock
  seed: string
  /** A beat could not be submitted: the sandbox stands still from then on. */
  fault: (error: unknown) => void
  /** The clock was moved or released: whoever waits for an instant looks again. */
  clockMoved?: () => void
  /** Those that can be reverted to, oldest first. */
  snapshots?: readonly SavedSnapshot[]
  /** What `remember` was given last, if anything. */
  remembered?: string | null
  /** Keeps the text over a restart; awaited where a person's wish changed it. */
  remember?: (text: string) => Promise<void>
  timers?: Timers
  /** Whether there is time left to live through a past. */
  patient?: () => boolean
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
  private readonly bots: Bots
  private readonly turns = new Turns()
  private readonly saved: SavedSnapshot[]
  private running = true
  private nextDeposit = 0
  private reverting: Promise<unknown> = Promise.resolve()
  private clearBeat: (() => void) | null = null
  private closed = false

  constructor(parts: SandboxParts) {
    this.parts = parts
    this.exchange = parts.exchange
    this.timeSource = parts.clock
    this.timers = parts.timers ?? realTimers
    this.saved = [...(parts.snapshots ?? [])]
    const volatilityOf = (symbol: string) => characterOf(symbol).volatilityPpm
    this.oracle = new Oracle({ seed: parts.seed, volatilityOf })
    this.bots = new Bots(parts.seed)
  }

  /** Opens a new sandbox or goes on with an old one, makes its markets live, and begins to beat.
   *  `EngineStarted` comes before this. */
  async start(): Promise<void> {
    if (this.exchange.state.markets.length === 1) {
      await this.open()
      if (this.timeSource.offsetMs() < 0) await this.liveThroughPast()
    } else this.resumeAfterRestart()
    await this.turns.take(() => this.makeLive())
    this.scheduleBeat()
  }

  /** Resolves when nothing of the sandbox is under way any more; orders of bots stay. */
  async close(): Promise<void> {
    this.closed = true
    this.clearBeat?.()
    await this.turns.take(async () => undefined)
  }

  async fund(address: string, amount: number): Promise<Readonly<{ balance: number }>> {
    await this.reverting
    const { references } = this.exchange.state
    while (references.has(`faucet ${this.nextDeposit}`)) this.nextDeposit += 1
    const reference = `faucet ${this.nextDeposit++}`
    const command: Command = { type: 'Deposit', address, amount: amount as Quote, reference }
    return submitChecked(this.exchange, command).then((outcome) => ({
      balance: firstOf(outcome, 'Deposited')!.balance,
    }))
  }

  clock(): ClockReading {
    const engineNow = this.timeSource.now()
    const wallNow = this.timeSource.wallNow()
    const frozen = this.exchange.state.clockFrozen
    return { engineNow, wallNow, frozen, offsetMs: engineNow - wallNow }
  }

  advance(ms: number): Promise<ClockReading> {
    if (!Number.isSafeInteger(ms) || ms < 1 || ms > advanceMsMax)
      return Promise.reject(new RangeError(`advance by 1 to ${advanceMsMax} ms, not ${ms}`))
    return this.turns.take(async () => {
      const { exchange, timeSource: clock, oracle, bots } = this
      const start = clock.now()
      clock.holdAt(start)
      try {
        const botsRunning = () => this.running
        const stopped = () => this.closed
        await walkTo({ exchange, clock, oracle, bots, botsRunning, stopped }, start + ms)
      } finally {
        if (!exchange.state.clockFrozen) clock.release()
        this.parts.clockMoved?.()
      }
      return this.clock()
    })
  }

  freeze(): Promise<ClockReading> {
    return this.turns.take(async () => {
      this.timeSource.holdAt(this.timeSource.now())
      await submitChecked(this.exchange, { type: 'SetClockFrozen', frozen: true })
      return this.clock()
    })
  }

  resume(): Promise<ClockReading> {
    return this.turns.take(async () => {
      await submitChecked(this.exchange, { type: 'SetClockFrozen', frozen: false })
      this.timeSource.release()
      this.parts.clockMoved?.()
      return this.clock()
    })
  }

  async setOracle(market: number, path: readonly number[]): Promise<void> {
    await this.reverting
    const target = this.marketOf(market)
    const wrong = path.find((price) => !isPrice(price))
    if (wrong !== undefined || path.length === 0 || path.length > pathMax)
      throw new Refused('INVALID_PRICE', [wrong ?? 0])
    const prices = [...path] as MicroTicks[]
    await submitChecked(this.exchange, this.oracle.set(target, prices, this.timeSource.now()))
    await this.remember()
  }

  async resumeOracle(market: number): Promise<void> {
    await this.reverting
    this.oracle.resume(this.marketOf(market), this.timeSource.now())
    await this.remember()
  }

  async playScenario(name: ScenarioName, market: number): Promise<void> {
    await this.reverting
    const tick = this.oracle.play(name, this.marketOf(market), this.timeSource.now())
    if (tick !== null) await submitChecked(this.exchange, tick)
    await this.remember()
  }

  snapshot(): Promise<SavedSnapshot> {
    return this.turns.take(async () => {
      const id = `s${numberOf(this.saved.at(-1)) + 1}`
      const { seq, atMs } = await this.exchange.takeSnapshot(id, this.save())
      const snapshot = { id, seq, atMs, createdAt: this.timeSource.wallNow() }
      this.saved.push(snapshot)
      if (this.saved.length > snapshotsKept) this.saved.shift()
      return snapshot
    })
  }

  snapshots(): readonly SavedSnapshot[] {
    return this.saved
  }

  revert(id: string): Promise<boolean> {
    return this.turns.take(async () => {
      const at = this.saved.findIndex((snapshot) => snapshot.id === id)
      if (at < 0) return false
      const reverted = this.exchange.revert(id)
      // Whoever wants to change prices or money meanwhile waits; a failure is told below.
      this.reverting = reverted.catch(() => undefined)
      const text = await reverted
      if (text === undefined) return false
      // What was saved after it is of a past that is no more.
      this.saved.splice(at + 1)
      this.restore(text)
      const { atMs, clockFrozen } = this.exchange.state
      this.timeSource.setBack(atMs, clockFrozen)
      this.parts.clockMoved?.()
      await this.remember()
      return true
    })
  }

  setBots(running: boolean): Promise<void> {
    return this.turns.take(async () => {
      this.running = running
      if (!running) await Promise.all(this.cancelOrders())
      await this.remember()
    })
  }

  botsRunning(): boolean {
    return this.running
  }

  private async open(): Promise<void> {
    const commands = [...openingCommands(), ...openingDeposits()]
    await Promise.all(commands.map((command) => submitChecked(this.exchange, command)))
  }

  /** A new sandbox whose clock begins in the past has charts and a tape from its first moment. What
   *  there is no time for is left out. */
  private async liveThroughPast(): Promise<void> {
    const { exchange, timeSource: clock, oracle, bots } = this
    const parts = { exchange, clock, oracle, bots, botsRunning: () => true }
    clock.holdAt(clock.now())
    while (clock.offsetMs() < 0 && this.parts.patient?.() !== false)
      await walkTo(parts, Math.min(clock.now() + pastPieceMs, clock.wallNow()))
    clock.joinWall()
  }

  private resumeAfterRestart(): void {
    const { remembered } = this.parts
    if (remembered === undefined || remembered === null) return
    const memory = memoryOf(remembered)
    const { state } = this.exchange
    this.running = memory.botsRunning
    this.bots.restore(memory.bots)
    this.nextDeposit = memory.nextDeposit
    this.oracle.resumeAfterRestart(state, memory.oracle, this.timeSource.now())
  }

  /** After a start every market waits for good ticks in a row. The simulation stood still with the
   *  exchange, so its word is the last price, and the market trades at once. */
  private async makeLive(): Promise<void> {
    const ticks = this.exchange.state.markets.flatMap((market) =>
      market === undefined || market.settled ? [] : [unchanged(market)],
    )
    const rounds = Array.from({ length: timing.goodTicks }, () => ticks).flat()
    await Promise.all(rounds.map((tick) => this.exchange.submit(tick)))
  }

  private cancelOrders(): Promise<unknown>[] {
    const { state } = this.exchange
    return allBots
      .map((bot) => accountOf(state, bot) as AccountId)
      .filter((account) => account !== 0)
      .map((account) =>
        submitChecked(this.exchange, {
          type: 'CancelAllOrders',
          account,
          proof: null,
          market: null,
          excludeReduceOnly: false,
        }),
      )
  }

  private scheduleBeat(): void {
    if (this.closed) return
    const wait = stepMs - (this.timeSource.wallNow() % stepMs)
    this.clearBeat = this.timers.after(wait, () => this.beat())
  }

  /** Live: a price for every market, and a turn of the bots for some. Left out while time is held
   *  or something else has the turn. */
  private beat(): void {
    if (this.timeSource.isHeld || this.turns.isBusy) return this.scheduleBeat()
    this.turns
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
    const { state } = this.exchange
    const now = this.timeSource.now()
    const commands: Command[] = this.oracle.ticksAt(state, now)
    if (!this.running) return commands
    const beat = divFloor(now, stepMs) % beatsPerTurn
    for (const market of state.markets)
      if (market !== undefined && market.id % beatsPerTurn === beat)
        commands.push(...this.bots.turn(state, market, now, 'live'))
    return commands
  }

  private marketOf(market: number): Market {
    const found = this.exchange.state.markets[market]
    if (found === undefined) throw new Refused('BOOK_NOT_FOUND', [market])
    if (found.settled) throw new Refused('UNSUPPORTED_OPERATION', [])
    return found
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
    this.oracle.restore(this.exchange.state, memory.oracle)
    this.nextDeposit = memory.nextDeposit
  }

  private async remember(): Promise<void> {
    await this.parts.remember?.(this.save())
  }
}

/** Ids are s1, s2 …; after a revert they go on from there, so that a test repeats exactly. */
function numberOf(snapshot: SavedSnapshot | undefined): number {
  return snapshot === undefined ? 0 : Number.parseInt(snapshot.id.slice(1), 10)
}

function unchanged({ id, oracle }: Market): Command {
  const price = oracle as MicroTicks
  return { type: 'OracleTick', market: id as never, price, external: null, jump: false }
}
