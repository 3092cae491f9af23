// Snapshot, many random requests, revert, the same requests again: everything must come out the
// same. With the same signed bytes that is the whole state; where the second run signs again, it is
// all but the memory of used texts.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  subaccountConfirmText,
  subaccountInitiateText,
} from '../../../src/protocol/signing-text.ts'
import { adminToken, ChildExchange } from '../../support/running/child-exchange.ts'
import { Connection, dataOf } from '../../support/running/connection.ts'
import { accounts, Play, subaccount, timeless, windowMs } from './revert-play.ts'

export type RevertOptions = Readonly<{
  rounds: number
  requests: number
  seed: number
  say: (text: string) => void
}>

export type RevertReport = Readonly<{
  wrong: readonly string[]
  revertMsMax: number
  revertMsMedian: number
}>

type Hashes = Readonly<{ state_hash: string; trading_hash: string }>

/** What differs from round to round: a kill before the revert, a kill before each of the two
 *  times (a start is history, too), or new signatures. */
const kinds = ['same bytes', 'killed before', 'killed after', 'signed again'] as const
type Kind = (typeof kinds)[number]

const wrongMax = 20
/** When the first texts expire they are forgotten at some command, and the state is told apart by
 *  which. Before that a new exchange takes over. */
const freshMs = 300_000

export async function runRevertRounds(options: RevertOptions): Promise<RevertReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-reverts-'))
  const rounds = new RevertRounds(options, join(root, 'data'))
  try {
    return await rounds.run()
  } finally {
    await rounds.end()
    rmSync(root, { recursive: true, force: true })
  }
}

class RevertRounds {
  private readonly options: RevertOptions
  private readonly data: string
  private readonly wrong: string[] = []
  private readonly revertMs: number[] = []
  private child: ChildExchange | null = null
  private openedAt = 0
  private api: Connection | null = null
  private admin: Connection | null = null

  constructor(options: RevertOptions, data: string) {
    this.options = options
    this.data = data
  }

  async run(): Promise<RevertReport> {
    const { rounds, say } = this.options
    await this.open()
    for (let round = 0; round < rounds && this.wrong.length < wrongMax; round++) {
      if (performance.now() - this.openedAt > freshMs) await this.open()
      await this.round(round, kinds[round % kinds.length]!)
      if (round % 5 === 4) say(`${round + 1} reverts, ${this.wrong.length} wrong`)
    }
    const sorted = [...this.revertMs].sort((one, other) => one - other)
    const revertMsMedian = sorted[sorted.length >> 1] ?? 0
    return { wrong: this.wrong, revertMsMax: sorted.at(-1) ?? 0, revertMsMedian }
  }

  async end(): Promise<void> {
    await this.kill()
  }

  private async start(): Promise<void> {
    this.child = new ChildExchange(this.data, ['--bots', 'off', '--verifiers', '1'])
    const { port, adminPort } = await this.child.ready
    this.api = new Connection(port)
    this.admin = new Connection(adminPort, { authorization: `Bearer ${adminToken}` })
  }

  private async kill(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.child?.ended
    this.api?.close()
    this.admin?.close()
  }

  private async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  private async open(): Promise<void> {
    await this.kill()
    rmSync(this.data, { recursive: true, force: true })
    await this.start()
    this.openedAt = performance.now()
    const api = this.api!
    dataOf(await api.post('/api/v1/sandbox/clock', { freeze: true }))
    for (const { address: account } of accounts)
      dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '200000' }))
    // A simulation that a start interrupts goes on another way; a held price does not.
    const prices = dataOf<{ symbol: string; oracle: string }[]>(
      await api.get('/api/v1/info/prices'),
    )
    for (const { symbol, oracle: price } of prices)
      dataOf(await api.post('/api/v1/sandbox/oracle', { symbol, price }))
    const main = accounts[0]!
    const timed = { timestamp: Date.now(), expiry_window: windowMs }
    const sub_signature = await subaccount.sign(subaccountInitiateText(main.address, timed))
    const main_signature = await main.sign(subaccountConfirmText(sub_signature, timed))
    const both = { main_account: main.address, subaccount: subaccount.address }
    const body = { ...both, sub_signature, main_signature, ...timed }
    dataOf(await api.post('/api/v1/account/subaccount/create', body))
  }

  private async round(round: number, kind: Kind): Promise<void> {
    const { requests, seed } = this.options
    const { id } = dataOf<{ id: string }>(await this.api!.post('/api/v1/sandbox/snapshot', {}))
    const before = await this.hashes()
    if (kind === 'killed after') await this.restart()
    const stamp = Date.now()
    const first = await this.play(seed + round, stamp, requests)
    if (kind === 'killed before') await this.restart()
    const started = performance.now()
    dataOf(await this.api!.post('/api/v1/sandbox/revert', { id }))
    this.revertMs.push(performance.now() - started)
    this.compare(round, kind, 'reverted', [before.state_hash], [(await this.hashes()).state_hash])
    if (kind === 'killed after') await this.restart()
    const again = kind === 'signed again' ? Date.now() : stamp
    const second = await this.play(seed + round, again, requests)
    this.compare(round, kind, 'replies', first.replies, second.replies)
    this.compare(round, kind, 'reads', first.reads, second.reads)
    // The state hash covers the leader's stamps too (CORE-6), which are wall times.
    const shown = ({ hashes }: typeof first) => [hashes.trading_hash]
    this.compare(round, kind, 'trading hash', shown(first), shown(second))
  }

  private async play(seed: number, stamp: number, requests: number) {
    const play = new Play(this.api!, seed, stamp)
    await play.run(requests)
    return { replies: play.replies, reads: await this.reads(), hashes: await this.hashes() }
  }

  private compare(
    round: number,
    kind: Kind,
    what: string,
    first: readonly string[],
    second: readonly string[],
  ): void {
    const at = first.findIndex((text, n) => text !== second[n])
    if (at < 0 && first.length === second.length) return
    const shown = `${first[at]?.slice(0, 400)} then ${second[at]?.slice(0, 400)}`
    this.wrong.push(`round ${round} (${kind}): ${what} ${at} differ: ${shown}`)
  }

  private async hashes(): Promise<Hashes> {
    return dataOf<Hashes>(await this.admin!.get('/hash'))
  }

  /** Everything that can be read about the accounts and the markets, history included. */
  private async reads(): Promise<readonly string[]> {
    const ofAccounts = [...accounts, subaccount].flatMap(({ address }) => [
      `/account?account=${address}`,
      `/account/settings?account=${address}`,
      `/positions?account=${address}`,
      `/orders?account=${address}`,
      `/orders/history?account=${address}&limit=4000`,
      `/trades/history?account=${address}&limit=4000`,
      `/positions/history?account=${address}&limit=1000`,
    ])
    const ofMarkets = ['BTC', 'ETH', 'SOL', 'WIF'].flatMap((symbol) => [
      `/book?symbol=${symbol}`,
      `/trades?symbol=${symbol}`,
    ])
    const texts: string[] = []
    for (const path of [...ofAccounts, ...ofMarkets, '/info/prices', '/info']) {
      const { status, body } = await this.api!.get(`/api/v1${path}`)
      texts.push(`${path} ${status} ${JSON.stringify(body, timeless)}`)
    }
    return texts
  }
}
