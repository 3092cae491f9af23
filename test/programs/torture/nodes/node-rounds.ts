// Real nodes on real databases, clients that trade with them, and one blow after the other. After
// each of them orders must be accepted again, and the clients check that everything acknowledged is
// there. In the end every node has the same state, and so has one that begins with nothing.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../../support/http/held-sockets.ts'
import { Databases } from '../../../support/postgres/databases.ts'
import { Random } from '../../differential/random.ts'
import { BusyMachine } from './busy-machine.ts'
import { skewAll } from './clock-blow.ts'
import {
  type NodeBlow,
  type NodeScene,
  nodeBlows,
  rebuildingBlows,
  wireBlows,
} from './node-blows.ts'
import { NodeTraders } from './node-traders.ts'
import { Outsider } from './outsider.ts'
import { requireSameState } from './same-state.ts'
import { TradingNodes } from './trading-nodes.ts'

export type NodeRoundsOptions = Readonly<{
  /** In this order. */
  rounds: readonly NodeBlow[]
  seed: number
  nodes: 2 | 3
  /** This many follow before the next blow; a starting node takes time of the machine. */
  followers: number
  leaseMs: number
  pauseMs: number
  /** Does not wait for the end of a lease whose holder is known to have exited. */
  hurries: boolean
  orderTraders: number
  /** This many processes keep the machine busy from before the nodes start. */
  busyLoops?: number
  /** So long do clients trade before the first blow; nothing happens to the nodes. */
  calmMs?: number
  say?: (text: string) => void
}>

export type NodeReport = Readonly<{
  wrong: readonly string[]
  /** From a blow to the first order that is accepted again, in milliseconds. */
  recoveries: Readonly<Partial<Record<NodeBlow, readonly number[]>>>
  /** From the moment at which a leader stopped or hung to the next leader, in milliseconds. */
  led: Readonly<Partial<Record<NodeBlow, readonly number[]>>>
  known: number
  doubted: number
  seq: number
  hash: string
}>

/** This many requests are answered before each blow. */
const answeredMin = 20
/** And so long at most do they go on after that. */
const busyMsMax = 400
const wrongMax = 20
const workMsMax = 180_000
/** Bounds on a busy machine: from the start of the nodes to the first leader, and changes of the
 *  lead while nothing happens. */
const firstLeaderMsMax = 30_000
const changesMax = 1
const calmStepMs = 500
/** A client that got no reply waits for a check, which sends its text again before it expires. */
const calmCheckMs = 60_000

export async function runNodeRounds(options: NodeRoundsOptions): Promise<NodeReport> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-nodes-'))
  const rounds = new NodeRounds(options, root)
  try {
    return await rounds.run()
  } finally {
    await rounds.close()
    rmSync(root, { recursive: true, force: true })
  }
}

class NodeRounds {
  private readonly options: NodeRoundsOptions
  private readonly root: string
  private readonly random: Random
  private readonly traders: NodeTraders
  private readonly outsider: Outsider
  private readonly wrong: string[] = []
  private readonly recoveries: Partial<Record<NodeBlow, number[]>> = {}
  private readonly led: Partial<Record<NodeBlow, number[]>> = {}
  private databases: Databases | null = null
  private nodes: TradingNodes | null = null
  private machine: BusyMachine | null = null
  private startedAt = 0
  private firstLedMs: number | null = null

  constructor(options: NodeRoundsOptions, root: string) {
    this.options = options
    this.root = root
    this.random = new Random(options.seed)
    this.traders = new NodeTraders(options.seed, options.orderTraders)
    this.outsider = new Outsider(new Random(options.seed + 1))
  }

  async run(): Promise<NodeReport> {
    const { rounds, say } = this.options
    const nodes = await this.begin()
    const { traders, wrong, recoveries, led } = this
    await this.stayCalm(nodes)
    for (const [n, name] of rounds.entries()) {
      if (wrong.length >= wrongMax) break
      const ms = await this.round(name)
      recoveries[name] = [...(recoveries[name] ?? []), ms]
      const { known } = traders.counts
      say?.(`${n + 1} ${name}: accepted after ${ms} ms, ${known} known, ${wrong.length} wrong`)
    }
    await this.verify(true)
    const { databases } = this
    const state = await requireSameState(nodes, { root: this.root, url: databases!.url() })
    return { wrong, recoveries, led, ...traders.counts, ...state }
  }

  async close(): Promise<void> {
    this.traders.serve(null)
    await this.nodes?.close()
    await this.databases?.close()
    this.machine?.close()
  }

