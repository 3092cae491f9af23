// A network that delays, cuts one direction and resets, between every two parts of a cluster with a
// read replica, while clients trade and read at it and at the leader. After each round orders must
// be accepted again at both, and every client checks that all its acknowledgements hold. In the end
// the journal says whether every read was the state at its entry.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../support/http/held-sockets.ts'
import { Databases } from '../../../support/postgres/databases.ts'
import type { Direction, Wire } from '../../../support/postgres/wire.ts'
import { Connection } from '../../../support/running/connection.ts'
import { stateOf } from '../../../support/running/exchange-node.ts'
import { Random } from '../../differential/random.ts'
import { Outsider } from '../../torture/nodes/outsider.ts'
import { ReadRecorder } from './read-recorder.ts'
import { checkRecorded } from './replay-checker.ts'
import { SteadyTraders } from './steady-traders.ts'
import { WiredNodes } from './wired-nodes.ts'

export const pairs = [
  'client–reader',
  'client–leader',
  'reader–leader',
  'reader–database',
  'leader–database',
] as const
export const faults = ['slow', 'cut', 'reset'] as const

export type NetworkRound = Readonly<{
  pair: (typeof pairs)[number]
  fault: (typeof faults)[number]
}>

export type NetworkOptions = Readonly<{
  rounds: readonly NetworkRound[]
  seed: number
  leaseMs: number
  /** How long a wire is slow or cut at most. */
  strikeMsMax: number
  say?: (text: string) => void
}>

export type NetworkReport = Readonly<{
  wrong: readonly string[]
  known: number
  doubted: number
  reads: ReadRecorder['counts']
  /** Different reads of different entries that were checked against the journal. */
  checked: number
  seq: number
  /** From the end of a fault to an order that is accepted where clients read. */
  recoveriesMs: readonly number[]
}>

const directions: readonly (readonly Direction[])[] = [['there'], ['back'], ['there', 'back']]
const symbols = ['BTC', 'ETH', 'SOL']
const answeredMin = 10
const workMsMax = 60_000
const wrongMax = 20

export async function runNetworkRounds(options: NetworkOptions): Promise<NetworkReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-network-'))
  const rounds = new NetworkRounds(options, root)
  try {
    return await rounds.run()
  } finally {
    await rounds.close()
    rmSync(root, { recursive: true, force: true })
  }
}

class NetworkRounds {
  private readonly options: NetworkOptions
  private readonly root: string
  private readonly random: Random
  private readonly outsider: Outsider
  private readonly atReader: SteadyTraders
  private readonly atLeader: SteadyTraders
  private readonly wrong: string[] = []
  private databases: Databases | null = null
  private nodes: WiredNodes | null = null
  private recorder: ReadRecorder | null = null

  constructor(options: NetworkOptions, root: string) {
    const { seed } = options
    this.options = options
    this.root = root
    this.random = new Random(seed)
    this.outsider = new Outsider(new Random(seed + 1))
    this.atReader = new SteadyTraders('at the reader', seed * 10 + 1)
    this.atLeader = new SteadyTraders('at the leader', seed * 10 + 5)
  }

  async run(): Promise<NetworkReport> {
    const { rounds, say } = this.options
    const { wrong } = this
    await this.begin()
    const recoveriesMs: number[] = []
    for (const [n, round] of rounds.entries()) {
      if (wrong.length >= wrongMax) break
      const before = wrong.length
      const ms = await this.round(round).catch((error: Error) => {
        throw new Error(`${round.pair} ${round.fault}: ${this.lastWords()}`, { cause: error })
      })
      for (const what of wrong.slice(before)) say?.(`wrong: ${what}`)
      recoveriesMs.push(ms)
      const { replies } = this.recorder!.counts
      const result = `accepted after ${ms} ms, ${replies} reads, ${wrong.length} wrong`
      say?.(`${n + 1} ${round.pair} ${round.fault}: ${result}`)
    }
    await this.verify(true)
    return this.check(recoveriesMs)
  }

  async close(): Promise<void> {
    for (const traders of this.traders) traders.serve(null)
    await this.recorder?.stop()
    await this.nodes?.close()
    await this.databases?.close()
  }

  private get traders(): readonly [SteadyTraders, SteadyTraders] {
    return [this.atReader, this.atLeader]
  }

  private async begin(): Promise<void> {
    const { leaseMs } = this.options
    const databases = await Databases.start()
    this.databases = databases
    const nodes = await WiredNodes.start({ databases, root: this.root, leaseMs })
    this.nodes = nodes
    this.connect()
    for (const traders of this.traders) await traders.open()
    const api = new Connection(nodes.reader.front!.port)
    await this.outsider.open(api)
    api.close()
    const accounts = this.traders.flatMap((traders) => traders.accounts.slice(0, 3))
    const ofAccounts = ['positions', 'orders', 'account'].flatMap((what) =>
      accounts.map((account) => `/${what}?account=${account}`),
    )
    const paths = [...symbols.map((symbol) => `/book?symbol=${symbol}`), ...ofAccounts]
    const [reader, leader] = [
      () => nodes.reader.front?.port ?? null,
      () => nodes.leader?.front?.port ?? null,
    ]
    const say = (what: string) => this.wrong.push(what)
    const places = [reader, reader, reader, leader, leader]
    this.recorder = new ReadRecorder({ random: this.random, paths, places, say })
  }

