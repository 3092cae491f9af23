// `npm run bench:gateways`: the same signed orders over HTTP into an exchange of one process and
// into one with gateways, in turns. What counts is the processor time that an order costs the
// process that leads, and its trading thread, which is what bounds a machine with many cores; and
// on two cores, that nothing is lost by the processes between. `--gateways N`, `--orders N` a turn,
// `--rounds N`, `--connections N`, `--traders N`, `--json` prints one object, `--check` fails when
// a bar is missed.

import { asJson, judge, numberFlag, say, whole } from '../options.ts'
import { LoadedExchange, medianOf, ratioOf, type Turn } from './loaded-exchange.ts'

const cpuMax = 0.35
const ordersMin = 0.9
const gateways = numberFlag('--gateways', 1)
const rounds = numberFlag('--rounds', 5)
const load = {
  orders: numberFlag('--orders', 15_000),
  connections: numberFlag('--connections', 64),
  traders: numberFlag('--traders', 256),
  rounds,
  warmUps: 4,
}

const withGateways = (count: number) => new LoadedExchange(['--gateways', `${count}`], [load])
const [alone, beside] = [withGateways(0), withGateways(gateways)]
try {
  await alone.start()
  await beside.start()
  for (let n = 0; n < rounds; n++)
    for (const [name, side] of [
      ['one process', alone],
      [`${gateways} gateways`, beside],
    ] as const) {
      const { perSecond, processUs, threadUs } = await side.turn()
      const cpu = `leader ${whole(processUs)} µs an order, its trading thread ${whole(threadUs)} µs`
      say(`turn ${n + 1}  ${name.padEnd(12)} ${whole(perSecond)} orders/s; ${cpu}`)
    }
} finally {
  await alone.stop()
  await beside.stop()
}

const ratio = (pick: (turn: Turn) => number) => ratioOf(beside.turnsOf(), alone.turnsOf(), pick)
const figures = {
  orders: ratio(({ perSecond }) => perSecond),
  leader_cpu: ratio(({ processUs }) => processUs),
  trading_thread_cpu: ratio(({ threadUs }) => threadUs),
  leader_us: medianOf(beside.turnsOf(), ({ processUs }) => processUs),
  thread_us: medianOf(beside.turnsOf(), ({ threadUs }) => threadUs),
  alone_us: medianOf(alone.turnsOf(), ({ processUs }) => processUs),
  alone_thread_us: medianOf(alone.turnsOf(), ({ threadUs }) => threadUs),
}
say(`orders/s    ${figures.orders.toFixed(2)} of one process`)
say(`leader      ${figures.leader_cpu.toFixed(2)} of its processor time an order`)
say(`its thread  ${figures.trading_thread_cpu.toFixed(2)}, ${figures.thread_us.toFixed(1)} µs`)
if (asJson) console.log(JSON.stringify(figures))
const missed: string[] = []
if (figures.leader_cpu > cpuMax) missed.push(`the leader's time an order above ${cpuMax}`)
if (figures.orders < ordersMin) missed.push(`orders a second below ${ordersMin}`)
judge(missed)
