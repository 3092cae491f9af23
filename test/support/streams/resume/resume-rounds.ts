// A real exchange that is stopped or killed again and again while two accounts trade. Readers of
// their streams lose their connections before it, by it or after it, and resume at the next start.
// In the end they must have every event of the history that REST has, in order, and none twice.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../../../../src/client/client.ts'
import { ChildExchange } from '../../running/child-exchange.ts'
import { Dice } from '../dice.ts'
import { keyNamed } from '../live-exchange.ts'
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
const transferNames = ['event_type', 'amount', 'balance', 'pending_balance', 'created_at'] as const
const transferFields = (row: Row) => transferNames.map((name) => row[name])

/** Where REST has the events of a source, and the fields that both have. */
const histories = {
  account_trades: {
    path: '/trades/history',
    isOf: () => true,
    streamed: ({ h, i, I, a, p, o, f, n, te, ts, t }: Row) => [h, i, I, a, p, o, f, n, te, ts, t],
    stored: (row: Row) => [
      ...[row.history_id, row.order_id, row.client_order_id, row.amount, row.price],
      ...[row.entry_price, row.fee, row.pnl, row.event_type, row.side, row.created_at],
    ],
  },
  account_transfers: {
    path: '/account/balance/history',
    isOf: ({ event_type }: Row) => event_type === 'deposit' || event_type === 'withdraw',
    streamed: transferFields,
    stored: transferFields,
  },
} as const
type Source = keyof typeof histories
const sources = Object.keys(histories) as Source[]

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
  private readonly readers = keys.map(({ address }) => new ResumingReader(address, sources))
  private child: ChildExchange | null = null
  private url = ''
  private clients: readonly Client[] = []
  private kills = 0

  constructor(options: ResumeOptions, data: string) {
    this.options = options
    this.data = data
    this.dice = new Dice(options.seed)
  }

  async run(): Promise<ResumeReport> {
    const { dice, options, readers } = this
    await this.start()
    // Orders match when they arrive while the clock stands still.
    await this.clients[0]!.sandboxSetClock({ freeze: true })
    await this.clients[0]!.sandboxSetOracle({ symbol: 'BTC', price: '100000' })
    for (const client of this.clients) await client.sandboxFaucet({ amount: '1000000' })
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
    for (const reader of readers) {
      await reader.settle()
      for (const source of sources) await this.requireSame(reader, source)
      reader.cut()
    }
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
    return client.createOrder({
      symbol: 'BTC',
      side: dice.of(['bid', 'ask'] as const),
      price: `${100_000 + 10 * (dice.upTo(9) - 5)}`,
      amount: `0.0${dice.upTo(9)}`,
      tif: dice.of(['GTC', 'ALO', 'IOC'] as const),
      reduce_only: false,
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

  private async requireSame(reader: ResumingReader, source: Source): Promise<void> {
    const { path, isOf, streamed, stored } = histories[source]
    const rows = await this.all(`${path}?account=${reader.address}&limit=4000`)
    // The first deposit came before the reader did.
    const expected = rows.filter(isOf).slice(source === 'account_transfers' ? 1 : 0)
    assert.deepEqual(reader.rows.get(source)!.map(streamed), expected.map(stored))
  }

  /** Oldest first. */
  private async all(path: string): Promise<readonly Row[]> {
    const rows: Row[] = []
    let cursor = ''
    for (;;) {
      const reply = await fetch(`${this.url}/api/v1${path}${cursor}`)
      const { data, next_cursor } = (await reply.json()) as { data: Row[]; next_cursor: string }
      rows.push(...data)
      if (next_cursor === null) return rows.reverse()
      cursor = `&cursor=${next_cursor}`
    }
  }
}