  private async begin(): Promise<TradingNodes> {
    const { rounds, nodes: count, leaseMs } = this.options
    const withWires = rounds.some((name) => wireBlows.has(name))
    const databases = await Databases.start()
    this.databases = databases
    if (withWires) await databases.putWires()
    const flags = ['--bots', 'off', '--verifiers', '1', '--snapshot-commands', '20000']
    const place = { databases, root: this.root, count, leaseMs, withWires, flags }
    // Replies of the last leader that are still pending are given up.
    const onLead = () => {
      this.firstLedMs ??= Math.round(performance.now() - this.startedAt)
      this.traders.serve(this.nodes?.port ?? null)
    }
    const { busyLoops = 0 } = this.options
    if (busyLoops > 0) this.machine = new BusyMachine(busyLoops)
    this.startedAt = performance.now()
    this.nodes = await TradingNodes.start({ ...place, onLead })
    await this.nodes.ask((api) => this.outsider.open(api))
    this.traders.serve(this.nodes.port)
    await this.traders.open()
    return this.nodes
  }

  /** Clients trade, and leaders change only by themselves. */
  private async stayCalm(nodes: TradingNodes): Promise<void> {
    const { calmMs = 0, say } = this.options
    say?.(`a node led ${this.firstLedMs} ms after the start`)
    if (this.machine !== null && this.firstLedMs! > firstLeaderMsMax)
      this.addWrong(`the first leader took ${this.firstLedMs} ms`)
    if (calmMs === 0) return
    await this.busy()
    const before = await this.term()
    let checkAt = performance.now() + calmCheckMs
    for (const end = performance.now() + calmMs; performance.now() < end; ) {
      await wait(calmStepMs)
      for (const node of nodes.all) if (node.hasEnded) say?.(`${node.name} ended: ${node.why}`)
      await nodes.inStep(0)
      if (performance.now() < checkAt) continue
      await this.traders.rest()
      await this.verify(false)
      this.traders.trade()
      checkAt = performance.now() + calmCheckMs
    }
    await this.traders.rest()
    const changes = (await this.term()) - before
    const { known } = this.traders.counts
    say?.(`${changes} changes of the lead in ${calmMs / 60_000} min, ${known} known`)
    if (changes > changesMax) this.addWrong(`the lead changed ${changes} times by itself`)
    await this.verify(false)
  }

  private async term(): Promise<number> {
    const text = 'SELECT term::int AS term FROM openperp_lead'
    const [row] = await this.databases!.primary.query<{ term: number }>(text)
    return row!.term
  }

  private async round(name: NodeBlow): Promise<number> {
    const { traders, outsider, options, random } = this
    const nodes = this.nodes!
    await this.busy()
    const scene: NodeScene = {
      databases: this.databases!,
      nodes,
      outsider,
      random,
      leaseMs: options.leaseMs,
      pauseMs: options.pauseMs,
      hurries: options.hurries,
      acknowledged: () => traders.counts.known,
      noteLed: (ms) => {
        this.led[name] = [...(this.led[name] ?? []), ms]
      },
    }
    const { rebuilt } = nodes
    const began = performance.now()
    const repair = await nodeBlows[name](scene)
    const next = () => {
      nodes.startIfAllEnded()
      return nodes.port
    }
    const accepted = await outsider.accepted(next).catch((error) => {
      throw new Error([error, ...nodes.all.map((node) => node.said)].join('\n'))
    })
    await repair?.()
    await traders.rest()
    await this.verify(false)
    if (nodes.rebuilt > rebuilt && !rebuildingBlows.has(name))
      this.addWrong(`${name}: a node had history that is not part of the chain`)
    return Math.round(accepted - began)
  }

  /** All clients trade, for a while. */
  private async busy(): Promise<void> {
    const { traders } = this
    const nodes = this.nodes!
    await nodes.someLeader()
    skewAll(nodes, this.random)
    traders.serve(nodes.port)
    const before = traders.counts.known
    traders.trade()
    await until(() => traders.counts.known >= before + answeredMin, workMsMax)
    await wait(this.random.below(busyMsMax))
  }

  private async verify(all: boolean): Promise<void> {
    const { traders, options } = this
    let wrong: readonly string[] | null = null
    const look = async () => {
      await this.nodes!.inStep(options.followers)
      traders.serve(this.nodes!.port)
      wrong = await traders.verify(all)
      return wrong !== null
    }
    await until(look, workMsMax).catch((error) => {
      throw new Error('the traders cannot look', { cause: traders.notAnswered ?? error })
    })
    for (const what of wrong!) this.addWrong(what)
  }

  private addWrong(what: string): void {
    this.options.say?.(`wrong: ${what}`)
    this.wrong.push(what)
  }
}
