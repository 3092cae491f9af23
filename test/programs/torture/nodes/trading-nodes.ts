// All nodes of a cluster on its databases, and the one that leads.

import { until } from '../../../support/http/held-sockets.ts'
import type { Databases } from '../../../support/postgres/databases.ts'
import { Wire } from '../../../support/postgres/wire.ts'
import { Connection } from '../../../support/running/connection.ts'
import { TradingNode } from './trading-node.ts'

const names = ['left', 'middle', 'right'] as const
const leadsMsMax = 180_000
const stepMsMax = 240_000

export type NodesOptions = Readonly<{
  databases: Databases
  root: string
  count: 2 | 3
  leaseMs: number
  /** Between each node and each database. */
  withWires: boolean
  flags: readonly string[]
  onLead: (node: TradingNode) => void
}>

export class TradingNodes {
  readonly all: readonly TradingNode[]
  private last: TradingNode | null = null

  private constructor(all: readonly TradingNode[]) {
    this.all = all
  }

  static async start(options: NodesOptions): Promise<TradingNodes> {
    const { databases, root, count, withWires } = options
    const flags = ['--lease-ms', String(options.leaseMs), ...options.flags]
    const all: TradingNode[] = []
    const nodes = new TradingNodes(all)
    const onLead = (node: TradingNode) => {
      nodes.last = node
      options.onLead(node)
    }
    for (const name of names.slice(0, count)) {
      const sockets = withWires ? databases.all.map(({ socket }) => socket) : []
      const wires = await Promise.all(sockets.map((socket) => Wire.to(socket)))
      const hosts = wires.map(({ port }) => `127.0.0.1:${port}`).join(',')
      const url = withWires ? `postgres://openperp@${hosts}/postgres` : databases.url()
      all.push(new TradingNode(name, { root, url, flags, wires }, onLead))
    }
    await nodes.inStep()
    return nodes
  }

  /** The node that leads and serves; null: none. */
  get leader(): TradingNode | null {
    const { last } = this
    return last === null || last.front === null ? null : last
  }

  /** Where clients find the leader. */
  get port(): number | null {
    return this.leader?.front?.port ?? null
  }

  get followers(): readonly TradingNode[] {
    return this.all.filter((node) => node !== this.leader)
  }

  get rebuilt(): number {
    return this.all.reduce((sum, { rebuilt }) => sum + rebuilt, 0)
  }

  /** As a supervisor would; as long as one is left, it has the machine for itself. */
  startIfAllEnded(): void {
    if (this.all.every(({ hasEnded }) => hasEnded)) for (const node of this.all) node.start()
  }

  /** Sends it to the leader, and to the next one if that fails; an answer of a node is final. */
  async ask<T>(work: (api: Connection) => Promise<T>): Promise<T> {
    const deadline = performance.now() + stepMsMax
    for (;;) {
      const leader = await this.someLeader()
      const api = new Connection(leader.front!.port)
      try {
        return await work(api)
      } catch (error) {
        const isUnreachable = (error as NodeJS.ErrnoException).code !== undefined
        if (!isUnreachable || performance.now() > deadline) throw error
        await this.inStep(0)
      } finally {
        api.close()
      }
    }
  }

  async someLeader(): Promise<TradingNode> {
    await until(() => this.leader !== null, leadsMsMax)
    return this.leader!
  }

  /** Until one leads and this many others follow (default: all); nodes that ended are restarted. */
  async inStep(others = this.all.length - 1): Promise<void> {
    await until(async () => {
      for (const node of this.all) if (node.hasEnded) node.start()
      const { followers } = this
      const follows = await Promise.all(followers.map((node) => node.follows()))
      return this.leader !== null && follows.filter(Boolean).length >= others
    }, stepMsMax)
  }

  /** As an operator stops them. */
  async stop(): Promise<void> {
    await Promise.all(this.all.map((node) => node.stop()))
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((node) => node.close()))
    for (const wire of this.all.flatMap(({ wires }) => wires)) wire.close()
  }
}
