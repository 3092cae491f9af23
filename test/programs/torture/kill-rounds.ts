// An exchange that is killed again and again while clients trade. After every kill the data folder
// is read as a start would read it and compared with a replay from the genesis; after every start
// the clients check that everything acknowledged is there.

import { mkdtempSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkInvariants } from '../../../src/core/index.ts'
import { unfinished } from '../../../src/journal/atomic-file.ts'
import { stopMsMax } from '../../../src/main/stopping/stop-in-order.ts'
import { pathsOf, readDataFolder } from '../../../src/sequencer/data-folder.ts'
import { recover } from '../../../src/sequencer/replica/recover.ts'
import { SavedStateFiles } from '../../../src/sequencer/snapshots/saved-state-files.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { snapshotsKept } from '../../../src/sources/sandbox-snapshots.ts'
import { ChildExchange } from '../../support/running/child-exchange.ts'
import { Connection, dataOf } from '../../support/running/connection.ts'
import { Random } from '../differential/random.ts'
import { drawnKey, type Mark, Ticker } from './action.ts'
import { OrderTrader } from './order-trader.ts'
import { LeverageTrader, TpslTrader } from './register-trader.ts'
import { Replayed } from './replayed.ts'
import type { Trader } from './trader.ts'
import { TransferTrader } from './transfer-trader.ts'

export type KillOptions = Readonly<{
  kills: number
  seed: number
  traders: number
  /** Longest load before a kill. */
  loadMsMax: number
  say: (text: string) => void
}>

export type KillReport = Readonly<{
  wrong: readonly string[]
  kills: number
  /** Requests whose outcome a client knew, and those it had to find out. */
  known: number
  doubted: number
  entries: number
  moments: Readonly<Record<string, number>>
  readyMsMax: number
}>

/** When the process is killed. `stop` does not kill it: it ends in order, under load. */
const moments = {
  load: 10,
  starting: 4,
  snapshot: 4,
  saving: 3,
  reverting: 3,
  stop: 1,
} as const
type Moment = keyof typeof moments

const wrongMax = 20
const flags = ['--snapshot-commands', '1000', '--verifiers', '1']

export async function runKillRounds(options: KillOptions): Promise<KillReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-torture-'))
  const rounds = new KillRounds(options, join(root, 'data'))
  try {
    return await rounds.run()
  } finally {
    await rounds.end()
    rmSync(root, { recursive: true, force: true })
  }
}

class KillRounds {
  private readonly options: KillOptions
  private readonly data: string
  private readonly random: Random
  private readonly ticker = new Ticker()
  private readonly traders: readonly Trader[]
  private readonly replayed: Replayed
  private readonly wrong: string[] = []
  private readonly counted: Record<string, number> = {}
  private marks: Mark[] = []
  private child: ChildExchange | null = null
  private api: Connection | null = null
  private kills = 0
  private lastSeq = 0
  private readyMsMax = 0

  constructor(options: KillOptions, data: string) {
    this.options = options
    this.data = data
    this.random = new Random(options.seed)
    this.replayed = new Replayed(data)
    const { random, ticker } = this
    const key = () => drawnKey(random)
    const drawn = (n: number) => new Random(options.seed * 1_000 + n)
    this.traders = [
      ...Array.from({ length: options.traders }, (_, n) => {
        return new OrderTrader(`trader ${n}`, key(), { random: drawn(n), ticker })
      }),
      new TransferTrader(key(), key(), ticker),
      new LeverageTrader(key(), ticker),
      new TpslTrader(key(), ticker),
    ]
  }

  async run(): Promise<KillReport> {
    const { options, wrong } = this
    await this.start()
    for (const trader of this.traders) await trader.open(this.api!)
    while (this.kills < options.kills && wrong.length < wrongMax) {
      await this.verify(this.kills % 50 === 49)
      await this.round(this.random.weighted(moments))
      await this.start()
      if (this.kills % 10 === 0)
        options.say(`${this.kills} kills, entry ${this.replayed.seq}, ${wrong.length} wrong`)
    }
    await this.verify(true)
    const counts = this.traders.map((trader) => trader.counts())
    const sum = (of: (each: (typeof counts)[number]) => number) =>
      counts.reduce((total, each) => total + of(each), 0)
    return {
      wrong,
      kills: this.kills,
      known: sum(({ known }) => known),
      doubted: sum(({ doubted }) => doubted),
      entries: this.replayed.seq,
      moments: this.counted,
      readyMsMax: Math.round(this.readyMsMax),
    }
  }

  async end(): Promise<void> {
    this.child?.kill('SIGKILL')
    await this.child?.ended
    this.disconnect()
  }

  private async round(moment: Moment): Promise<void> {
    this.counted[moment] = (this.counted[moment] ?? 0) + 1
    if (moment === 'reverting' && this.marks.length > 0) await this.killReverting()
    else if (moment === 'stop') await this.stop()
    else await this.killUnderLoad(moment)
    this.disconnect()
    await this.compare(moment)
    if (moment === 'starting') await this.killStarting()
  }

  private async start(): Promise<void> {
    const started = performance.now()
    this.child = new ChildExchange(this.data, flags)
    const { port } = await this.child.ready
    this.readyMsMax = Math.max(this.readyMsMax, performance.now() - started)
    this.api = new Connection(port)
    for (const trader of this.traders) trader.connect(port)
  }

  private async kill(): Promise<void> {
    this.kills += 1
    this.child!.kill('SIGKILL')
    await this.child!.ended
  }

  private disconnect(): void {
    this.api?.close()
    for (const trader of this.traders) trader.disconnect()
  }

