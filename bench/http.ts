import { number, text } from '../test/support/program/options.ts'
import type { ClientResult } from './http/load-client.ts'
import { BareServer, ClientProcess, ExchangeProcess, VerifyThreads } from './http/processes.ts'
import { Reader } from './http/reader.ts'
import { mixText } from './http/signed-orders.ts'
import { benchOptions, whole } from './options.ts'

const {
  orders,
  rounds,
  connections,
  traders,
  profile: profiles,
  json,
  requireBars,
  say,
} = benchOptions({
  name: 'bench/http',
  about:
    'Signed orders over HTTP, durable, on keep-alive connections, compared with the most that ' +
    'the machine could do: L = 1 ÷ (1 ÷ signatures verified a second with all cores busy + 1 ÷ ' +
    'POSTs a second that a bare node:http server answers to the same client). And how long does ' +
    'a reader of positions or of a book wait meanwhile? Everything is measured in turns of one ' +
    'run, and a ratio is of its own turn.',
  options: {
    orders: number(15_000, 'signed orders of a turn'),
    rounds: number(5, 'turns'),
    connections: number(64, 'keep-alive connections'),
    traders: number(256, 'accounts that send orders'),
    profile: text(null, 'keep CPU profiles of the exchange in this folder', 'FOLDER'),
  },
})

const partMin = 0.55
const readMsMax = 10
const verifyMs = 2_000
/** Before the measurement: the compiler keeps improving the code for some 50,000 orders, in threads
 *  that use processor time. */
const warmUps = 4

type Turn = Readonly<{
  verify: number
  bare: number
  ideal: number
  ours: number
  part: number
  order: ClientResult
  reads: readonly number[]
  batch: number
  /** Processor time of an order, in all threads of the exchange together. */
  cpuUs: number
}>

class Bench {
  private readonly exchange = new ExchangeProcess()
  private readonly bare = new BareServer()
  private readonly client = new ClientProcess()
  private readonly verifiers = new VerifyThreads()
  private reader: Reader | null = null

  async start(): Promise<void> {
    const requests = (rounds + warmUps) * orders
    const { addresses } = await this.client.start({ traders, connections, requests })
    await Promise.all([this.bare.start(), this.verifiers.start(), this.exchange.start(profiles)])
    await this.exchange.fund(addresses)
    this.reader = new Reader(addresses[0]!)
  }

  async turn(): Promise<Turn> {
    const verify = await this.verifiers.rate(verifyMs)
    const bareRun = await this.client.run({
      port: this.bare.port,
      requests: 3 * orders,
      fresh: false,
    })
    const before = await this.exchange.used()
    await this.reader!.start(this.exchange.port)
    const order = await this.load()
    this.reader!.stop()
    const after = await this.exchange.used()
    const bare = rateOf(bareRun)
    const ours = rateOf(order)
    const ideal = 1 / (1 / verify + 1 / bare)
    const batch = (after.entries - before.entries) / (after.batches - before.batches)
    const reads = this.reader!.takeWaits()
    const cpuUs = ((after.cpuSeconds - before.cpuSeconds) * 1e6) / order.requests
    return { verify, bare, ideal, ours, part: ours / ideal, order, reads, batch, cpuUs }
  }

  /** A turn's orders. */
  load(): Promise<ClientResult> {
    return this.client.run({ port: this.exchange.port, requests: orders, fresh: true })
  }

  async stop(): Promise<void> {
    this.client.stop()
    this.bare.stop()
    await this.verifiers.stop()
    await this.exchange.stop()
  }
}

const rateOf = ({ requests, ms }: ClientResult) => (requests * 1_000) / ms

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function measure(): Promise<readonly Turn[]> {
  const bench = new Bench()
  try {
    await bench.start()
    say(`load        ${connections} connections, ${traders} traders; ${mixText}`)
    await bench.turn()
    for (let n = 1; n < warmUps; n++) await bench.load()
    const turns: Turn[] = []
    for (let n = 0; n < rounds; n++) {
      const turn = await bench.turn()
      turns.push(turn)
      const { verify, bare, ideal, ours, part } = turn
      const bound = `verify ${whole(verify)}/s, bare POST ${whole(bare)}/s, L ${whole(ideal)}/s`
      say(`turn ${n + 1}      ${bound}; orders ${whole(ours)}/s: ${(part * 100).toFixed(1)} % of L`)
    }
    return turns
  } finally {
    await bench.stop()
  }
}

const turns = await measure()
const of = (pick: (turn: Turn) => number) => median(turns.map(pick))
const reads = turns.flatMap((turn) => turn.reads).toSorted((a, b) => a - b)
const readP50 = reads[Math.floor(reads.length * 0.5)]!
const readP99 = reads[Math.floor(reads.length * 0.99)]!
const part = of((turn) => turn.part)
const refused = turns.reduce((sum, { order }) => sum + order.refused, 0)
const refusal = turns.find(({ order }) => order.refusal !== null)?.order.refusal
const orderP50 = of(({ order }) => order.p50)
const orderP99 = of(({ order }) => order.p99)
say(`orders      ${whole(of(({ ours }) => ours))}/s, ${(part * 100).toFixed(1)} % of L (medians)`)
say(`an order    p50 ${orderP50.toFixed(1)} ms, p99 ${orderP99.toFixed(1)} ms`)
say(`a read      p50 ${readP50.toFixed(1)} ms, p99 ${readP99.toFixed(1)} ms, ${reads.length} reads`)
say(`cpu         ${whole(of(({ cpuUs }) => cpuUs))} µs an order, all threads of the exchange`)
say(`a batch     ${of(({ batch }) => batch).toFixed(1)} entries made durable together`)
if (json)
  console.log(
    JSON.stringify({
      verify_per_second: Math.round(of(({ verify }) => verify)),
      bare_per_second: Math.round(of(({ bare }) => bare)),
      ideal_per_second: Math.round(of(({ ideal }) => ideal)),
      orders_per_second: Math.round(of(({ ours }) => ours)),
      part_of_ideal: part,
      order_ms: { p50: orderP50, p99: orderP99 },
      read_ms: { p50: readP50, p99: readP99 },
      cpu_us: Math.round(of(({ cpuUs }) => cpuUs)),
      batch_entries: of(({ batch }) => batch),
    }),
  )
const missed: string[] = []
if (part < partMin) missed.push(`orders below ${whole(partMin * 100)} % of L`)
if (readP99 >= readMsMax) missed.push(`p99 of a read not below ${readMsMax} ms`)
if (refused > 0) missed.push(`${refused} requests were refused, such as ${refusal}`)
requireBars(missed)
