// One source that is read, of a venue with two markets, and the server that it reads. Only what
// goes over the sockets takes time of its own.

import assert from 'node:assert/strict'
import type { SourceStatus } from '../../../src/gateway/admin/operator.ts'
import type { PriceSourceKind } from '../../../src/protocol/admin/price-source-kinds.ts'
import { type Speech, speeches } from './speeches.ts'
import { TickerServer } from './ticker-server.ts'
import { TwoMarkets } from './two-markets.ts'

const paths: Readonly<Partial<Record<PriceSourceKind, string>>> = {
  ...{ binance: '/ws', bybit: '/v5/public/spot', okx: '/ws/v5/public', kraken: '/v2' },
  ...{ hyperliquid: '/ws', http: '/prices?key=1' },
}
/** What the honest say of both markets. */
const honest = ['105000.5', '3500.25'] as const

export type SceneOptions = Readonly<{
  tls?: Readonly<{ key: string; cert: string }> | 'refused'
}>

export class PriceScene {
  readonly kind: PriceSourceKind
  readonly server: TickerServer
  readonly speech: Speech
  private readonly venue = new TwoMarkets()
  private readonly options: SceneOptions

  constructor(kind: PriceSourceKind, options: SceneOptions = {}) {
    this.kind = kind
    this.options = options
    this.speech = speeches[kind]
    this.server = new TickerServer(this.speech, options.tls ?? null)
  }

  async open(): Promise<void> {
    const port = await this.server.listen()
    const scheme = this.speech.wire === 'websocket' ? 'ws' : 'http'
    const secure = this.options.tls === undefined ? '' : 's'
    const [btc, eth] = this.speech.symbols
    await this.venue.open(
      [],
      [
        {
          ...{ kind: this.kind, name: 'tried', weight: 1, token: null, everyMs: 1_000 },
          url: `${scheme}${secure}://127.0.0.1:${port}${paths[this.kind] ?? ''}`,
          symbols: { BTC: btc, ETH: eth },
          time: this.kind === 'http' ? { paths: { BTC: '/time', ETH: '/time' }, unit: 'ms' } : null,
        },
      ],
    )
  }

  async close(): Promise<void> {
    this.venue.prices.close()
    await this.server.close()
    assert.equal(this.venue.time.armed, 0, 'no timer is left')
    assert.deepEqual(this.server.faults, [], 'requests are as documented')
  }

  get now(): number {
    return this.venue.time.now
  }

  get health(): SourceStatus {
    return this.venue.tried
  }

  /** Of the market that needs the source, and of the one that does not. */
  get markets(): readonly [string, string] {
    return this.venue.healths
  }

  /** The newest price of the source that is tried; undefined: it has none. */
  wordOf(market: 1 | 2) {
    const found = this.venue.prices.markets().find((each) => each.market === market)
    return found?.words.find(({ source }) => source === 'tried')
  }

  priceOf(market: 1 | 2): number {
    return this.venue.priceOf(market)
  }

  /** What the source says when it is honest, or with other prices or another time. */
  words(prices: readonly [string, string] = honest, aheadMs = 0): readonly string[] {
    const atMs = this.now + aheadMs
    this.server.now = atMs
    return this.speech.symbols.map((symbol, index) =>
      this.speech.price({ symbol, price: prices[index]!, atMs }),
    )
  }

  /** Advances a second: the honest sources push, and the server acts. Waits for the messages that
   *  are to come of it, unless the connection is lost. */
  async second(act: () => number): Promise<void> {
    if (this.server.willAnswer) await this.until(() => this.health.state !== 'connecting')
    const { messages, reconnects, state } = this.health
    this.venue.pushHonest()
    const expected = act()
    await this.venue.passSecond()
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
    for (let turn = 0; !isSo(); turn++) {
      if (Date.now() - from > 20_000) assert.fail(JSON.stringify([this.health, this.server.came]))
      // Most of it arrives within a few turns; after that, polling is enough.
      await new Promise((done) => (turn < 10 ? setImmediate(done) : setTimeout(done, 1)))
    }
  }
}
