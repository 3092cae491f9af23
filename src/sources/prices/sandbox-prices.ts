// The prices of a sandbox that a user sets: a price, a path, a scenario, or the simulation again.

import type { MarketView } from '../../core/index.ts'
import type { MicroTicks } from '../../units/units.ts'
import { Refused, type SourceExchange, submitChecked } from '../exchange-port.ts'
import { isPrice } from './combined.ts'
import type { Oracle, OracleTick } from './oracle.ts'
import type { ScenarioName } from './scenarios.ts'

const pathMax = 10_000

export class SandboxPrices {
  private readonly exchange: SourceExchange
  private readonly oracle: Oracle
  private readonly now: () => number

  constructor(exchange: SourceExchange, oracle: Oracle, now: () => number) {
    this.exchange = exchange
    this.oracle = oracle
    this.now = now
  }

  async set(market: number, path: readonly number[], plain: boolean): Promise<void> {
    const target = this.marketOf(market)
    const wrong = path.find((price) => !isPrice(price))
    if (wrong !== undefined || path.length === 0 || path.length > pathMax)
      throw new Refused('INVALID_PRICE', [wrong ?? 0])
    const prices = [...path] as MicroTicks[]
    await this.follow(target, this.oracle.set(target, prices, this.now(), plain))
  }

  async resume(market: number): Promise<void> {
    const target = this.marketOf(market)
    this.oracle.resume(target, this.now())
    await this.follow(target, null)
  }

  async play(name: ScenarioName, market: number): Promise<void> {
    const target = this.marketOf(market)
    await this.follow(target, this.oracle.play(name, target, this.now()))
  }

  async stall(market: number, ms: number): Promise<void> {
    const target = this.marketOf(market)
    this.oracle.stall(target, this.now(), ms)
    await this.follow(target, null)
  }

  /** Stores what a market follows before its first price, so that after a crash no path is played
   *  without a note. */
  private async follow(market: MarketView, tick: OracleTick | null): Promise<void> {
    const note = this.oracle.note(market, this.now())
    const commands = tick === null ? [note] : [note, tick]
    await Promise.all(commands.map((command) => submitChecked(this.exchange, command)))
  }

  private marketOf(market: number): MarketView {
    const found = this.exchange.view.markets.get(market)
    if (found === undefined) throw new Refused('BOOK_NOT_FOUND', [market])
    if (found.settled) throw new Refused('UNSUPPORTED_OPERATION', [])
    return found
  }
}
