import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../test/support/postgres/database.ts'
import { Databases } from '../../test/support/postgres/databases.ts'
import { number } from '../../test/support/program/options.ts'
import { asReader, tradesFor } from '../../test/support/running/link-flags.ts'
import { ClientProcess, ExchangeProcess } from '../http/processes.ts'
import { benchOptions, whole } from '../options.ts'
import { median } from '../paired/turns.ts'
import { secondsIn } from './loaded-exchange.ts'

const { rounds, orders, traders, sockets, json, say } = benchOptions({
  name: 'bench/capacity',
  about:
    'What an order costs each part of a cluster: processor time of the leader, a gateway, a read ' +
    'node and the databases, and bytes of journal and database. What a websocket costs ' +
    'a read node. All of them run on this machine. Processor time of an idle exchange is not ' +
    'counted.',
  options: {
    rounds: number(3, 'turns'),
    orders: number(4_000, 'signed orders of a turn'),
    traders: number(256, 'accounts that send orders on 64 connections', { min: 64 }),
    sockets: number(1_000, 'websockets at the reader'),
  },
})

const connections = 64
const warmUps = 2
const settleMs = 2_000
const idleMs = 5_000
const second = 1e6

/** Sends fresh signed orders to any port of an exchange. */
class Client {
  private readonly process = new ClientProcess()

  async start(exchange: ExchangeProcess, firstTrader: number, turns: number): Promise<void> {
    const requests = turns * orders
    const { addresses } = await this.process.start({ traders, firstTrader, connections, requests })
    await exchange.fund(addresses)
  }

  /** Returns its duration in ms. */
  async turn(port: number): Promise<number> {
    const { refused, refusal, ms } = await this.process.run({ port, requests: orders, fresh: true })
    if (refused > 0) throw new Error(`${refused} refused: ${refusal}`)
    return ms
  }

  stop(): void {
    this.process.stop()
  }
}

const processSeconds = (pid: number) => secondsIn(`/proc/${pid}/stat`)

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
  return text.split(' ').filter(Boolean).map(Number)
}

/** A server of PostgreSQL with its processes, some of which end in between. */
function databaseSeconds({ folder }: Database): number {
  const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'latin1').split('\n')[0])
  const ended = secondsIn(`/proc/${pid}/stat`, 'with children')
  return childrenOf(pid).reduce((sum, child) => sum + processSeconds(child), ended)
}

type Read = Readonly<Record<string, () => number>>
type Costs = Record<string, number>

/** Processor time of each part in seconds while `work` runs, without that of an idle exchange. */
async function usedBy(parts: Read, idle: Costs, work: () => Promise<unknown>): Promise<Costs> {
  const all = Object.entries(parts)
  const started = performance.now()
  const before = all.map(([, seconds]) => seconds())
  await work()
  const used = all.map(([, seconds], n) => seconds() - before[n]!)
  const elapsed = (performance.now() - started) / 1_000
  return Object.fromEntries(all.map(([name], n) => [name, used[n]! - idle[name]! * elapsed]))
}

/** Processor time of each part in a second without orders. */
async function idleOf(parts: Read): Promise<Costs> {
  const none = Object.fromEntries(Object.keys(parts).map((name) => [name, 0]))
  await wait(settleMs)
  const used = await usedBy(parts, none, () => wait(idleMs))
  return Object.fromEntries(
    Object.entries(used).map(([name, seconds]) => [name, (seconds * 1_000) / idleMs]),
  )
}

/** Microseconds of processor time an order, by part. */
async function costsOf(parts: Read, idle: Costs, turn: () => Promise<unknown>): Promise<Costs> {
  const used = Object.entries(await usedBy(parts, idle, turn))
  return Object.fromEntries(used.map(([name, seconds]) => [name, (seconds * second) / orders]))
}

const mediansOf = (turns: readonly Costs[]): Costs =>
  Object.fromEntries(
    Object.keys(turns[0]!).map((name) => [name, median(turns.map((each) => each[name]!))]),
  )

function sayCosts(title: string, costs: Costs): void {
  const parts = Object.entries(costs).map(([name, us]) => `${name} ${whole(us)}`)
  say(`${title}: ${parts.join(', ')} µs an order`)
}

async function turnsOf(title: string, parts: Read, turn: () => Promise<unknown>): Promise<Costs> {
  for (let n = 0; n < warmUps; n++) await turn()
  const idle = await idleOf(parts)
  const turns: Costs[] = []
  for (let n = 0; n < rounds; n++) {
    turns.push(await costsOf(parts, idle, turn))
    sayCosts(`turn ${n + 1}  ${title}`, turns.at(-1)!)
  }
  return mediansOf(turns)
}

