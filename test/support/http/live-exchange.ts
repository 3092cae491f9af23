// A running exchange for tests: its own folder, free ports, no bots, everything else as `npm start`
// has it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type Key, newKey } from '../../../src/client/key.ts'
import { readConfig } from '../../../src/config.ts'
import type { RunningExchange, RunOptions } from '../../../src/main/run-options.ts'
import { runExchange } from '../../../src/main/running-exchange.ts'
import { adminScopes } from '../../../src/protocol/admin/admin-row.ts'
import { ApiClient, dataOf, type Row } from './api-client.ts'
import { type OpenApi, Published } from './published.ts'

/** `TEST_GATEWAYS=1 node --test …` runs the same tests with gateways between. */
export function gatewayFlags(): readonly string[] {
  const { TEST_GATEWAYS: count } = process.env
  return count === undefined ? [] : ['--gateways', count]
}

export const adminToken = 'the-token-of-every-scope'
/** For visitors whose addresses a proxy names: sandbox routes need the token of them. */
const sandboxToken = 'the-token-of-the-sandbox'
export const tokenFlags = ['--sandbox-token', sandboxToken] as const
export const tokenHeader = { authorization: `Bearer ${sandboxToken}` } as const
const everyScope = `root:${adminToken}:${adminScopes.join('+')}`

export class Live {
  readonly running: RunningExchange
  readonly api: ApiClient
  readonly folder: string
  readonly adminUrl: string

  constructor(running: RunningExchange, folder: string, published: Published) {
    this.running = running
    this.folder = folder
    this.api = new ApiClient(urlOf(running), published)
    this.adminUrl = `http://127.0.0.1:${running.adminPort}`
  }

  get url(): string {
    return this.api.url
  }

  /** A new account with test money. */
  async trader(amount = '100000'): Promise<Key> {
    const key = newKey()
    dataOf(await this.sandbox('faucet', { account: key.address, amount }))
    return key
  }

  sandbox<T = Row>(route: string, body: Row) {
    return this.api.post<T>(`/sandbox/${route}`, body)
  }

  /** The index price, and with an empty book the mark price too. */
  async price(symbol: string, price: string): Promise<void> {
    dataOf(await this.sandbox('oracle', { symbol, price }))
  }

  /** Limit order; the clock stands still, so that it does not wait at the speed bump. */
  async order(key: Key, fields: Row): Promise<Row> {
    const standard = { tif: 'GTC', reduce_only: false }
    return dataOf(await this.api.signed(key, '/orders/create', { ...standard, ...fields }))
  }

  /** One account sells to the other at a price. */
  async trade(deal: Deal): Promise<void> {
    const { symbol, price, amount } = deal
    await this.order(deal.seller, { symbol, price, amount, side: 'ask' })
    await this.order(deal.buyer, { symbol, price, amount, side: 'bid' })
  }

  async close(): Promise<void> {
    await this.running.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export type Deal = Readonly<{
  buyer: Key
  seller: Key
  symbol: string
  price: string
  amount: string
}>

const urlOf = ({ port }: RunningExchange) => `http://127.0.0.1:${port}`

/** Later flags win over the ones that are always given. */
export async function liveExchange(
  flags: readonly string[] = [],
  at?: string,
  options: Pick<RunOptions, 'wsLimits' | 'webhookTime'> = {},
): Promise<Live> {
  const folder = at ?? mkdtempSync(join(tmpdir(), 'openperp-live-'))
  const quiet = ['--bots', 'off', '--log-level', 'silent', '--admin-tokens', everyScope]
  const ports = ['--port', '0', '--admin-port', '0', '--compat-port', 'off']
  const places = [...ports, '--data', join(folder, 'data')]
  const given = [...places, ...quiet, ...gatewayFlags(), ...flags]
  const config = readConfig(given, {}, folder)
  const running = await runExchange({
    config,
    tokens: config.adminTokens,
    ...options,
    log: pino({ level: config.logLevel }, pino.destination(2)),
    onFatal: (error) => {
      throw error
    },
  })
  const document = await (await fetch(`${urlOf(running)}/openapi.json`)).json()
  return new Live(running, folder, new Published(document as OpenApi))
}

/** A sandbox whose clock stands still. */
export async function frozenSandbox(flags: readonly string[] = []): Promise<Live> {
  const live = await liveExchange(flags)
  dataOf(await live.sandbox('clock', { freeze: true }))
  return live
}
