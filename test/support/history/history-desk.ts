// A running sandbox for the histories: its own folder, free ports, no bots, a clock that stands
// still, and two traders who trade with each other.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Key, newKey } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { readConfig } from '../../../src/config.ts'
import { type RunningExchange, runExchange } from '../../../src/main/running-exchange.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'

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
  private stamp = Date.now()

  get data(): string {
    return join(this.folder, 'data')
  }

  async start(): Promise<this> {
    const ports = ['--port', '0', '--admin-port', '0', '--data', this.data]
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
    await this.sandbox('clock', { freeze: true })
    const { data } = await this.get<{ engine_now: number }>('/time')
    await this.sandbox('clock', { advance_ms: 3_610_000 - (data.engine_now % 3_600_000) })
    await this.sandbox('oracle', { symbol: 'BTC', price: '60000' })
    for (const { address } of [this.alice, this.bob])
      await this.sandbox('faucet', { account: address, amount: '100000' })
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

  fetch(path: string, query: Json = {}, headers: Record<string, string> = {}): Promise<Response> {
    const given = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`])
    const url = `http://127.0.0.1:${this.running!.port}/api/v1${path}`
    return fetch(`${url}?${new URLSearchParams(given)}`, { headers })
  }

  async get<T = Json[]>(path: string, query: Json = {}): Promise<Reply<T>> {
    return (await (await this.fetch(path, query)).json()) as Reply<T>
  }

  private async post<T>(path: string, body: unknown): Promise<Reply<T>> {
    const reply = await fetch(`http://127.0.0.1:${this.running!.port}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Reply<T>
  }

  async sandbox(route: string, body: Json): Promise<void> {
    const { success, error } = await this.post(`/sandbox/${route}`, body)
    if (!success) throw new Error(`${route}: ${error}`)
  }

  async sign<T = Json>(key: Key, type: SigningType, path: string, fields: Json): Promise<Reply<T>> {
    this.stamp += 1
    return this.post<T>(path, await signedBody(key, fields, { type, timestamp: this.stamp }))
  }

  async order(key: Key, side: 'bid' | 'ask', amount: string, price: string): Promise<void> {
    const fields = { symbol: 'BTC', price, amount, side, tif: 'GTC', reduce_only: false }
    const { success, error } = await this.sign(key, 'create_order', '/orders/create', fields)
    if (!success) throw new Error(`order: ${error}`)
  }

  /** Alice buys of bob, or sells to him. */
  async trade(amount: string, price: string, side: 'bid' | 'ask' = 'bid'): Promise<void> {
    await this.order(this.bob, side === 'bid' ? 'ask' : 'bid', amount, price)
    await this.order(this.alice, side, amount, price)
  }
}
