// `npm run bench:gateways`: the same signed orders over HTTP into an exchange of one process and
// into one with gateways, in turns. What counts is the processor time that an order costs the
// process that leads, and its trading thread, which is what bounds a machine with many cores; and
// on two cores, that nothing is lost by the processes between. `--gateways N`, `--orders N` a turn,
// `--rounds N`, `--connections N`, `--traders N`, `--json` prints one object, `--check` fails when
// a bar is missed. Times of threads are read from /proc, so this runs on Linux.

import { readFileSync } from 'node:fs'
import { ClientProcess, ExchangeProcess } from '../http/processes.ts'
import { asJson, judge, numberFlag, say, whole } from '../options.ts'
import { median } from '../paired/turns.ts'

const cpuMax = 0.35
const ordersMin = 0.9
const gateways = numberFlag('--gateways', 1)
const orders = numberFlag('--orders', 15_000)
const rounds = numberFlag('--rounds', 5)
const connections = numberFlag('--connections', 64)
const traders = numberFlag('--traders', 256)
/** Before it counts: until the program is compiled. */
const warmUps = 4

type Turn = Readonly<{ perSecond: number; processUs: number; threadUs: number }>

/** Of all threads, and of the one that trades; in seconds. */
type Times = Readonly<{ process: number; thread: number }>

/** Of the clock that /proc counts with. */
const ticksPerSecond = 100
const userTimeAt = 11

function secondsIn(file: string): number {
  // Names of threads may have spaces and brackets; numbers follow the last one.
  const text = readFileSync(file, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[userTimeAt]) + Number(fields[userTimeAt + 1])) / ticksPerSecond
}

class Side {
  readonly turns: Turn[] = []
  private readonly exchange: ExchangeProcess
  private readonly client = new ClientProcess()

  constructor(count: number) {
    this.exchange = new ExchangeProcess(['--gateways', `${count}`])
  }

  async start(): Promise<void> {
    await this.exchange.start(null)
    const requests = (rounds + warmUps) * orders
    const { addresses } = await this.client.start({ traders, connections, requests })
    await this.exchange.fund(addresses)
    for (let n = 0; n < warmUps; n++) await this.load()
  }

  async turn(): Promise<Turn> {
    const before = this.times()
    const { requests, ms } = await this.load()
    const after = this.times()
    const us = (seconds: number) => (seconds * 1e6) / requests
    const turn = {
      perSecond: (requests * 1_000) / ms,
      processUs: us(after.process - before.process),
      threadUs: us(after.thread - before.thread),
    }
    this.turns.push(turn)
    return turn
  }

  async stop(): Promise<void> {
    this.client.stop()
    await this.exchange.stop()
  }

  private async load() {
    const result = await this.client.run({
      port: this.exchange.port,
      requests: orders,
      fresh: true,
    })
    if (result.refused > 0) throw new Error(`${result.refused} refused: ${result.refusal}`)
    return result
  }

  private times(): Times {
    const { pid } = this.exchange
    return {
      process: secondsIn(`/proc/${pid}/stat`),
      thread: secondsIn(`/proc/${pid}/task/${pid}/stat`),
    }
  }
}

const [alone, beside] = [new Side(0), new Side(gateways)]
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

const of = (side: Side, pick: (turn: Turn) => number) => median(side.turns.map(pick))
const ratioOf = (pick: (turn: Turn) => number) =>
  median(beside.turns.map((turn, n) => pick(turn) / pick(alone.turns[n]!)))
const figures = {
  orders: ratioOf(({ perSecond }) => perSecond),
  leader_cpu: ratioOf(({ processUs }) => processUs),
  trading_thread_cpu: ratioOf(({ threadUs }) => threadUs),
  leader_us: of(beside, ({ processUs }) => processUs),
  thread_us: of(beside, ({ threadUs }) => threadUs),
  alone_us: of(alone, ({ processUs }) => processUs),
  alone_thread_us: of(alone, ({ threadUs }) => threadUs),
}
say(`orders/s    ${figures.orders.toFixed(2)} of one process`)
say(`leader      ${figures.leader_cpu.toFixed(2)} of its processor time an order`)
say(`its thread  ${figures.trading_thread_cpu.toFixed(2)}, ${figures.thread_us.toFixed(1)} µs`)
if (asJson) console.log(JSON.stringify(figures))
const missed: string[] = []
if (figures.leader_cpu > cpuMax) missed.push(`the leader's time an order above ${cpuMax}`)
if (figures.orders < ordersMin) missed.push(`orders a second below ${ordersMin}`)
judge(missed)
