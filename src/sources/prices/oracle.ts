// The sandbox's price feed, which provides the next oracle tick of each market. A market follows
// its simulation or a script: prices played one per tick, of which the last may hold, or a stopped
// feed. It creates commands, but does not submit them.

import type { CommandOf, ExchangeView, MarketView } from '../../core/index.ts'
import { MICRO_PER_TICK, type MicroTicks } from '../../units/units.ts'
import { PriceSimulation, type SimulationMemory } from './price-simulation.ts'
import { freezeMs, type ScenarioName, scenarioPath } from './scenarios.ts'
import { hasEnded, noteOf, placeIn, type Script, scriptFrom } from './script.ts'
import { apartMs, hasMoved, tickEveryMs } from './tick-times.ts'

export type OracleTick = CommandOf<'OracleTick'>

type PathScript = Extract<Script, { kind: 'path' }>
type Path = Omit<PathScript, 'from'>

type Feed = {
  simulation: PriceSimulation
  script: Script | null
  /** Number of the market's jumps, including ticks that are not applied yet. */
  jumps: number
  /** After a restart: whether the first tick has the current price. */
  stands: boolean
  /** Price and time of the last tick. */
  said: number
  saidAt: number
}
type FeedMemory = Readonly<{
  market: number
  simulation: SimulationMemory
  script: Script | null
  jumps: number
  said: number
  saidAt: number
}>
export type OracleMemory = readonly FeedMemory[]

export type OracleParts = Readonly<{
  seed: string
  /** Annual volatility in parts per million. */
  volatilityOf(symbol: string): number
}>

export class Oracle {
  private readonly parts: OracleParts
  private readonly feeds = new Map<number, Feed>()

  constructor(parts: OracleParts) {
    this.parts = parts
  }

  /** Next tick of every market that has one, in order of market id. */
  ticksAt(view: ExchangeView, atMs: number): OracleTick[] {
    const ticks: OracleTick[] = []
    for (const market of view.markets.all()) {
      if (market.settled) continue
      const tick = this.tickOf(market, atMs)
      if (tick !== null) ticks.push(tick)
    }
    return ticks
  }

  /** Ticks that are due while a clock is advanced, because of their period or because the simulated
   *  price has moved. */
  dueTicksAt(view: ExchangeView, atMs: number): OracleTick[] {
    const ticks: OracleTick[] = []
    for (const market of view.markets.all()) {
      if (market.settled || !this.isDue(market, atMs)) continue
      const tick = this.tickOf(market, atMs)
      if (tick !== null) ticks.push(tick)
    }
    return ticks
  }

  private isDue(market: MarketView, atMs: number): boolean {
    if (atMs % tickEveryMs(market.params) === 0) return true
    const feed = this.feedOf(market, atMs)
    if (feed.script !== null || feed.stands || atMs - feed.saidAt < apartMs) return false
    return hasMoved(simulatedPrice(market, feed, atMs), feed.said)
  }

  /** Holds a price, or plays a path and holds its last price. Returns the first tick. `plain`:
   *  holds a price as a feed would, without a jump. */
  set(market: MarketView, prices: readonly number[], atMs: number, plain = false): OracleTick {
    const path = { kind: 'path', prices, holds: true } as const
    this.begin(market, plain ? { ...path, jump: false } : path, atMs)
    return this.tickOf(market, atMs)!
  }

  /** Holds the market's current price. */
  hold(market: MarketView, atMs: number): void {
    this.begin(market, { kind: 'path', prices: [market.oracle], holds: true }, atMs)
  }

  /** Continues the simulation from the market's current price. */
  resume(market: MarketView, atMs: number): void {
    const feed = this.feedOf(market, atMs)
    if (feed.script === null) return
    feed.script = null
    feed.simulation.restartFrom(market.oracle, atMs)
  }

  /** Starts a scenario. Returns the first tick; `null` if the scenario stops the feed. */
  play(name: ScenarioName, market: MarketView, atMs: number): OracleTick | null {
    if (name === 'freeze') {
      this.stall(market, atMs, freezeMs)
      return null
    }
    this.begin(
      market,
      { kind: 'path', prices: scenarioPath(name, market.oracle), holds: false },
      atMs,
    )
    return this.tickOf(market, atMs)
  }

  /** Stops the feed for a while. */
  stall(market: MarketView, atMs: number, ms: number): void {
    this.feedOf(market, atMs).script = { kind: 'silence', until: atMs + ms }
  }

