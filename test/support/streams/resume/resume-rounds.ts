// A real exchange that is stopped or killed again and again while two accounts trade. Readers of
// their streams lose their connections before it, by it or after it, and resume at the next start.
// In the end they must have every event of the history that REST has, in order, and none twice. One
// reader is the owner of its account, and also learns of orders that wait for their release.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../../../../src/client/client.ts'
import { ChildExchange } from '../../running/child-exchange.ts'
import { Dice } from '../dice.ts'
import { keyNamed } from '../live-exchange.ts'
import { StreamClient } from '../stream-client.ts'
import { requireSame, requireSince, sources } from './resumed-rows.ts'
import { ResumingReader, type Row } from './resuming-reader.ts'

export type ResumeOptions = Readonly<{
  restarts: number
  seed: number
  /** Processes between the clients and the leader. */
  gateways: number
  say: (text: string) => void
}>

export type ResumeReport = Readonly<{
  restarts: number
  kills: number
  /** Subscriptions that were resumed. */
  resumed: number
  /** Rows that came in all, by source. */
  rows: Readonly<Record<string, number>>
}>

const keys = [keyNamed(41), keyNamed(42)] as const

export async function runResumeRounds(options: ResumeOptions): Promise<ResumeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-resume-'))
  const rounds = new ResumeRounds(options, join(folder, 'data'))
  try {
    return await rounds.run()
  } finally {
    await rounds.stop('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

class ResumeRounds {
  private readonly options: ResumeOptions
  private readonly data: string
  private readonly dice: Dice
  private readonly readers: readonly ResumingReader[]
  private apiKey = ''
  private child: ChildExchange | null = null
  private url = ''
  private clients: readonly Client[] = []
  private kills = 0

  constructor(options: ResumeOptions, data: string) {
    this.options = options
    this.data = data
    this.dice = new Dice(options.seed)
    const [owner, other] = keys
    const headers = () => ({ 'SVC-API-KEY': this.apiKey })
    this.readers = [
      new ResumingReader(owner.address, sources, headers),
      new ResumingReader(other.address, sources),
    ]
  }

  async run(): Promise<ResumeReport> {
    const { dice, options, readers } = this
    await this.start()
    const [owner] = this.clients
    await owner!.sandboxSetOracle({ symbol: 'BTC', price: '100000' })
    for (const client of this.clients) await client.sandboxFaucet({ amount: '1000000' })
    this.apiKey = (await owner!.createApiKey()).data.api_key
    for (const reader of readers) await reader.connect(this.wsUrl())
    for (let restart = 1; restart <= options.restarts; restart++) {
      await this.round()
      for (const reader of readers) {
        if (dice.chance(2)) await this.trade(dice.upTo(4))
        await reader.connect(this.wsUrl())
      }
      if (restart % 10 === 0) options.say(`${restart} restarts, ${this.rowCount()} rows`)
    }
    await this.trade(3)
    // Nothing waits for its release.
    await this.clients[0]!.sandboxSetClock({ freeze: true })
    await this.clients[0]!.sandboxSetClock({ advance_ms: 120_000 })
    for (const reader of readers) {
      await reader.settle()
      await requireSame(reader, this.url, reader.address === keys[0].address ? this.apiKey : null)
      await requireSince(reader, this.wsUrl())
      reader.cut()
    }
    await this.requireNothingBeforeRevert()
    await this.stop('SIGTERM')
    const { kills } = this
    const resumed = readers.reduce((sum, reader) => sum + reader.resumed, 0)
    const counts = sources.map((source) => [source, this.rowCount(source)] as const)
    return { restarts: options.restarts, kills, resumed, rows: Object.fromEntries(counts) }
  }

  /** Trades, ends and starts again; readers leave at any moment of it. */
  private async round(): Promise<void> {
    const { dice, readers } = this
    for (const reader of readers) {
      await this.trade(dice.upTo(6))
      if (dice.chance(2)) reader.cut()
    }
    const underWay = this.trade(dice.upTo(6))
    if (dice.chance(2)) await underWay
    const signal = dice.of(['SIGTERM', 'SIGKILL'] as const)
    if (signal === 'SIGKILL') this.kills += 1
    await this.stop(signal)
    await underWay
    for (const reader of readers) reader.cut()
    await this.start()
  }

  /** A revert and a restart: what happened since the revert is resumed, and nothing before. */
  private async requireNothingBeforeRevert(): Promise<void> {
    const [owner] = this.clients
    const [{ address }] = keys
    const { id } = await owner!.sandboxSnapshot()
    await this.trade(1)
    const before = await this.place()
    await owner!.sandboxRevert({ id })
    const after = await this.place()
    const order = { symbol: 'BTC', side: 'bid', price: '50000', amount: '0.01' } as const
    const { order_id } = await owner!.createOrder({ ...order, tif: 'ALO', reduce_only: false })
    await this.stop('SIGKILL')
    await this.start()
    await this.requireMissed(address, before, null)
    await this.requireMissed(address, after, order_id)
  }

  /** `order`: the only one that something happened to since then; null: nothing is resumed. */
  private async requireMissed(account: string, resume_from: number, order: number | null) {
    const client = await StreamClient.open(this.wsUrl())
    for (const source of sources) {
      const { data } = await client.subscribe(source, { account, resume_from })
      assert.equal((data as Row).resumed, order !== null, source)
    }
    await client.settle()
    for (const source of sources) {
      const rows = client.of(source).flatMap(({ data }) => data as readonly Row[])
      const isOfOrders = source === 'account_order_updates' || source === 'user_order_history'
      assert.deepEqual(
        rows.map(({ i }) => i),
        isOfOrders && order !== null ? [order] : [],
      )
    }
    await client.close()
  }

  private async place(): Promise<number> {
    const client = await StreamClient.open(this.wsUrl())
    const { li } = await client.subscribe('prices')
    await client.close()
    return li!
  }

  /** Requests that are cut off may have been carried out: history says so in the end. */
  private async trade(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++)
      await Promise.allSettled(Array.from({ length: this.dice.upTo(6) }, () => this.request()))
  }

  private request(): Promise<unknown> {
    const { dice } = this
    const client = dice.of(this.clients)
    if (dice.chance(8)) return client.sandboxFaucet({ amount: `${dice.upTo(900)}` })
    if (dice.chance(12)) return client.withdraw({ amount: `${dice.upTo(9)}` })
    if (dice.chance(40)) return client.sandboxSetClock({ advance_ms: 30_000 })
    const order = { symbol: 'BTC', reduce_only: false, side: dice.of(['bid', 'ask'] as const) }
    if (dice.chance(12))
      return client.cancelAllOrders({ all_symbols: true, exclude_reduce_only: false })
    if (dice.chance(12)) {
      const stop_price = order.side === 'bid' ? '110000' : '90000'
      return client.createStopOrder({ ...order, stop_order: { stop_price, amount: '0.01' } })
    }
    if (dice.chance(20)) {
      const terms = { slippage_percent: '1', duration_in_seconds: 60 }
      return client.createTwapOrder({ ...order, ...terms, amount: '0.03' })
    }
    return client.createOrder({
      ...order,
      price: `${100_000 + 10 * (dice.upTo(9) - 5)}`,
      amount: `0.0${dice.upTo(9)}`,
      tif: dice.of(['GTC', 'ALO', 'IOC'] as const),
    })
  }

  private wsUrl(): string {
    return `${this.url.replace('http', 'ws')}/ws`
  }

  private rowCount(source?: string): number {
    const wanted = source === undefined ? sources : [source]
    const counts = this.readers.flatMap(({ rows }) => wanted.map((each) => rows.get(each)!.length))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  private async start(): Promise<void> {
    const { gateways } = this.options
    const flags = ['--bots', 'off', '--verifiers', '1', '--gateways', `${gateways}`]
    this.child = new ChildExchange(this.data, flags)
    const { port } = await this.child.ready
    this.url = `http://127.0.0.1:${port}`
    this.clients = keys.map((signer) => new Client({ url: this.url, signer }))
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.child?.kill(signal)
    await this.child?.ended
  }
}
