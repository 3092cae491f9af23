// The sandbox's price feed: what each market's next oracle tick says. A market follows its
// simulation, unless a script was given: prices played one per tick, of which the last may hold, or
// silence. Makes commands and submits none.

import type { CommandOf } from '../../core/commands.ts'
import type { State } from '../../core/engine.ts'
import type { MarketId } from '../../core/ids.ts'
import type { Market } from '../../core/markets/market.ts'
import { MICRO_PER_TICK, type MicroTicks } from '../../units/units.ts'
import { PriceSimulation, type SimulationMemory } from './price-simulation.ts'
import { freezeMs, type ScenarioName, scenarioPath } from './scenarios.ts'

export type OracleTick = CommandOf<'OracleTick'>

type Script =
  | Readonly<{ kind: 'path'; prices: readonly number[]; next: number; holds: boolean }>
  | Readonly<{ kind: 'silence'; until: number }>

type Feed = { simulation: PriceSimulation; script: Script | null }
type FeedMemory = Readonly<{ market: number; simulation: SimulationMemory; script: Script | null }>
export type OracleMemory = readonly FeedMemory[]

export type OracleParts = Readonly<{
  seed: string
  /** Annual, in parts per million. */
  volatilityOf(symbol: string): number
}>

export class Oracle {
  private readonly parts: OracleParts
  private readonly feeds = new Map<number, Feed>()

  constructor(parts: OracleParts) {
    this.parts = parts
  }

  /** The next tick of every market that has one, by rising market id. */
  ticksAt(state: State, atMs: number): OracleTick[] {
    const ticks: OracleTick[] = []
    for (const market of state.markets) {
      if (market === undefined || market.settled) continue
      const tick = this.tickOf(market, atMs)
      if (tick !== null) ticks.push(tick)
    }
    return ticks
  }

  /** A price holds, or a path is played and its last price holds. Gives the first tick. */
  set(market: Market, prices: readonly number[], atMs: number): OracleTick {
    this.feedOf(market, atMs).script = { kind: 'path', prices, next: 0, holds: true }
    return this.tickOf(market, atMs)!
  }

  /** The simulation goes on from the market's price. */
  resume(market: Market, atMs: number): void {
    const feed = this.feedOf(market, atMs)
    if (feed.script === null) return
    feed.script = null
    feed.simulation.restartFrom(market.oracle, atMs)
  }

  /** Gives the first tick; null: the feed is silent. */
  play(name: ScenarioName, market: Market, atMs: number): OracleTick | null {
    const feed = this.feedOf(market, atMs)
    if (name === 'freeze') {
      feed.script = { kind: 'silence', until: atMs + freezeMs }
      return null
    }
    const prices = scenarioPath(name, market.oracle)
    feed.script = { kind: 'path', prices, next: 0, holds: false }
    return this.tickOf(market, atMs)
  }

  save(): OracleMemory {
    return [...this.feeds]
      .sort(([one], [other]) => one - other)
      .map(([market, { simulation, script }]) => ({
        market,
        simulation: simulation.save(),
        script,
      }))
  }

  restore(state: State, memory: OracleMemory): void {
    this.feeds.clear()
    for (const { market: id, simulation, script } of memory) {
      const market = state.markets[id]
      if (market === undefined) continue
      const feed = this.feedOf(market, state.atMs)
      feed.simulation.restore(simulation)
      feed.script = script
    }
  }

  /** After a restart: held prices and scripts as remembered, prices as the state has them. */
  resumeAfterRestart(state: State, memory: OracleMemory, atMs: number): void {
    this.restore(state, memory)
    for (const [id, feed] of this.feeds)
      feed.simulation.restartFrom(state.markets[id]!.oracle, atMs)
  }

  private feedOf(market: Market, atMs: number): Feed {
    const known = this.feeds.get(market.id)
    if (known !== undefined) return known
    const { symbol } = market.params
    const seed = `${this.parts.seed} price ${symbol} ${atMs}`
    const volatility = this.parts.volatilityOf(symbol)
    const simulation = new PriceSimulation(seed, volatility, market.oracle, atMs)
    const feed = { simulation, script: null }
    this.feeds.set(market.id, feed)
    return feed
  }

  private tickOf(market: Market, atMs: number): OracleTick | null {
    const feed = this.feedOf(market, atMs)
    const { script } = feed
    if (script?.kind === 'silence') {
      if (atMs < script.until) return null
      this.resume(market, atMs)
    }
    if (script?.kind !== 'path') {
      const { tickMin, tickMax } = market.params
      const price = feed.simulation.priceAt(atMs)
      const low = tickMin * MICRO_PER_TICK
      const high = tickMax * MICRO_PER_TICK
      return tick(market, Math.max(low, Math.min(high, price)), false)
    }
    const price = script.prices[script.next]!
    const isLast = script.next + 1 >= script.prices.length
    if (!isLast) feed.script = { ...script, next: script.next + 1 }
    else if (!script.holds) {
      feed.script = null
      feed.simulation.restartFrom(price, atMs)
    }
    return tick(market, price, true)
  }
}

function tick(market: Market, price: number, jump: boolean): OracleTick {
  return {
    type: 'OracleTick',
    market: market.id as MarketId,
    price: price as MicroTicks,
    external: null,
    jump,
  }
}
