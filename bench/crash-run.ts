// A crash under load: leveraged accounts among healthy ones, active market makers, and one jump of
// the price that makes all leveraged accounts unhealthy together. From the jump on every `apply` is
// timed by itself, until no account is unhealthy.

import type { AccountId, MarketId } from '../src/core/commands/ids.ts'
import type { State } from '../src/core/engine.ts'
import { kindAt, kindOfEvent, nextAfter } from '../src/core/events/event-columns.ts'
import { decodeState } from '../src/core/snapshot/decode.ts'
import { encodeState } from '../src/core/snapshot/encode.ts'
import { healthOf, scopeOfRow } from '../src/core/solvency/scope.ts'
import { LoadRun } from './load-run.ts'
import { collectGarbage, timed } from './options.ts'

export type Crash = Readonly<{
  name: string
  affected: number
  total: number
  /** Dollars in the insurance fund. */
  fund: number
  /** By how much BTC falls, in ppm. */
  fallPpm: number
  /** Equity over position value of the best affected account after the fall, in ppm. */
  leftPpm: number
}>

export type Outcome = Readonly<{
  commands: number
  totalMs: number
  jumpMs: number
  longestMs: number
  longest: string
  /** The longest of all passes, not of the shortest pass. */
  worstMs: number
  /** A command of the same flow before the crash. */
  calmUs: number
  counts: Readonly<Record<string, number>>
}>

const BTC = 1
const ETH = 2
const MIDDLE = 50_000
const MICRO = 1_000_000
/** Micro-dollars of a lot at the middle. */
const LOT_VALUE = MIDDLE * 10
const LEVERAGED_LOTS = 6_000
const HEALTHY_LOTS = 600
const MAKERS = 20
const QUOTE_LOTS = 20_000
const COMMANDS_PER_MS = 10
const COMMANDS_PER_TICK = 1_000
/** Puts the jump halfway between two prices: right before one, that one would be clamped. */
const CALM_COMMANDS = 5_250
const COMMANDS_MAX = 200_000
const PASSES = 3
const countedEvents = [
  'LiquidationStarted',
  'LiquidationStepped',
  'BackstopTookOver',
  'InsurancePaid',
  'Deleveraged',
  'DeficitBooked',
] as const

export class CrashRun {
  readonly run = new LoadRun()
  private readonly crash: Crash
  private readonly makers: number[] = []
  private readonly quotes: { account: number; order: number }[] = []
  private readonly counts = new Map(countedEvents.map((type) => [kindOfEvent(type), 0]))
  private middle = MIDDLE
  private sent = 0

  constructor(crash: Crash) {
    this.crash = crash
    const { run } = this
    run.listMarket('BTC-USD', MIDDLE)
    run.listMarket('ETH-USD', MIDDLE)
    if (crash.fund > 0) run.deposit('insurance', crash.fund * MICRO)
    for (let n = 0; n < MAKERS; n++)
      this.makers.push(run.deposit(`maker ${n}`, 100_000_000 * MICRO))
    // Leveraged accounts are spread among the healthy ones.
    const every = Math.floor(crash.total / crash.affected)
    let leveraged = 0
    for (let n = 0; n < crash.total; n++) {
      if (n % every === 0 && leveraged < crash.affected) this.addLeveraged(leveraged++)
      else this.addHealthy(n)
    }
  }

  /** Everything from the jump to the moment when no account is unhealthy. */
  measure(): Outcome {
    const snapshot = encodeState(this.run.state)
    const passes = Array.from({ length: PASSES }, () => this.pass(snapshot))
    const times = passes[0]!.times.map((_, n) => Math.min(...passes.map((pass) => pass.times[n]!)))
    const longestMs = Math.max(...times)
    const longestAt = times.indexOf(longestMs)
    return {
      commands: times.length - 1,
      totalMs: times.reduce((sum, ms) => sum + ms, 0),
      jumpMs: times[0]!,
      longestMs,
      longest: longestAt === 0 ? 'the jump itself' : `command ${longestAt} after the jump`,
      worstMs: Math.max(...passes.flatMap((pass) => pass.times)),
      calmUs: (Math.min(...passes.map(({ calmMs }) => calmMs)) * 1_000) / CALM_COMMANDS,
      counts: Object.fromEntries(
        countedEvents.map((type) => [type, this.counts.get(kindOfEvent(type))!]),
      ),
    }
  }

  /** Milliseconds of each command, the jump first. */
  private pass(snapshot: Uint8Array): { times: number[]; calmMs: number } {
    const { run } = this
    run.state = decodeState(snapshot)
    run.atMs = run.state.atMs
    this.middle = MIDDLE
    this.sent = 0
    this.quotes.length = 0
    for (let n = 0; n < CALM_COMMANDS; n++) this.step()
    let calmMs = 0
    for (let n = 0; n < CALM_COMMANDS; n++) calmMs += this.timedStep()
    for (const kind of this.counts.keys()) this.counts.set(kind, 0)
    collectGarbage()
    this.middle = Math.floor((MIDDLE * (MICRO - this.crash.fallPpm)) / MICRO)
    run.atMs += 1
    const times = [this.timed(() => run.tick(BTC, this.middle, true))]
    for (let looked = false; ; ) {
      if (this.sent % COMMANDS_PER_TICK === 0) looked = false
      if (!looked && isQuiet(run.state)) {
        if (countUnhealthy(run.state) === 0) return { times, calmMs }
        looked = true
      }
      if (times.length > COMMANDS_MAX) throw new Error('the crash does not end')
      times.push(this.timedStep())
    }
  }

