// A running sandbox for the histories: its own folder, free ports, no bots, a clock that stands
// still, and two traders who trade with each other.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Client } from '../../../src/client/client.ts'
import { type Key, newKey } from '../../../src/client/key.ts'
import { readConfig } from '../../../src/config.ts'
import type { RunningExchange } from '../../../src/main/run-options.ts'
import { runExchange } from '../../../src/main/running-exchange.ts'

export type Json = Record<string, unknown>
export type Reply<T = Json[]> = Readonly<{
  success: boolean
  data: T
  error: string | null
  code: number | null
  next_cursor?: string | null
  has_more?: boolean
}>

export class HistoryDesk {
  readonly folder = mkdtempSync(join(tmpdir(), 'openperp-history-'))
  readonly alice = newKey()
  readonly bob = newKey()
  private running: RunningExchange | null = null

  get data(): string {
    return join(this.folder, 'data')
  }

  async start(): Promise<this> {
    const ports = ['--port=0', '--admin-port=0', '--compat-port=off', '--data', this.data]
    const quiet = ['--bots', 'off', '--log-level', 'silent']
    const config = readConfig([...ports, ...quiet], {}, this.folder)
    this.running = await runExchange({
      config,
      tokens: [],
      log: pino({ level: 'silent' }),
      onFatal: (error) => {
        throw error
      },
    })
    return this
  }

  /** A new exchange with two traders, ten seconds after a full hour. */
  async open(): Promise<this> {
    await this.start()
    const { engine_now } = await this.client().sandboxSetClock({ freeze: true })
    await this.advance(3_610_000 - (engine_now % 3_600_000))
    await this.client().sandboxSetOracle({ symbol: 'BTC', price: '60000' })
    for (const key of [this.alice, this.bob])
      await this.client(key).sandboxFaucet({ amount: '100000' })
    return this
  }

  async stop(): Promise<void> {
    await this.running?.close()
    this.running = null
  }

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Repeated while history is late, which it may be on a busy machine. */
  async fetch(path: string, query: Json = {}, headers: Record<string, string> = {}) {
    const given = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
    const url = `http://127.0.0.1:${this.running!.port}/api/v1${path}`
    for (let tries = 1; ; tries++) {
      const reply = await fetch(`${url}?${new URLSearchParams(given)}`, { headers })
      if (reply.status !== 503 || tries === 100) return reply
      await reply.arrayBuffer()
      await new Promise((later) => setTimeout(later, 100))
    }
  }

  async get<T = Json[]>(path: string, query: Json = {}): Promise<Reply<T>> {
    return (await (await this.fetch(path, query)).json()) as Reply<T>
  }

  client(signer?: Key): Client {
    return new Client({ url: `http://127.0.0.1:${this.running!.port}`, signer })
  }

  async advance(ms: number): Promise<void> {
    await this.client().sandboxSetClock({ advance_ms: ms })
  }

  async order(key: Key, side: 'bid' | 'ask', amount: string, price: string): Promise<void> {
    const standard = { symbol: 'BTC', tif: 'GTC', reduce_only: false } as const
    const client_order_id = crypto.randomUUID()
    await this.client(key).createOrder({ ...standard, side, price, amount, client_order_id })
  }

  /** Alice buys from bob, or sells to bob. */
  async trade(amount: string, price: string, side: 'bid' | 'ask' = 'bid'): Promise<void> {
    await this.order(this.bob, side === 'bid' ? 'ask' : 'bid', amount, price)
    await this.order(this.alice, side, amount, price)
  }
}
