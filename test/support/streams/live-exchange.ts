// A whole exchange in this process, with a data folder of its own and without bots, and the ways a
// client reaches it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Client } from '../../../src/client/client.ts'
import { type Key, keyOfSeed } from '../../../src/client/key.ts'
import { readConfig } from '../../../src/config.ts'
import { Intake } from '../../../src/gateway/intake/intake.ts'
import type { WsLimits } from '../../../src/gateway/ws/limits.ts'
import type { RunningExchange } from '../../../src/main/run-options.ts'
import { runExchange } from '../../../src/main/running-exchange.ts'
import type { SignedName } from '../../../src/protocol/routes.ts'
import { gatewayFlags } from '../http/live-exchange.ts'
import { patiently } from '../http/patiently.ts'

export type Json = Record<string, unknown>

export class LiveExchange {
  readonly running: RunningExchange
  readonly intake: Intake
  readonly folder: string
  private readonly clients = new Map<string | undefined, Client>()

  private constructor(running: RunningExchange, folder: string, intake: Intake) {
    this.running = running
    this.folder = folder
    this.intake = intake
  }

  static async start(
    flags: readonly string[] = [],
    wsLimits: Partial<WsLimits> = {},
    intake = new Intake(),
    checkpointMs?: number,
  ): Promise<LiveExchange> {
    const folder = mkdtempSync(join(tmpdir(), 'openperp-live-'))
    const ports = [
      '--port=0',
      '--admin-port=0',
      '--compat-port=off',
      '--bots',
      'off',
      '--log-level',
      'silent',
    ]
    const config = readConfig([...ports, '--data', folder, ...gatewayFlags(), ...flags], {}, folder)
    const token = { name: 't', token: 'x'.repeat(16), scopes: [], weight: 1 }
    const onFatal = (error: unknown) => {
      throw error
    }
    const log = pino({ level: 'silent' })
    const options = { config, tokens: [token], log, onFatal, wsLimits, intake }
    const running = await runExchange({
      ...options,
      ...(checkpointMs !== undefined && { checkpointMs }),
    })
    return new LiveExchange(running, folder, intake)
  }

  get url(): string {
    return `http://127.0.0.1:${this.running.port}`
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.running.port}/ws`
  }

  async get<T = Json>(path: string): Promise<T> {
    const reply = await patiently(() => fetch(`${this.url}/api/v1${path}`))
    return (await reply.json()) as T
  }

  /** One for each key, so that no two signed texts are alike; without a key, one that cannot
   *  sign. */
  client(key?: Key): Client {
    const { url } = this
    const known = this.clients.get(key?.address) ?? new Client({ url, signer: key })
    this.clients.set(key?.address, known)
    return known
  }

  /** What the client would send. */
  async signed(key: Key, name: SignedName, fields: Json): Promise<Json> {
    return { ...(await this.client(key).body(name, fields as never)) }
  }

  async fund(key: Key, amount = '1000000'): Promise<void> {
    await this.client(key).sandboxFaucet({ amount })
  }

  async close(): Promise<void> {
    await this.running.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function keyNamed(n: number): Key {
  return keyOfSeed(new Uint8Array(32).fill(n))
}
