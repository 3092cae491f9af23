import { number } from '../../test/support/program/options.ts'
import { benchOptions, whole } from '../options.ts'
import { LoadedExchange, medianOf, ratioOf, type Turn } from './loaded-exchange.ts'

const { gateways, rounds, orders, connections, traders, json, requireBars, say } = benchOptions({
  name: 'bench/gateways',
  about:
    'The same signed orders over HTTP into an exchange of one process and into one with ' +
    'gateways, in turns: the processor time of an order in the process that leads and in its ' +
    'trading thread, which bounds a machine with many cores, and the orders a second.',
  options: {
    gateways: number(1, 'gateway processes'),
    rounds: number(5, 'turns'),
    orders: number(15_000, 'signed orders of a turn'),
    connections: number(64, 'keep-alive connections'),
    traders: number(256, 'accounts that send orders'),
  },
})

const cpuMax = 0.35
const ordersMin = 0.9
const load = { orders, connections, traders, rounds, warmUps: 4 }

const withGateways = (count: number) => new LoadedExchange(['--gateways', `${count}`], [load])
const [alone, several] = [withGateways(0), withGateways(gateways)]
try {
  await alone.start()
  await several.start()
  for (let n = 0; n < rounds; n++)
    for (const [name, side] of [
      ['one process', alone],
      [`${gateways} gateways`, several],
    ] as const) {
      const { perSecond, processUs, threadUs } = await side.turn()
      const cpu = `leader ${whole(processUs)} µs an order, its trading thread ${whole(threadUs)} µs`
      say(`turn ${n + 1}  ${name.padEnd(12)} ${whole(perSecond)} orders/s; ${cpu}`)
    }
} finally {
  await alone.stop()
  await several.stop()
}

const ratio = (pick: (turn: Turn) => number) => ratioOf(several.turnsOf(), alone.turnsOf(), pick)
const figures = {
  orders: ratio(({ perSecond }) => perSecond),
  leader_cpu: ratio(({ processUs }) => processUs),
  trading_thread_cpu: ratio(({ threadUs }) => threadUs),
  leader_us: medianOf(several.turnsOf(), ({ processUs }) => processUs),
  thread_us: medianOf(several.turnsOf(), ({ threadUs }) => threadUs),
  alone_us: medianOf(alone.turnsOf(), ({ processUs }) => processUs),
  alone_thread_us: medianOf(alone.turnsOf(), ({ threadUs }) => threadUs),
}
say(`orders/s    ${figures.orders.toFixed(2)} of one process`)
say(`leader      ${figures.leader_cpu.toFixed(2)} of its processor time an order`)
say(`its thread  ${figures.trading_thread_cpu.toFixed(2)}, ${figures.thread_us.toFixed(1)} µs`)
if (json) console.log(JSON.stringify(figures))
const missed: string[] = []
if (figures.leader_cpu > cpuMax) missed.push(`the leader's time an order above ${cpuMax}`)
if (figures.orders < ordersMin) missed.push(`orders a second below ${ordersMin}`)
requireBars(missed)