  /** Returns the note that stores what the market follows. Must be submitted before the first tick
   *  of a script. */
  note(market: MarketView, atMs: number): CommandOf<'KeepNote'> {
    return noteOf(market, this.feedOf(market, atMs).script)
  }

  /** Whether a market follows its simulation. */
  isSimulated(market: number): boolean {
    return this.feeds.get(market)?.script === null
  }

  /** Whether a market's feed is stopped by a script. */
  isMuted(market: MarketView, atMs: number): boolean {
    const { script } = this.feedOf(market, atMs)
    return script?.kind === 'silence' && atMs < script.until
  }

  private begin(market: MarketView, path: Path, atMs: number): void {
    const feed = this.feedOf(market, atMs)
    feed.script = { ...path, from: feed.jumps }
    feed.stands = false
  }

  save(): OracleMemory {
    return [...this.feeds]
      .sort(([one], [other]) => one - other)
      .map(([market, { simulation, script, jumps, said, saidAt }]) => ({
        market,
        simulation: simulation.save(),
        script,
        jumps,
        said,
        saidAt,
      }))
  }

  restore(view: ExchangeView, memory: OracleMemory): void {
    this.feeds.clear()
    for (const { market: id, simulation, script, jumps, said, saidAt } of memory) {
      const market = view.markets.get(id)
      if (market === undefined) continue
      const feed = this.feedOf(market, view.atMs)
      feed.simulation.restore(simulation)
      feed.script = script
      feed.jumps = jumps
      feed.said = said
      feed.saidAt = saidAt
    }
  }

  /** After a restart, restores scripts from the notes at their position in the state. Without a
   *  script the simulation continues from the market's price. */
  resumeAfterRestart(view: ExchangeView): void {
    this.feeds.clear()
    for (const market of view.markets.all()) {
      const feed = this.feedOf(market, view.atMs)
      feed.script = scriptFrom(view.notes, market)
      feed.stands = true
    }
  }

  private feedOf(market: MarketView, atMs: number): Feed {
    const known = this.feeds.get(market.id)
    if (known !== undefined) return known
    const { symbol } = market.params
    const seed = `${this.parts.seed} price ${symbol} ${atMs}`
    const volatility = this.parts.volatilityOf(symbol)
    const simulation = new PriceSimulation(seed, volatility, market.oracle, atMs)
    const said = { said: market.oracle, saidAt: atMs }
    const feed = { simulation, script: null, jumps: market.jumps, stands: false, ...said }
    this.feeds.set(market.id, feed)
    return feed
  }

  private tickOf(market: MarketView, atMs: number): OracleTick | null {
    const feed = this.feedOf(market, atMs)
    const tick = this.nextTick(market, feed, atMs)
    if (tick === null) return null
    feed.said = tick.price
    feed.saidAt = atMs
    return tick
  }

  private nextTick(market: MarketView, feed: Feed, atMs: number): OracleTick | null {
    const { script } = feed
    if (script?.kind === 'silence') {
      if (atMs < script.until) return null
      this.resume(market, atMs)
    }
    if (feed.stands) {
      feed.stands = false
      return tick(market, market.oracle, false)
    }
    return script?.kind === 'path'
      ? scripted(market, feed, script, atMs)
      : tick(market, simulatedPrice(market, feed, atMs), false)
  }
}

function scripted(market: MarketView, feed: Feed, path: PathScript, atMs: number): OracleTick {
  const price = path.prices[placeIn(path, feed.jumps)]!
  if (path.jump === false) return tick(market, price, false)
  feed.jumps += 1
  if (hasEnded(path, feed.jumps)) {
    feed.script = null
    feed.simulation.restartFrom(price, atMs)
  }
  return tick(market, price, true)
}

function simulatedPrice(market: MarketView, { simulation }: Feed, atMs: number): number {
  const { tickMin, tickMax } = market.params
  const price = simulation.priceAt(atMs)
  const low = tickMin * MICRO_PER_TICK
  const high = tickMax * MICRO_PER_TICK
  return Math.max(low, Math.min(high, price))
}

function tick(market: MarketView, price: number, jump: boolean): OracleTick {
  return {
    type: 'OracleTick',
    market: market.id,
    price: price as MicroTicks,
    observedAtMs: null,
    jump,
  }
}
