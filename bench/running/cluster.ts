import { Databases } from '../../test/support/postgres/databases.ts'
import { number } from '../../test/support/program/options.ts'
import { benchOptions, whole } from '../options.ts'
import { LoadedExchange, medianOf, ratioOf, type Turn } from './loaded-exchange.ts'

const { rounds, orders, traders, json, requireBars, say } = benchOptions({
  name: 'bench/cluster',
  about:
    'The same signed orders over HTTP into an exchange with its journal in its folder and into ' +
    'one with its journal in a PostgreSQL with two standbys, one of which has flushed each ' +
    'acknowledged order. All of them run on this machine, in turns.',
  options: {
    rounds: number(5, 'turns'),
    orders: number(8_000, 'signed orders of a turn with 64 connections; half of it with 8'),
    traders: number(256, 'accounts that send orders'),
  },
})

const cpuMax = 1.1
const loads = [
  { connections: 64, orders, traders, rounds, warmUps: 4, ordersMin: 0.8 },
  { connections: 8, orders: Math.ceil(orders / 2), traders, rounds, warmUps: 1, ordersMin: 0.6 },
]
/** It is not measured, and a machine under load may stall for a while. */
const leaseMs = '10000'

const databases = await Databases.start()
const embedded = new LoadedExchange([], loads)
const replicated = new LoadedExchange(['--cluster', databases.url(), '--lease-ms', leaseMs], loads)
try {
  await embedded.start()
  await replicated.start()
  for (let n = 0; n < rounds; n++)
    for (const [at, { connections }] of loads.entries())
      for (const [name, side] of [
        ['embedded', embedded],
        ['replicated', replicated],
      ] as const) {
        const { perSecond, processUs, threadUs } = await side.turn(at)
        const cpu = `${whole(processUs)} µs an order, its trading thread ${whole(threadUs)} µs`
        const many = `${connections} connections`.padStart(14)
        say(`turn ${n + 1}  ${name.padEnd(10)} ${many}  ${whole(perSecond)} orders/s; ${cpu}`)
      }
} finally {
  await embedded.stop()
  await replicated.stop()
  await databases.close()
}

const missed: string[] = []
const figures = loads.map(({ connections, ordersMin }, at) => {
  const [own, other] = [replicated.turnsOf(at), embedded.turnsOf(at)]
  const ratio = (pick: (turn: Turn) => number) => ratioOf(own, other, pick)
  const found = {
    connections,
    orders: ratio(({ perSecond }) => perSecond),
    process_cpu: ratio(({ processUs }) => processUs),
    trading_thread_cpu: ratio(({ threadUs }) => threadUs),
    replicated_per_second: medianOf(own, ({ perSecond }) => perSecond),
    embedded_per_second: medianOf(other, ({ perSecond }) => perSecond),
    replicated_us: medianOf(own, ({ processUs }) => processUs),
    embedded_us: medianOf(other, ({ processUs }) => processUs),
  }
  const cpu = `${found.process_cpu.toFixed(2)} of the processor time an order`
  say(`${connections} connections: ${found.orders.toFixed(2)} of the orders/s, ${cpu}`)
  if (found.orders < ordersMin)
    missed.push(`orders a second with ${connections} connections below ${ordersMin}`)
  if (found.process_cpu > cpuMax)
    missed.push(`processor time an order with ${connections} connections above ${cpuMax}`)
  return found
})
if (json) console.log(JSON.stringify(figures))
requireBars(missed)
process.exit()
