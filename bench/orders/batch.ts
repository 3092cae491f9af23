// `npm run bench:batch`: fifty post-only orders under one signature (ORDER-16) against fifty signed
// orders, over HTTP, durable: what an action costs all threads of the exchange, the core left out.
// Both are measured in turns of one run. `--orders N` a turn, `--rounds N`, `--json` prints one
// object, `--check` fails when the bar is missed.

import { keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { ExchangeProcess } from '../http/processes.ts'
import { LoadRun, placeCommand } from '../load-run.ts'
import { asJson, judge, numberFlag, say, timed } from '../options.ts'

const partMax = 0.1
const actions = 50
const traders = 20
const orders = numberFlag('--orders', 5_000)
const rounds = numberFlag('--rounds', 5)
const warmUps = 3
/** Requests at once: a batch is fifty commands, of which only so many may wait. */
const inFlight = { single: 8, together: 2 }
const expiryWindow = 600_000

const keys = Array.from({ length: traders }, (_, at) => keyOfSeed(Buffer.alloc(32, at + 1)))

type Request = Readonly<{ path: string; body: string }>

async function signed(at: number, type: SigningType, path: string, fields: object) {
  const key = keys[at % traders]!
  sent += 1
  const timestamp = begun + sent
  const body = await signedBody(key, fields as never, { type, timestamp, expiryWindow })
  return { path, body: JSON.stringify(body) }
}
/** No two texts are the same; all are from the last minutes. */
const begun = Date.now() - 300_000
let sent = 0

const orderOf = (n: number) => ({
  ...{ symbol: 'BTC', side: 'bid', price: String(80_000 + (n % 1_000)), amount: '0.001' },
  ...{ tif: 'ALO', reduce_only: false },
})

const single = (n: number): Promise<Request> =>
  signed(n, 'create_order', '/orders/create', orderOf(n))

const together = (n: number): Promise<Request> =>
  signed(n, 'batch_orders', '/orders/batch', {
    actions: Array.from({ length: actions }, (_, at) => ({
      type: 'Create',
      data: orderOf(n * actions + at),
    })),
  })

const cancelAll = (n: number): Promise<Request> =>
  signed(n, 'cancel_all_orders', '/orders/cancel_all', {
    ...{ all_symbols: true, exclude_reduce_only: false },
  })

class Bench {
  private readonly exchange = new ExchangeProcess()

  async start(): Promise<void> {
    await this.exchange.start(null)
    await this.exchange.fund(keys.map(({ address }) => address))
    await this.post('/sandbox/oracle', JSON.stringify({ symbol: 'BTC', price: '100000' }))
  }

  /** Microseconds of all its threads an order. */
  async costUs(kind: keyof typeof inFlight, requests: number): Promise<number> {
    const make = kind === 'single' ? single : together
    const made = await Promise.all(Array.from({ length: requests }, (_, n) => make(n)))
    const before = await this.exchange.used()
    await this.sendAll(made, inFlight[kind])
    const { cpuSeconds } = await this.exchange.used()
    const cost = ((cpuSeconds - before.cpuSeconds) * 1e6) / orders
    await this.sendAll(await Promise.all(keys.map((_, at) => cancelAll(at))), 1)
    return cost
  }

  private async sendAll(requests: readonly Request[], atOnce: number): Promise<void> {
    let next = 0
    const worker = async () => {
      for (let at = next++; at < requests.length; at = next++)
        await this.post(requests[at]!.path, requests[at]!.body)
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }

  private async post(path: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const url = `http://127.0.0.1:${this.exchange.port}/api/v1${path}`
    const reply = await fetch(url, { method: 'POST', headers, body })
    const text = await reply.text()
    if (!reply.ok || text.includes('"success":false')) throw new Error(`refused: ${text}`)
  }

  stop(): Promise<void> {
    return this.exchange.stop()
  }
}

/** What the core alone takes for such an order. */
function coreUs(): number {
  const best = Array.from({ length: 5 }, () => {
    const run = new LoadRun()
    run.listMarket('BTC', 50_000)
    const account = run.deposit('maker', 1_000_000_000_000)
    const count = 1_000
    const order = { account, market: 1, side: 'bid', size: 10, tif: 'ALO' } as const
    const { ms } = timed(() => {
      for (let n = 0; n < count; n++) run.submit(placeCommand({ ...order, price: 40_000 + n }))
    })
    return (ms * 1_000) / count
  })
  return Math.min(...best)
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const core = coreUs()
const bench = new Bench()
const turns: { single: number; together: number }[] = []
try {
  await bench.start()
  for (let n = 0; n < warmUps + rounds; n++) {
    const turn = {
      single: (await bench.costUs('single', orders)) - core,
      together: (await bench.costUs('together', orders / actions)) - core,
    }
    if (n >= warmUps) turns.push(turn)
  }
} finally {
  await bench.stop()
}
const singleUs = median(turns.map((turn) => turn.single))
const togetherUs = median(turns.map((turn) => turn.together))
const part = median(turns.map((turn) => turn.together / turn.single))
say(
  `an order of its own ${singleUs.toFixed(1)} µs, one of ${actions} under one signature ` +
    `${togetherUs.toFixed(1)} µs, without the core's ${core.toFixed(1)}: ` +
    `${(part * 100).toFixed(1)} %`,
)
if (asJson) console.log(JSON.stringify({ core, turns, singleUs, togetherUs, part }))
judge(part > partMax ? [`an action costs ${(part * 100).toFixed(1)} %, at most 10 %`] : [])