  /** A tenth holds two markets, a tenth is isolated, the rest is cross in BTC alone. */
  private addLeveraged(n: number): void {
    const { run } = this
    const isolated = n % 10 === 1
    const inEth = n % 10 === 0 ? LEVERAGED_LOTS / 10 : 0
    const value = LEVERAGED_LOTS * LOT_VALUE
    const leverage = leverageOf(this.crash, n)
    const leftPpm = this.crash.leftPpm - ((n * 7_919) % 12_000)
    const lostPpm = (this.crash.fallPpm * (LEVERAGED_LOTS - inEth)) / LEVERAGED_LOTS
    const marginPpm = isolated ? Math.ceil(MICRO / leverage) + 2_000 : lostPpm + 400 + leftPpm
    const deposit = Math.ceil((value * Math.max(21_000, marginPpm)) / MICRO)
    const account = run.deposit(`leveraged ${n}`, deposit)
    if (isolated) this.isolate(account, leverage)
    this.buy(account, BTC, LEVERAGED_LOTS - inEth)
    if (inEth > 0) this.buy(account, ETH, inEth)
    const far = { market: BTC, side: 'bid', price: MIDDLE / 2, tif: 'GTC' } as const
    run.place({ ...far, account, size: 10 })
  }

  private isolate(account: number, leverage: number): void {
    const named = { account: account as AccountId, proof: null, market: BTC as MarketId }
    this.run.submit({ type: 'SetMarginMode', ...named, isolated: true })
    this.run.submit({ type: 'SetLeverage', ...named, leverage })
  }

  private addHealthy(n: number): void {
    const lots = HEALTHY_LOTS + (n % 199)
    const account = this.run.deposit(`healthy ${n}`, lots * (LOT_VALUE + ((n * 7_919) % 100_003)))
    this.buy(account, BTC, n % 2 === 0 ? lots : -lots)
  }

  /** From a maker at the middle; negative: sells to one. */
  private buy(account: number, market: number, lots: number): void {
    const maker = this.makers[account % MAKERS]!
    const shared = { market, price: MIDDLE, size: Math.abs(lots) }
    const [side, other] = lots > 0 ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const)
    this.run.place({ ...shared, account: maker, side: other, tif: 'GTC' })
    this.run.place({ ...shared, account, side, tif: 'IOC' })
  }

  private timedStep(): number {
    return this.timed(() => this.step())
  }

  private timed(work: () => void): number {
    const { ms } = timed(work)
    const { rows, end } = this.run.log
    for (let at = 0; at < end; at = nextAfter(rows, at)) {
      const kind = kindAt(rows, at)
      const known = this.counts.get(kind)
      if (known !== undefined) this.counts.set(kind, known + 1)
    }
    return ms
  }

  /** One command of the others: a quote, the cancel of an old quote, and now and then a price. */
  private step(): void {
    const { run } = this
    const n = this.sent++
    if (n % COMMANDS_PER_MS === 0) run.atMs += 1
    if (n % COMMANDS_PER_TICK === 0) {
      const market = (n / COMMANDS_PER_TICK) % 4 === 3 ? ETH : BTC
      const middle = market === BTC ? this.middle : MIDDLE
      run.tick(market, middle + (n % 7) - 3, false)
      return
    }
    const oldest = this.quotes[0]
    if (oldest !== undefined && this.quotes.length > 10 * MAKERS) {
      this.quotes.shift()
      if (run.state.orders.slotOf(oldest.order) !== 0) {
        run.cancel(oldest.account, BTC, oldest.order)
        return
      }
    }
    this.quote(n)
  }

  private quote(n: number): void {
    const account = this.makers[n % MAKERS]!
    const off = 1 + ((n * 31) % 40)
    const bid = n % 2 === 0
    const order = this.run.place({
      account,
      market: BTC,
      side: bid ? 'bid' : 'ask',
      price: bid ? this.middle - off : this.middle + off,
      size: QUOTE_LOTS,
      tif: 'GTC',
    })
    this.quotes.push({ account, order })
  }
}

/** An isolated position has its margin from its leverage: slightly more than the fall takes. */
function leverageOf({ fallPpm, leftPpm }: Crash, n: number): number {
  const least = Math.ceil(MICRO / (fallPpm + leftPpm - 300))
  return Math.min(50, least + (n % 7))
}

function isQuiet(state: State): boolean {
  const { liquidationQueue, takeoverQueue, deleverageQueue } = state
  return liquidationQueue.size + takeoverQueue.size + deleverageQueue.size === 0
}

/** Scopes with a position below maintenance, by a check of all of them; backstops are not
 *  liquidated. */
export function countUnhealthy(state: State): number {
  const { positions, accounts } = state
  let count = 0
  for (let row = 1; row <= positions.count; row++) {
    if (positions.lots[row] === 0 || accounts.reserved[positions.account[row]!] === 1) continue
    const { equity, maintenance } = healthOf(state, scopeOfRow(state, row))
    if (equity < maintenance) count += 1
  }
  return count
}
