// A whole exchange in this process, with a data folder of its own and without bots, and the ways a
// client reaches it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import { signedBody } from '../../../src/client/signed-body.ts'
import { readConfig } from '../../../src/config.ts'
import type { WsLimits } from '../../../src/gateway/ws/limits.ts'
import { type RunningExchange, runExchange } from '../../../src/main/running-exchange.ts'
import type { SigningType } from '../../../src/protocol/signing-types.ts'

export type Json = Record<string, unknown>

export class LiveExchange {
  readonly running: RunningExchange
  private readonly folder: string
  private nextTime = Date.now()

  private constructor(running: RunningExchange, folder: string) {
    this.running = running
    this.folder = folder
  }

  static async start(
    flags: readonly string[] = [],
    wsLimits: Partial<WsLimits> = {},
  ): Promise<LiveExchange> {
    const folder = mkdtempSync(join(tmpdir(), 'openperp-live-'))
    const ports = ['--port', '0', '--admin-port', '0', '--bots', 'off', '--log-level', 'silent']
    const config = readConfig([...ports, '--data', folder, ...flags], {}, folder)
    const token = { name: 't', token: 'x'.repeat(16), scopes: [], weight: 1 }
    const onFatal = (error: unknown) => {
      throw error
    }
    const log = pino({ level: 'silent' })
    const running = await runExchange({ config, tokens: [token], log, onFatal, wsLimits })
    return new LiveExchange(running, folder)
  }

  get url(): string {
    return `http://127.0.0.1:${this.running.port}`
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.running.port}/ws`
  }

  async get<T = Json>(path: string): Promise<T> {
    const reply = await fetch(`${this.url}/api/v1${path}`)
    return (await reply.json()) as T
  }

  async post(path: string, body: unknown): Promise<Json> {
    const reply = await fetch(`${this.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Json
  }

  async signed(key: Key, type: SigningType, fields: Json): Promise<Json> {
    return (await signedBody(key, fields, { type, timestamp: this.time() })) as Json
  }

  /** No two signed texts are alike. */
  private time(): number {
    this.nextTime = Math.max(this.nextTime + 1, Date.now() - 5_000)
    return this.nextTime
  }

  async fund(key: Key, amount = '1000000'): Promise<void> {
    await this.post('/sandbox/faucet', { account: key.address, amount })
  }

  async close(): Promise<void> {
    await this.running.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function keyNamed(n: number): Key {
  return keyOfSeed(new Uint8Array(32).fill(n))
}