  private async killUnderLoad(moment: Moment): Promise<void> {
    const ended = this.load()
    await later(this.random.between(10, this.options.loadMsMax))
    if (moment === 'saving' || moment === 'reverting') {
      const from = this.ticker.next()
      const saving = this.api!.post('/api/v1/sandbox/snapshot', {})
      // Now and then it is there before the kill.
      const inTime = await Promise.race([saved(saving), later(this.random.between(0, 40))])
      if (inTime !== undefined) this.marks.push({ id: inTime, from, to: this.ticker.next() })
    } else if (moment === 'snapshot') await this.snapshotUnderWay()
    await this.kill()
    await ended
  }

  /** Until a snapshot file is being written. */
  private async snapshotUnderWay(): Promise<void> {
    await new Promise<void>((resolve) => {
      const watcher = watch(pathsOf(this.data).snapshots, (_, name) => {
        if (name?.endsWith(unfinished)) done()
      })
      const timeout = setTimeout(() => done(), 5 * this.options.loadMsMax)
      const done = () => {
        watcher.close()
        clearTimeout(timeout)
        resolve()
      }
    })
    await later(this.random.between(0, 5))
  }

  private async killReverting(): Promise<void> {
    const mark = this.random.pick(this.marks)
    const ended = this.load(this.random.between(10, this.options.loadMsMax))
    await ended
    await this.kept()
    this.api!.post('/api/v1/sandbox/revert', { id: mark.id }).catch(() => undefined)
    await later(this.random.between(0, 60))
    const { timeline } = this.replayed
    await this.kill()
    await this.replayed.follow()
    // Whether it went back, history says; a client can only ask.
    if (this.replayed.timeline === timeline) return
    this.marks = this.marks.slice(0, this.marks.indexOf(mark) + 1)
    for (const trader of this.traders) trader.reverted(mark)
  }

  private async kept(): Promise<void> {
    const list = dataOf<{ id: string }[]>(await this.api!.get('/api/v1/sandbox/snapshots'))
    const ids = new Set(list.map(({ id }) => id))
    const lost = this.marks.filter(({ id }) => !ids.has(id))
    if (lost.length > 0 && list.length < snapshotsKept)
      this.wrong.push(`snapshots lost: ${lost.map(({ id }) => id).join(', ')}`)
    this.marks = this.marks.filter(({ id }) => ids.has(id))
  }

  /** SIGTERM under load: everything is finished and written, and the next start replays nothing. */
  private async stop(): Promise<void> {
    const ended = this.load()
    await later(this.random.between(10, this.options.loadMsMax))
    const began = performance.now()
    this.child!.kill('SIGTERM')
    const { code } = await this.child!.ended
    const ms = performance.now() - began
    await ended
    if (code !== 0 || ms > stopMsMax)
      this.wrong.push(`SIGTERM ended with ${code} after ${Math.round(ms)} ms`)
  }

  /** Kills starts, some before they read anything, some when they are nearly done. */
  private async killStarting(): Promise<void> {
    for (let n = this.random.between(1, 3); n > 0; n--) {
      this.child = new ChildExchange(this.data, flags)
      await Promise.race([later(this.random.between(0, 1_200)), this.child.ready])
      await this.kill()
      await this.compare('starting')
    }
  }

  /** The folder as the next start will read it, against history from its beginning. */
  private async compare(moment: Moment): Promise<void> {
    const { wrong, replayed, data } = this
    const errors = this.child!.errors.split('\n').filter((line) => /"level":[56]0/.test(line))
    for (const line of errors) wrong.push(`the process said: ${line.slice(0, 300)}`)
    await replayed.follow()
    const saved = new SavedStateFiles(pathsOf(data).saved, { keptMax: snapshotsKept })
    const { replica, from } = await recover(readDataFolder(data), { saved })
    if (replica.seq !== replayed.seq || stateHash(replica.state) !== replayed.hash)
      wrong.push(`recovered from ${from}: entry ${replica.seq} is not entry ${replayed.seq}`)
    for (const breach of checkInvariants(replica.state)) wrong.push(`invariant: ${breach}`)
    if (moment === 'stop' && from !== replica.seq)
      wrong.push(`stopped in order at ${replica.seq}, and a start replays from ${from}`)
    if (replica.seq < this.lastSeq) wrong.push(`entry ${replica.seq} after ${this.lastSeq}`)
    this.lastSeq = replica.seq
  }

  /** All clients together, for a time or until the exchange no longer answers. */
  private async load(ms = Number.POSITIVE_INFINITY): Promise<void> {
    const until = performance.now() + ms
    await Promise.all(
      this.traders.map(async (trader) => {
        while (performance.now() < until) if (!(await trader.step())) return
      }),
    )
  }

  private async verify(all: boolean): Promise<void> {
    const api = this.api!
    const reply = await api.get(`/api/v1/orders?account=${drawnKey(new Random(1)).address}`)
    const { last_order_id: li } = reply.body as { last_order_id: number }
    if (li < this.lastSeq) this.wrong.push(`li ${li} after entry ${this.lastSeq}`)
    for (const trader of this.traders) this.wrong.push(...(await trader.verify(api, all)))
  }
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}

/** The id of the snapshot; undefined: the process was killed meanwhile. */
async function saved(reply: ReturnType<Connection['post']>): Promise<string | undefined> {
  try {
    return dataOf<{ id: string }>(await reply).id
  } catch {
    // Killed meanwhile: whether it exists does not matter, it was not acknowledged.
    return undefined
  }
}
