// A long history through real nodes, as fast as the machine allows, while leaders and primaries
// die: clients send signed orders, and the clock of the sandbox is advanced, so that bots trade for
// days. In the end every node, and one that begins with nothing, has the same state; and everything
// acknowledged is in the chain.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eachRecord, type Frame } from '../../../../src/journal/frame.ts'
import { decodeEntry } from '../../../../src/sequencer/codec.ts'
import { until } from '../../../support/http/held-sockets.ts'
import { Databases } from '../../../support/postgres/databases.ts'
import { Connection, dataOf, type Reply } from '../../../support/running/connection.ts'
import { OrderStream } from './order-stream.ts'
import { requireSameState } from './same-state.ts'
import { TradingNodes } from './trading-nodes.ts'

export type LongHistoryOptions = Readonly<{
  commands: number
  failovers: number
  leaseMs: number
  say: (text: string) => void
}>

const connections = 16
/** Of the exchange, at a time: some two thousand commands. */
const advanceMs = 600_000
const againMs = 50
/** Of the failovers every so manieth is one of the database. */
const primaryEvery = 4
const stretchMsMax = 3_600_000

export async function runLongHistory(options: LongHistoryOptions): Promise<readonly string[]> {
  const root = mkdtempSync(join(tmpdir(), 'openperp-long-'))
  const history = new LongHistory(options, root)
  try {
    return await history.run()
  } finally {
    await history.close()
    rmSync(root, { recursive: true, force: true })
  }
}

class LongHistory {
  private readonly options: LongHistoryOptions
  private readonly root: string
  /** Ids of orders, by the id that their client gave them. */
  private readonly accepted = new Map<string, number>()
  private readonly orderIds = new Set<number>()
  private databases: Databases | null = null
  private nodes: TradingNodes | null = null
  private seq = 0
  private answers = 0
  private isOver = false

  constructor(options: LongHistoryOptions, root: string) {
    this.options = options
    this.root = root
  }

  async run(): Promise<readonly string[]> {
    const { commands, failovers, leaseMs, say } = this.options
    const databases = await Databases.start()
    this.databases = databases
    const flags = ['--rate-limit', 'off']
    const place = { databases, root: this.root, count: 3, leaseMs, withWires: false } as const
    const nodes = await TradingNodes.start({ ...place, flags, onLead: () => undefined })
    this.nodes = nodes
    const streams = await this.streams(nodes)
    const began = performance.now()
    const running = [...streams.map((stream) => stream.run()), this.advance(nodes)]
    for (let n = 1; n <= failovers; n++) {
      await this.reach(Math.round((commands * n) / (failovers + 1)))
      await this.failOver(n % primaryEvery === 0)
      const passed = Math.round((performance.now() - began) / 1_000)
      say(`failover ${n} after seq ${this.seq}, ${passed} s, ${this.accepted.size} accepted`)
    }
    await this.reach(commands)
    this.isOver = true
    for (const stream of streams) stream.stop()
    await Promise.all(running)
    const seconds = (performance.now() - began) / 1_000
    const rate = Math.round(this.seq / seconds)
    say(`seq ${this.seq} after ${Math.round(seconds)} s, ${rate} a second; ${this.answers} answers`)
    return this.check(streams)
  }

  async close(): Promise<void> {
    await this.nodes?.close()
    await this.databases?.close()
  }

  private async streams(nodes: TradingNodes): Promise<readonly OrderStream[]> {
    const leading = {
      port: () => {
        nodes.startIfAllEnded()
        return nodes.port
      },
      answered: (seq: number) => {
        this.answers += 1
        this.seq = Math.max(this.seq, seq)
      },
      accepted: (orderId: number, clientId: string) => {
        this.accepted.set(clientId, orderId)
        this.orderIds.add(orderId)
      },
    }
    const streams = Array.from({ length: connections }, (_, at) => new OrderStream(at, leading))
    const api = new Connection(nodes.port!)
    for (const { trader } of streams) {
      const faucet = { account: trader.key.address, amount: '1000000' }
      dataOf(await api.post('/api/v1/sandbox/faucet', faucet))
    }
    api.close()
    return streams
  }

  /** Advances the clock of the leader, again and again. */
  private async advance(nodes: TradingNodes): Promise<void> {
    while (!this.isOver) {
      const { port } = nodes
      const api = new Connection(port ?? 0)
      try {
        if (port === null) throw new Error('no node leads')
        const body = { advance_ms: advanceMs }
        this.advanced(await api.post('/api/v1/sandbox/clock', body))
      } catch {
        // The leader has failed: the next one gets the request.
        await wait(againMs)
      } finally {
        api.close()
      }
    }
  }

  private advanced(reply: Reply): void {
    dataOf(reply)
    this.seq = Math.max(this.seq, Number(reply.seq ?? 0))
  }

  private reach(seq: number): Promise<void> {
    return until(() => this.seq >= seq, stretchMsMax)
  }

  /** Every node that ended comes back before the next one ends. */
  private async failOver(isDatabase: boolean): Promise<void> {
    const [nodes, databases] = [this.nodes!, this.databases!]
    const leader = await nodes.someLeader()
    const old = databases.primary
    if (isDatabase) {
      await old.kill()
      await databases.failOver()
      await leader.process.ended
      await nodes.someLeader()
      await databases.rejoin(old)
      await databases.joined()
    } else {
      leader.process.kill('SIGKILL')
      await leader.process.ended
      await nodes.someLeader()
    }
    await nodes.inStep()
  }

  private async check(streams: readonly OrderStream[]): Promise<readonly string[]> {
    const { accepted } = this
    const { say } = this.options
    const refused = streams.reduce((sum, each) => sum + each.refused, 0)
    const refusal = streams.find((each) => each.refusal !== '')?.refusal ?? ''
    say(`${accepted.size} orders accepted, ${refused} requests refused ${refusal}`)
    const wrong: string[] = []
    // One that was undone would give its id to another.
    const twice = accepted.size - this.orderIds.size
    if (twice > 0) wrong.push(`${twice} orders have the id of another`)
    const look = (frame: Frame) =>
      eachRecord(frame, (_, from, to) => {
        const { entry } = decodeEntry(frame.bytes, from, to)
        if (entry.kind !== 'command' || entry.command.type !== 'PlaceOrder') return
        accepted.delete(entry.command.clientOrderId ?? '')
      })
    const place = { root: this.root, url: this.databases!.url(), look }
    const { seq, hash } = await requireSameState(this.nodes!, place)
    for (const [clientId, id] of accepted) wrong.push(`order ${clientId} (${id}) is lost`)
    say(`all nodes have the state ${hash} after seq ${seq}`)
    return wrong.slice(0, 20)
  }
}