/** The leader of one machine and a gateway. */
async function measureGateway(): Promise<Costs> {
  const exchange = new ExchangeProcess(['--gateways', '1'])
  const client = new Client()
  try {
    await exchange.start(null)
    await client.start(exchange, 0, rounds + warmUps)
    const gateway = childrenOf(exchange.pid)[0]!
    const parts = {
      leader: () => processSeconds(exchange.pid),
      gateway: () => processSeconds(gateway),
    }
    return await turnsOf('at a gateway', parts, () => client.turn(exchange.port))
  } finally {
    client.stop()
    await exchange.stop()
  }
}

async function openSockets({ port }: ExchangeProcess): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../ws/readers.js', import.meta.url))
  const child = fork(program, [String(port), String(sockets), '0'])
  process.once('exit', () => child.kill('SIGKILL'))
  await new Promise<void>((ready, failed) => {
    child.once('message', () => ready())
    child.once('exit', (code) => failed(new Error(`the sockets ended with ${code}`)))
  })
  child.removeAllListeners('exit')
  return child
}

type Bytes = Readonly<{ journal: number; database: number }>

async function bytesOf(databases: Databases): Promise<Bytes> {
  const [row] = await databases.primary.query<Record<'frames' | 'relation', string>>(
    `SELECT coalesce(sum(octet_length(frame)), 0) AS frames,
      pg_total_relation_size('openperp_frame') AS relation FROM openperp_frame`,
  )
  return { journal: Number(row!.frames), database: Number(row!.relation) }
}

async function measureCluster() {
  const databases = await Databases.start()
  const cluster = ['--cluster', databases.url()]
  const flags = [...cluster, '--lease-ms', '30000']
  const leader = new ExchangeProcess([...flags, '--node', 'leads', ...tradesFor('reads')])
  const reader = new ExchangeProcess([...flags, '--node', 'reads', ...asReader])
  const [client, forwarding] = [new Client(), new Client()]
  try {
    await leader.start(null)
    await client.start(leader, 0, 2 * (rounds + warmUps))
    await forwarding.start(leader, traders, rounds + warmUps)
    await reader.start(null)
    const [primary, ...standbys] = [databases.primary, ...databases.standbys]
    const nodes = {
      leader: () => processSeconds(leader.pid),
      reader: () => processSeconds(reader.pid),
    }
    const all = {
      ...nodes,
      primary: () => databaseSeconds(primary),
      standby: () => databaseSeconds(standbys[0]!),
    }
    const before = await bytesOf(databases)
    const atLeader = await turnsOf('at the leader', all, () => client.turn(leader.port))
    await wait(settleMs)
    const after = await bytesOf(databases)
    const count = orders * (rounds + warmUps)
    const bytes = {
      journal: (after.journal - before.journal) / count,
      database: (after.database - before.database) / count,
    }
    const atReader = await turnsOf('at the reader', nodes, () => forwarding.turn(reader.port))
    const socketUs = await measureSockets(reader, () => client.turn(leader.port), atLeader)
    return { atLeader, atReader, bytes, socketUs }
  } finally {
    for (const each of [client, forwarding]) each.stop()
    await leader.stop()
    await reader.stop()
    await databases.close()
  }
}

/** Processor time of the reader for one socket in one second while orders come in, in
 *  microseconds. */
async function measureSockets(
  reader: ExchangeProcess,
  turn: () => Promise<number>,
  { reader: followUs = 0 }: Costs,
): Promise<number> {
  const parts = { reader: () => processSeconds(reader.pid) }
  const idle = await idleOf(parts)
  const open = await openSockets(reader)
  const found: number[] = []
  await wait(settleMs)
  for (let n = 0; n < rounds + warmUps; n++) {
    let ms = 0
    const { reader: seconds = 0 } = await usedBy(parts, idle, async () => {
      ms = await turn()
    })
    const us = (seconds * second - followUs * orders) / sockets / (ms / 1_000)
    say(`turn ${n + 1}  ${whole(sockets)} sockets: ${whole(us)} µs a socket and second`)
    if (n >= warmUps) found.push(us)
  }
  open.kill('SIGKILL')
  return median(found)
}

const gateway = await measureGateway()
const cluster = await measureCluster()
sayCosts('at a gateway ', gateway)
sayCosts('at the leader', cluster.atLeader)
sayCosts('at the reader', cluster.atReader)
const bytes = Object.entries(cluster.bytes).map(([name, count]) => `${name} ${whole(count)}`)
say(`bytes an order: ${bytes.join(', ')}`)
say(`a websocket costs the reader ${whole(cluster.socketUs)} µs a second`)
if (json) console.log(JSON.stringify({ gateway, ...cluster }))
process.exit()
