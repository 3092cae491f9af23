import type { Command } from '../../src/core/commands/commands.ts'
import { number } from '../../test/support/program/options.ts'
import { LoadRun } from '../load-run.ts'
import { benchOptions, collectGarbage, timed, whole } from '../options.ts'

const { chases, json, requireBars, say } = benchOptions({
  name: 'bench/chases',
  about:
    'Many chases follow one quote (ALGO-2). It goes up by a tick each second, and they follow. ' +
    'Every tenth second another quote is far above it, for less than the time it takes to be ' +
    'hit, and they stay. Others place and cancel meanwhile, in turns with the same exchange ' +
    'without chases. Misses a bar when a chase went where it could not be hit, or when cancels ' +
    'are slower by more than a quarter.',
  options: {
    chases: number(1_000, 'chases'),
  },
})

const slowerMax = 1.25
/** Error of a stopwatch for such short times. */
const slackUs = 2
const market = 1
const MIDDLE = 50_000
const usd = 1_000_000
const rounds = 60
const cancelsARound = 200
const passes = 3

class Scene {
  readonly run = new LoadRun()
  readonly cancelUs: number[] = []
  moves = 0
  wrong = 0
  longestMs = 0
  private readonly ticksARound: number
  private readonly leader: number
  private readonly other: number
  private quote = 0
  /** Prices at which the leader was old enough to be followed. */
  private led = 0

  constructor(count: number) {
    const { run } = this
    run.listMarket('BTC-USD', MIDDLE)
    this.leader = run.deposit('leader', 1_000_000 * usd)
    this.other = run.deposit('other', 1_000_000 * usd)
    run.place({ ...this.order('ask', MIDDLE + 500), account: this.leader })
    this.lead(MIDDLE)
    run.atMs += 1_000
    this.led = MIDDLE
    const { algosPerMarket, stepsPerCommand } = run.state.rules.limits
    let account = 0
    for (let n = 0; n < count; n++) {
      if (n % algosPerMarket === 0) account = run.deposit(`chaser ${n}`, 100_000 * usd)
      const request = { account, proof: null, market, side: 'bid', size: 10, price: MIDDLE + 400 }
      const rest = { reduceOnly: false, expireTime: null, clientOrderId: null }
      run.submit({ type: 'PlaceChase', ...request, ...rest } as unknown as Command)
      this.look()
    }
    // All of them step, this many a command.
    this.ticksARound = Math.floor(count / stepsPerCommand) + 1
    for (let n = 0; n < this.ticksARound; n++) this.tick()
  }

  private order(side: 'bid' | 'ask', price: number) {
    return { account: this.other, market, side, price, size: 10, tif: 'ALO' } as const
  }

  private lead(price: number): void {
    if (this.quote !== 0) this.run.cancel(this.leader, market, this.quote)
    this.quote = this.run.place({ ...this.order('bid', price), account: this.leader })
  }

  private tick(): number {
    const { ms } = timed(() => this.run.tick(market, MIDDLE, false))
    this.look()
    return ms
  }

  /** Every order of a chase is at a followable price of the leader, or not beyond it. */
  private look(): void {
    for (const event of this.run.log.readAll()) {
      if (event.type !== 'OrderPlaced' || event.origin !== 'algo') continue
      this.moves += 1
      if (event.price !== this.led) this.wrong += 1
    }
  }

  /** A second passes. */
  round(n: number): void {
    const { run } = this
    const flashes = n % 10 === 9
    const price = MIDDLE + n + 1
    if (!flashes) this.lead(price)
    for (let each = 0; each < cancelsARound; each++) {
      run.atMs += 4
      const order = run.place(this.order('bid', MIDDLE - 100 - (each % 50)))
      this.look()
      this.cancelUs.push(timedUs(() => run.cancel(this.other, market, order)))
      this.look()
    }
    const flash = flashes ? run.place(this.order('bid', MIDDLE + 300)) : 0
    run.atMs += 1_000 - cancelsARound * 4
    if (!flashes) this.led = price
    const ticks = Array.from({ length: this.ticksARound }, () => this.tick())
    const longest = Math.max(...ticks)
    this.longestMs = Math.max(this.longestMs, longest)
    const last = this.cancelUs.length - 1
    this.cancelUs[last] = this.cancelUs[last]! + longest * 1_000
    if (flash === 0) return
    run.cancel(this.other, market, flash)
    this.look()
  }

  /** At this share of them from the fastest on. */
  cancelAt(share: number): number {
    const sorted = this.cancelUs.toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * share)]!
  }
}

function timedUs(work: () => void): number {
  const start = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - start) / 1_000
}

type Passed = Readonly<{ p99: number; without: number; longestMs: number; moves: number }> &
  Readonly<{ wrong: number }>

/** The two exchanges take turns, second by second. */
function pass(): Passed {
  const [crowded, empty] = [new Scene(chases), new Scene(0)]
  collectGarbage()
  for (let n = 0; n < rounds; n++) {
    for (const scene of n % 2 === 0 ? [crowded, empty] : [empty, crowded]) scene.round(n)
  }
  const { moves, wrong, longestMs } = crowded
  const [p99, without] = [crowded.cancelAt(0.99), empty.cancelAt(0.99)]
  return { p99, without, longestMs, moves, wrong }
}

pass()
const passed = Array.from({ length: passes }, pass)
const least = (of: (one: Passed) => number) => Math.min(...passed.map(of))
const p99 = least((one) => one.p99)
const without = least((one) => one.without)
const longestMs = least((one) => one.longestMs)
const moves = least((one) => one.moves)
const wrong = Math.max(...passed.map((one) => one.wrong))
// Nine of ten seconds move them all, and the first order of each comes before.
const movesMin = chases * (rounds - Math.ceil(rounds / 10))
say(
  `${whole(chases)} chases, ${whole(moves)} orders made in ${rounds} s, ${wrong} at prices ` +
    `without liquidity\ncancels p99 ${p99.toFixed(1)} µs, ${without.toFixed(1)} without ` +
    `them; the longest tick ${longestMs.toFixed(1)} ms`,
)
if (json)
  console.log(JSON.stringify({ chases, moves, wrong, cancelP99Us: p99, without, longestMs }))
requireBars([
  ...(wrong > 0 ? [`${wrong} orders of chases are at prices without liquidity`] : []),
  ...(moves < movesMin ? [`${moves} moves, at least ${movesMin}: they did not follow`] : []),
  ...(p99 > without * slowerMax + slackUs
    ? [`cancels take ${p99.toFixed(1)} µs at p99, ${without.toFixed(1)} without chases`]
    : []),
])