  private connect(): void {
    this.atReader.serve(this.nodes!.reader.front?.port ?? null)
    this.atLeader.serve(this.nodes!.leader?.front?.port ?? null)
  }

  private async round({ pair, fault }: NetworkRound): Promise<number> {
    const nodes = this.nodes!
    await this.busy()
    for (const traders of this.traders) traders.struck = true
    await this.strike(await this.wiresOf(pair), fault)
    const healedAt = performance.now()
    const accepted = await this.outsider.accepted(() => {
      for (const node of nodes.traders) if (node.hasEnded) node.start()
      return nodes.reader.front?.port ?? null
    })
    for (const traders of this.traders) traders.struck = false
    if (nodes.reader.hasEnded) this.wrong.push(`the reader ended: ${nodes.reader.process.errors}`)
    await this.heardOfReader()
    await this.verify(false)
    return Math.round(accepted - healedAt)
  }

  private lastWords(): string {
    const { traders, reader } = this.nodes!
    return [...traders, reader]
      .map(({ name, hasEnded, process }) => `${name} ${hasEnded}:\n${process.errors.slice(-3_000)}`)
      .join('\n')
  }

  /** It announces itself to the others again. */
  private async heardOfReader(): Promise<void> {
    const { primary } = this.databases!
    const { name } = this.nodes!.reader
    const [{ since }] = (await primary.query<{ since: string }>('SELECT now()::text AS since')) as [
      { since: string },
    ]
    await until(async () => {
      const rows = await primary.query(
        `SELECT 1 FROM openperp_node WHERE name = '${name}' AND reported > '${since}'::timestamptz`,
      )
      return rows.length === 1
    }, workMsMax)
  }

  private async busy(): Promise<void> {
    await this.nodes!.inStep()
    this.connect()
    for (const traders of this.traders) {
      const before = traders.counts.known
      traders.trade()
      await until(() => traders.counts.known >= before + answeredMin, workMsMax)
    }
    await wait(this.random.below(200))
  }

  private async wiresOf(pair: NetworkRound['pair']): Promise<readonly Wire[]> {
    const nodes = this.nodes!
    const leader = await nodes.someLeader()
    switch (pair) {
      case 'client–reader':
        return [nodes.reader.front!]
      case 'client–leader':
        return [leader.front!]
      case 'reader–leader':
        return [nodes.linkOf(leader)]
      case 'reader–database':
        return nodes.reader.wires
      case 'leader–database':
        return leader.wires
      default:
        return pair satisfies never
    }
  }

  private async strike(wires: readonly Wire[], fault: NetworkRound['fault']): Promise<void> {
    const { random } = this
    if (fault === 'reset') {
      for (const wire of wires) wire.reset()
      return
    }
    if (fault === 'slow') for (const wire of wires) wire.slow(random.between(5, 60))
    else {
      const which = random.pick(directions)
      for (const wire of wires) wire.cut(...which)
    }
    await wait(random.between(20, this.options.strikeMsMax))
    for (const wire of wires) wire.heal()
  }

  private async verify(all: boolean): Promise<void> {
    await Promise.all(this.traders.map((traders) => traders.rest()))
    for (let tries = 0; ; tries++) {
      await this.nodes!.inStep()
      this.connect()
      const { leader } = this.nodes!
      try {
        const found: string[] = []
        // One after the other: what one of them sends again may trade with an order of another.
        for (const traders of this.traders) found.push(...(await traders.verify(all)))
        if (leader !== null && this.nodes!.leader === leader) return void this.wrong.push(...found)
      } catch (error) {
        // Another node may have taken the lead meanwhile.
        if (tries === 5) throw error
      }
    }
  }

  /** By the journals, once all nodes have ended. */
  private async check(recoveriesMs: readonly number[]): Promise<NetworkReport> {
    const nodes = this.nodes!
    await this.recorder!.stop()
    const leader = await nodes.someLeader()
    const { seq } = await stateOf(leader.folder)
    await until(async () => (await stateOf(nodes.reader.folder)).seq >= seq, workMsMax)
    await nodes.close()
    const { recorded, counts } = this.recorder!
    const byReader = await checkRecorded(nodes.reader.folder, recorded)
    const byLeader = await checkRecorded(leader.folder, recorded)
    const wrong = [...this.wrong, ...byReader.wrong, ...byLeader.wrong]
    const [known, doubted] = (['known', 'doubted'] as const).map((what) =>
      this.traders.reduce((sum, traders) => sum + traders.counts[what], 0),
    ) as [number, number]
    const checked = byReader.reads
    return { wrong, known, doubted, reads: counts, checked, seq: byReader.seq, recoveriesMs }
  }
}
