// A venue with two markets and one source that is tried. BTC has the source and one honest pusher,
// so that it needs the source; ETH has two honest pushers as well, so that it needs it not. Time is
// moved by hand; only what goes over the sockets takes time of its own.

import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { SourceStanding } from '../../../src/gateway/admin/operator.ts'
import { VenuePrices } from '../../../src/main/prices/venue-prices.ts'
import type { PriceSourceKind } from '../../../src/protocol/admin/price-source-kinds.ts'
import { VenueClock } from '../../../src/sources/clock.ts'
import {
  openingCommands,
  sandboxListings,
  standardGenesis,
} from '../../../src/sources/sandbox-markets.ts'
import { ManualTime } from '../manual-time.ts'
import { MemorySequencer } from '../memory-sequencer.ts'
import { type Speech, speeches } from './speeches.ts'
import { TickerServer } from './ticker-server.ts'

const start = 1_800_000_000_000
const [BTC, ETH] = [1, 2] as const
const healths = ['live', 'stale', 'cancel_only'] as const
const paths: Readonly<Partial<Record<PriceSourceKind, string>>> = {
  ...{ binance: '/ws', bybit: '/v5/public/spot', okx: '/ws/v5/public', kraken: '/v2' },
  ...{ hyperliquid: '/ws', http: '/prices?key=1' },
}

const pushes = [
  [BTC, 'one'],
  [ETH, 'one'],
  [ETH, 'two'],
] as const

export type SceneOptions = Readonly<{
  tls?: Readonly<{ key: string; cert: string }> | 'refused'
}>

export class PriceScene {
  readonly time = new ManualTime(start)
  readonly server: TickerServer
  readonly speech: Speech
  readonly exchange: MemorySequencer
  prices!: VenuePrices
  readonly kind: PriceSourceKind
  private readonly options: SceneOptions
  /** What the honest say of both markets. */
  private readonly honest: readonly [string, string] = ['105000.5', '3500.25']

  constructor(kind: PriceSourceKind, options: SceneOptions = {}) {
    this.kind = kind
    this.options = options
    this.speech = speeches[kind]
    this.server = new TickerServer(this.speech, options.tls ?? null)
    const clock = new VenueClock(this.time.wall, 0)
    this.exchange = new MemorySequencer(standardGenesis, () => clock)
  }

  async open(): Promise<void> {
    const port = await this.server.listen()
    const listings = sandboxListings.slice(0, 2)
    await Promise.all(openingCommands(listings).map((command) => this.exchange.submit(command)))
    await this.exchange.submit({ type: 'EngineStarted' })
    const scheme = this.speech.wire === 'websocket' ? 'ws' : 'http'
    const secure = this.options.tls === undefined ? '' : 's'
    const [btc, eth] = this.speech.symbols
    this.prices = new VenuePrices({
      config: {
        adminTokens: ['one', 'two'].map((name) => ({
          ...{ name, token: '0123456789abcdef', weight: 1 },
          scopes: ['prices' as const],
        })),
        priceSources: [
          {
            ...{ kind: this.kind, name: 'tried', weight: 1, token: null, everyMs: 1_000 },
            url: `${scheme}${secure}://127.0.0.1:${port}${paths[this.kind] ?? ''}`,
            symbols: { BTC: btc, ETH: eth },
          },
        ],
      },
      exchange: this.exchange,
      log: pino({ level: 'silent' }),
      fault: (error) => {
        throw error
      },
      wall: this.time.wall,
      timers: this.time.timers,
      random: () => 0.5,
    })
    this.prices.start()
  }

  async close(): Promise<void> {
    this.prices.close()
    await this.server.close()
    assert.equal(this.time.armed, 0, 'no timer is left')
    assert.deepEqual(this.server.faults, [], 'requests are as documented')
  }

  get health(): SourceStanding {
    return this.prices.bySource().sources.find(({ name }) => name === 'tried')!
  }

  /** Of the market that needs the source, and of the one that does not. */
  get markets(): readonly [string, string] {
    const of = (market: number) => healths[this.exchange.state.markets[market]!.health]!
    return [of(BTC), of(ETH)]
  }

  /** In units of the price, as a float: only to be looked at. */
  priceOf(market: 1 | 2): number {
    const { oracle, params } = this.exchange.state.markets[market]!
    return (oracle * params.tickSize.value) / 10 ** (params.tickSize.scale + 6)
  }

  /** What the source says when it is honest, or with other prices or another time. */
  words(prices = this.honest, aheadMs = 0): readonly string[] {
    const atMs = this.time.now + aheadMs
    return this.speech.symbols.map((symbol, index) =>
      this.speech.price({ symbol, price: prices[index]!, atMs }),
    )
  }

  /** A second goes by: the honest push, and the server does something, which is heard if so many
   *  messages are to come of it, unless the connection is lost. */
  async second(act: () => number): Promise<void> {
    if (this.server.willAnswer) await this.until(() => this.health.state !== 'connecting')
    const { messages, reconnects, state } = this.health
    for (const [market, source] of pushes)
      this.prices.feed.push(source, market, this.honestOf(market), null)
    const expected = act()
    await this.time.pass(1_000)
    await this.exchange.submit({ type: 'Tick' })
    if (state !== 'connected') return
    await this.until(
      () => this.health.messages >= messages + expected || this.health.reconnects > reconnects,
    )
  }

  async honestSecond(): Promise<void> {
    await this.second(() => this.server.say(...this.words()))
  }

  /** Honest seconds until both markets are live. */
  async becomesLive(secondsMax: number): Promise<void> {
    for (let second = 0; second < secondsMax; second++) {
      await this.honestSecond()
      if (this.markets.join() === 'live,live' && this.health.state === 'connected') return
    }
    assert.fail(`not live after ${secondsMax} s: ${this.markets}, ${JSON.stringify(this.health)}`)
  }

  /** What has to come over a socket; time stands still meanwhile. */
  async until(isSo: () => boolean): Promise<void> {
    const from = Date.now()
    while (!isSo()) {
      if (Date.now() - from > 20_000) assert.fail(JSON.stringify([this.health, this.server.came]))
      await new Promise((done) => setImmediate(done))
    }
  }

  private honestOf(market: 1 | 2): number {
    const { params } = this.exchange.state.markets[market]!
    const whole = [105_000_500_000, 3_500_250_000][market - 1]!
    return (whole * 10 ** params.tickSize.scale) / params.tickSize.value
  }
}
