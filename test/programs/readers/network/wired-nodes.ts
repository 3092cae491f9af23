// Two nodes that trade and a read replica, the real program, with a wire between every two parts:
// clients, nodes and databases. Nodes learn of each other's links from the database, which has the
// address of the wire in place of their own, as behind a router.

import { until } from '../../../support/http/held-sockets.ts'
import { steadyPorts } from '../../../support/http/steady-ports.ts'
import type { Databases } from '../../../support/postgres/databases.ts'
import { Wire } from '../../../support/postgres/wire.ts'
import { asReader, tradesFor } from '../../../support/running/link-flags.ts'
import { TradingNode } from '../../torture/nodes/trading-node.ts'

const names = ['one', 'two'] as const
const leadsMsMax = 60_000

export type WiredOptions = Readonly<{ databases: Databases; root: string; leaseMs: number }>

export class WiredNodes {
  readonly traders: TradingNode[] = []
  reader!: TradingNode
  /** In front of the link of each node that trades. */
  private readonly links = new Map<TradingNode, Wire>()
  private readonly options: WiredOptions
  private last: TradingNode | null = null

  private constructor(options: WiredOptions) {
    this.options = options
  }

  static async start(options: WiredOptions): Promise<WiredNodes> {
    const nodes = new WiredNodes(options)
    for (const name of names) {
      // Known before the node is started, so that a wire can lead there.
      const [port] = await steadyPorts(1)
      const node = await nodes.make(name, [...tradesFor('eyes'), '--link-port', String(port)])
      nodes.traders.push(node)
      nodes.links.set(node, await Wire.to(port!))
    }
    const [one, two] = nodes.traders as [TradingNode, TradingNode]
    one.start()
    await nodes.someLeader()
    await nodes.hideLinks()
    two.start()
    nodes.reader = await nodes.make('eyes', asReader)
    nodes.reader.start()
    await nodes.inStep()
    return nodes
  }

  /** The node that leads and serves; null: none. */
  get leader(): TradingNode | null {
    return this.last?.front == null ? null : this.last
  }

  async someLeader(): Promise<TradingNode> {
    await until(() => this.leader !== null, leadsMsMax)
    return this.leader!
  }

  linkOf(node: TradingNode): Wire {
    return this.links.get(node)!
  }

  /** Until one leads, the other follows, and clients are served where they read. A trading node
   *  that has ended is restarted, as its supervisor would. */
  async inStep(): Promise<void> {
    await until(async () => {
      for (const node of this.traders) if (node.hasEnded) node.start()
      if (this.reader.hasEnded) throw new Error(`the reader ended: ${this.reader.process.errors}`)
      const others = this.traders.filter((node) => node !== this.leader)
      const follow = await Promise.all(others.map((node) => node.follows()))
      return this.leader !== null && follow.every(Boolean) && this.reader.front !== null
    }, leadsMsMax)
  }

  async close(): Promise<void> {
    const all = [...this.traders, ...(this.reader === undefined ? [] : [this.reader])]
    await Promise.all(all.map((node) => node.close()))
    for (const wire of [...all.flatMap(({ wires }) => wires), ...this.links.values()]) wire.close()
  }

  private async make(name: string, flags: readonly string[]): Promise<TradingNode> {
    const { databases, root, leaseMs } = this.options
    const wires = await Promise.all(databases.all.map(({ socket }) => Wire.to(socket)))
    const hosts = wires.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const url = `postgres://openperp@${hosts}/postgres`
    const cluster = ['--lease-ms', String(leaseMs)]
    const quiet = ['--bots', 'off', '--verifiers', '1', '--snapshot-commands', '10000000']
    const place = { root, url, wires, flags: [...cluster, ...quiet, ...flags] }
    return new TradingNode(name, place, (node) => {
      if (this.links.has(node)) this.last = node
    })
  }

  private async hideLinks(): Promise<void> {
    const { primary } = this.options.databases
    const cases = [...this.links].map(
      ([{ name }, { port }]) => `WHEN '${name}' THEN '127.0.0.1:${port}'`,
    )
    await primary.query(`CREATE FUNCTION behind_wires() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.link := CASE NEW.name ${cases.join(' ')} ELSE NEW.link END;
        RETURN NEW;
      END $$`)
    await primary.query(`CREATE TRIGGER behind_wires BEFORE INSERT OR UPDATE ON openperp_node
      FOR EACH ROW EXECUTE FUNCTION behind_wires()`)
    await primary.query('UPDATE openperp_node SET link = link')
  }
}
