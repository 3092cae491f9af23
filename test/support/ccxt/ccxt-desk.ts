// Traders who use ccxt's pacifica class as npm has it, on an exchange of their own. Nothing of the
// class is changed: it is configured, as its users would, and every method that a test calls on it
// is noted, so that none which the class claims to have is forgotten.

import ccxt, { type Exchange as CcxtExchange } from 'ccxt'
import { Client } from '../../../src/client/client.ts'
import { type Key, newKey } from '../../../src/client/key.ts'
import { dataOf, type Query, type Row } from '../http/api-client.ts'
import { frozenSandbox, type Live } from '../http/live-exchange.ts'

export type Rest = InstanceType<typeof ccxt.pacifica>
export type Pro = InstanceType<typeof ccxt.pro.pacifica>

export const BTC = 'BTC/USDC:USDC'
export const ETH = 'ETH/USDC:USDC'
export const btcPrice = '100000'

/** What a bot author writes to be here and not at pacifica. */
export function configOf(url: string, key: Key, options: Row = {}) {
  const rest = `${url}/ccxt`
  const ws = `${url.replace('http', 'ws')}/ws`
  return {
    walletAddress: key.address,
    privateKey: key.secret,
    urls: { api: { public: rest, private: rest, ws: { public: ws } } },
    // A sandbox has no limits of its own, and ccxt would wait 0.6 s before each request.
    enableRateLimit: false,
    // Of the tests alone: on a busy machine requests take long, and history may be behind.
    timeout: 180_000,
    options: {
      expiryWindow: 60_000,
      maxRetriesOnFailure: 100,
      maxRetriesOnFailureDelay: 100,
      ...options,
    },
  }
}

export class CcxtDesk {
  readonly live: Live
  /** Names of the methods that tests called. */
  readonly used = new Set<string>()
  private readonly open: CcxtExchange[] = []

  constructor(live: Live) {
    this.live = live
  }

  static async start(): Promise<CcxtDesk> {
    const live = await frozenSandbox()
    await live.price('BTC', btcPrice)
    await live.price('ETH', '4000')
    return new CcxtDesk(live)
  }

  async trader(options: Row = {}, amount = '100000'): Promise<Rest> {
    const key = await this.live.trader(amount)
    const apiKey = options.apiKey ?? (await this.apiKeyOf(key))
    return this.rest(key, { ...options, apiKey })
  }

  /** With an API key of the account the exchange shows its owner everything. */
  private async apiKeyOf(signer: Key): Promise<string> {
    const { data } = await new Client({ url: this.live.url, signer }).createApiKey()
    return data.api_key
  }

  rest(key: Key = newKey(), options: Row = {}): Rest {
    return this.noted(new ccxt.pacifica(configOf(this.live.url, key, options)))
  }

  /** Over plain `ws://` ccxt wants its agent loaded first. */
  async pro(key: Key, url = this.live.url, options: Row = {}): Promise<Pro> {
    const client = new ccxt.pro.pacifica(configOf(url, key, options))
    await client.loadHttpProxyAgent()
    this.open.push(client)
    return this.noted(client)
  }

  /** The other answer: what our own client reads at `/api/v1`. */
  async read<T = Row>(path: string, query: Query = {}): Promise<T> {
    return dataOf<T>(await this.live.api.get(path, query))
  }

  async advance(ms: number): Promise<void> {
    dataOf(await this.live.sandbox('clock', { advance_ms: ms }))
  }

  async close(): Promise<void> {
    for (const client of this.open) await client.close()
    await this.live.close()
  }

  /** Calls reach the object itself, so that it runs as if it were not observed. */
  private noted<T extends CcxtExchange>(client: T): T {
    const { used } = this
    return new Proxy(client, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (typeof value !== 'function' || typeof name !== 'string') return value
        return (...args: unknown[]) => {
          used.add(name)
          return value.apply(target, args)
        }
      },
    })
  }
}

/** A decimal of ours as the number ccxt makes of it. */
export const num = (text: unknown): number => Number(text as string)

/** The fields of an answer that a test speaks of; what is undefined does not count. */
export function picked(row: unknown, ...names: readonly string[]): Row {
  const from = row as Row
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  )
}
