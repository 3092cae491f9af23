// A venue with two markets and a source that is tried. BTC has the source and one honest pusher, so
// that it needs the source; ETH has two honest pushers as well, so that it needs it not. Time is
// moved by hand.

import { pino } from 'pino'
import type { PriceSourceSetting } from '../../../src/config.ts'
import type { SourceStatus } from '../../../src/gateway/admin/operator.ts'
import { VenuePrices } from '../../../src/main/prices/venue-prices.ts'
import { VenueClock } from '../../../src/sources/clock.ts'
import {
  openingCommands,
  sandboxListings,
  standardGenesis,
} from '../../../src/sources/sandbox-markets.ts'
import { ManualTime } from '../manual-time.ts'
import { MemorySequencer } from '../memory-sequencer.ts'

const healths = ['live', 'stale', 'cancel_only'] as const
const [BTC, ETH] = [1, 2] as const
const pushes = [
  [BTC, 'one'],
  [ETH, 'one'],
  [ETH, 'two'],
] as const

export class TwoMarkets {
  readonly time = new ManualTime(1_800_000_000_000)
  readonly exchange: MemorySequencer
  prices!: VenuePrices
  private readonly clock = new VenueClock(this.time.wall, 0)

  constructor() {
    this.exchange = new MemorySequencer(standardGenesis, () => this.clock)
  }

  /** With sources that push, and sources that are read. */
  async open(pushing: readonly string[], priceSources: readonly PriceSourceSetting[]) {
    const listings = sandboxListings.slice(0, 2)
    await Promise.all(openingCommands(listings).map((command) => this.exchange.submit(command)))
    await this.exchange.submit({ type: 'EngineStarted' })
    const adminTokens = ['one', 'two', ...pushing].map((name) => ({
      ...{ name, token: '0123456789abcdef', weight: 1 },
      scopes: ['prices' as const],
    }))
    this.prices = new VenuePrices({
      config: { adminTokens, priceSources, leverageOverrides: {} },
      exchange: this.exchange,
      clock: this.clock,
      log: pino({ level: 'silent' }),
      fault: (error) => {
        throw error
      },
      wall: this.time.wall,
      monotonic: this.time.wall,
      timers: this.time.timers,
      random: () => 0.5,
    })
    this.prices.start()
  }

  get tried(): SourceStatus {
    return this.prices.sources().find(({ name }) => name === 'tried')!
  }

  /** Of the market that needs the source, and of the one that does not. */
  get healths(): readonly [string, string] {
    const of = (market: number) => healths[this.exchange.state.markets[market]!.health]!
    return [of(BTC), of(ETH)]
  }

  /** In units of the price, as a float: only to be looked at. */
  priceOf(market: 1 | 2): number {
    const { oracle, params } = this.exchange.state.markets[market]!
    return (oracle * params.tickSize.value) / 10 ** (params.tickSize.scale + 6)
  }

  /** 105000.5 and 3500.25. */
  pushHonest(): void {
    for (const [market, source] of pushes) {
      const { value, scale } = this.exchange.state.markets[market]!.params.tickSize
      const millionths = [105_000_500_000, 3_500_250_000][market - 1]!
      this.prices.push(source, market, (millionths * 10 ** scale) / value, this.time.now)
    }
  }

  /** A second goes by, and what fell due runs. */
  async passSecond(): Promise<void> {
    await this.time.pass(1_000)
    await this.exchange.submit({ type: 'Tick' })
  }
}
