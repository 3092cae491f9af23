import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Databases } from '../../test/support/postgres/databases.ts'
import { number } from '../../test/support/program/options.ts'
import { asReader, tradesFor } from '../../test/support/running/link-flags.ts'
import { ExchangeProcess } from '../http/processes.ts'
import { benchOptions, whole } from '../options.ts'
import { median } from '../paired/turns.ts'
import { LagProbe, type Lags } from './lag-probe.ts'
import { LoadedExchange, ratioOf, type Turn } from './loaded-exchange.ts'

const { rounds, orders, connections, traders, sockets, json, requireBars, say } = benchOptions({
  name: 'bench/readers',
  about:
    'A leader and a read node, on a PostgreSQL with two standbys, all on this machine, while ' +
    'signed orders come in at the leader. First: how long after the reply of the leader can an ' +
    'order be seen at the reader? Then, in turns: what do sockets at the reader cost the ' +
    'leader? Each gets the book, the trades, the best prices and all prices. Reader and sockets ' +
    'have the lowest priority, in place of another machine.',
  options: {
    rounds: number(5, 'turns'),
    orders: number(5_000, 'signed orders of a turn'),
    connections: number(64, 'keep-alive connections'),
    traders: number(256, 'accounts that send orders'),
    sockets: number(2_000, 'websockets at the reader'),
  },
})

const p50Max = 5
const p99Max = 50
const ordersMin = 0.95
const settleMs = 1_000

const databases = await Databases.start()
const cluster = ['--cluster', databases.url()]
/** It is not measured, and a machine under load may stall for a while. */
const flags = [...cluster, '--lease-ms', '20000']
const load = { connections, traders, orders, rounds: 3 * rounds, warmUps: 3 }
const leader = new LoadedExchange([...flags, '--node', 'leads', ...tradesFor('reads')], [load])
const reader = new ExchangeProcess([...flags, '--node', 'reads', ...asReader])
const lags: Lags[] = []
const [without, reading]: [Turn[], Turn[]] = [[], []]
try {
  await leader.start()
  await reader.start(null)
  await measureLag()
  yieldTo(reader.pid)
  for (let n = 0; n < rounds; n++) {
    without.push(await orderTurn(`turn ${n + 1}  without readers`))
    const many = await openSockets()
    reading.push(await orderTurn(`turn ${n + 1}  ${whole(sockets)} sockets`))
    many.kill('SIGKILL')
    await wait(settleMs)
  }
} finally {
  await leader.stop()
  await reader.stop()
  await databases.close()
}

async function measureLag(): Promise<void> {
  const probe = await LagProbe.open(leader.port, reader.port)
  for (let n = 0; n < rounds; n++) {
    probe.start()
    const { perSecond } = await leader.turn()
    const lag = await probe.stop()
    lags.push(lag)
    const lagText = `p50 ${lag.p50.toFixed(1)} ms, p99 ${lag.p99.toFixed(1)} ms of ${lag.count}`
    say(`turn ${n + 1}  ${whole(perSecond)} orders/s; seen at the reader after ${lagText}`)
  }
  probe.close()
}

async function orderTurn(title: string): Promise<Turn> {
  const turn = await leader.turn()
  say(`${title}: ${whole(turn.perSecond)} orders/s, leader ${whole(turn.processUs)} µs an order`)
  return turn
}

async function openSockets(): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../ws/readers.js', import.meta.url))
  const none = '0'
  const child = fork(program, [String(reader.port), String(sockets), none])
  process.once('exit', () => child.kill('SIGKILL'))
  yieldTo(child.pid!)
  await new Promise<void>((ready, failed) => {
    child.once('message', () => ready())
    child.once('exit', (code) => failed(new Error(`the sockets ended with ${code}`)))
  })
  child.removeAllListeners('exit')
  await wait(settleMs)
  return child
}

/** Its threads run at the lowest priority. */
function yieldTo(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`))
    setPriority(Number(thread), constants.priority.PRIORITY_LOW)
}

const figures = {
  sockets,
  lag_p50_ms: median(lags.map(({ p50 }) => p50)),
  lag_p99_ms: median(lags.map(({ p99 }) => p99)),
  orders_per_second: median(leader.turnsOf().map(({ perSecond }) => perSecond)),
  orders: ratioOf(reading, without, ({ perSecond }) => perSecond),
  leader_cpu: ratioOf(reading, without, ({ processUs }) => processUs),
}
const { lag_p50_ms: p50, lag_p99_ms: p99, orders: ratio } = figures
say(`seen at the reader after p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
const cpu = `${figures.leader_cpu.toFixed(2)} of its processor time an order`
say(`${whole(sockets)} sockets at the reader: ${ratio.toFixed(2)} of the leader's orders/s, ${cpu}`)
if (json) console.log(JSON.stringify(figures))
const missed: string[] = []
if (p50 >= p50Max) missed.push(`half of the orders are not seen within ${p50Max} ms`)
if (p99 >= p99Max) missed.push(`99 of 100 orders are not seen within ${p99Max} ms`)
if (ratio < ordersMin) missed.push(`orders a second with sockets below ${ordersMin}`)
requireBars(missed)
process.exit()
