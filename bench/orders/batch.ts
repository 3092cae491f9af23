import { keyOfSeed } from '../../src/client/key.ts'
import { signedBody } from '../../src/client/signed-body.ts'
import type { SigningType } from '../../src/protocol/signing-types.ts'
import { number } from '../../test/support/program/options.ts'
import { ExchangeProcess } from '../http/processes.ts'
import { LoadRun, placeCommand } from '../load-run.ts'
import { benchOptions, timed } from '../options.ts'

const { orders, rounds, json, requireBars, say } = benchOptions({
  name: 'bench/batch',
  about:
    'Fifty post-only orders under one signature (ORDER-16) compared with fifty signed orders, ' +
    'over HTTP, durable: the cost of an action in all threads of the exchange until history has ' +
    'read it, without the core. Both are measured in turns of one run.',
  options: {
    orders: number(10_000, 'orders of a turn', { min: 50 }),
    rounds: number(7, 'turns'),
  },
})

const partMax = 0.1
const actions = 50
const traders = 40
/** Turns before those that count: V8 compiles code that has run some thousand times, and a turn of
 *  batches is two hundred requests. */
const warmUps = { single: 4, together: 30 }
/** Of the core alone: the first runs are of code that is not compiled yet. */
const coreRuns = 50
/** Concurrent requests. */
const inFlight = 8
const expiryWindow = 600_000

const keys = Array.from({ length: traders }, (_, at) => keyOfSeed(Buffer.alloc(32, at + 1)))

type Turn = Readonly<Record<'single' | 'together', number>>
type Request = Readonly<{ path: string; body: string }>

async function signed(at: number, type: SigningType, path: string, fields: object) {
  const key = keys[at % traders]!
  sent += 1
  const timestamp = begun + sent
  const body = await signedBody(key, fields as never, { type, timestamp, expiryWindow })
  return { path, body: JSON.stringify(body) }
}
/** All texts differ; all are from the last minutes. */
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

const turnOf = {
  single: { make: single, requests: orders },
  together: { make: together, requests: orders / actions },
}

class Bench {
  /** A venue: a sandbox makes snapshots so often that one falls into every other turn, of either
   *  kind, and nearly all of its entries are those of single orders. */
  private readonly exchange = new ExchangeProcess(['--snapshot-commands', '200000'])

  async start(): Promise<void> {
    await this.exchange.start(null)
    await this.exchange.fund(keys.map(({ address }) => address))
    await this.post('/sandbox/oracle', JSON.stringify({ symbol: 'BTC', price: '100000' }))
  }

  /** Microseconds of all its threads an order. */
  async costUs(kind: keyof Turn): Promise<number> {
    const { make, requests } = turnOf[kind]
    const made = await Promise.all(Array.from({ length: requests }, (_, n) => make(n)))
    const before = await this.settled()
    await this.sendAll(made, inFlight)
    const cost = (await this.settled()) - before
    await this.sendAll(await Promise.all(keys.map((_, at) => cancelAll(at))), 1)
    return cost / orders
  }

  /** Microseconds of work until the history has read everything that was sent: work left over from
   *  one turn would be counted in the next. A page of history waits for that. */
  private async settled(): Promise<number> {
    const reply = await fetch(`${this.url}/orders/history?account=${keys[0]!.address}&limit=1`)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`no history: ${text}`)
    return (await this.exchange.used()).cpuSeconds * 1e6
  }

  private async sendAll(requests: readonly Request[], concurrency: number): Promise<void> {
    let next = 0
    const worker = async () => {
      for (let at = next++; at < requests.length; at = next++)
        await this.post(requests[at]!.path, requests[at]!.body)
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
  }

  private async post(path: string, body: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${this.url}${path}`, { method: 'POST', headers, body })
    const text = await reply.text()
    if (!reply.ok || text.includes('"success":false')) throw new Error(`refused: ${text}`)
  }

  private get url(): string {
    return `http://127.0.0.1:${this.exchange.port}/api/v1`
  }

  stop(): Promise<void> {
    return this.exchange.stop()
  }
}

/** Time of the core alone for such an order. */
function coreUs(): number {
  const best = Array.from({ length: coreRuns }, () => {
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
const turns: Turn[] = []
try {
  await bench.start()
  for (let n = 0; n < warmUps.single; n++) await bench.costUs('single')
  for (let n = 0; n < warmUps.together; n++) await bench.costUs('together')
  for (let n = 0; n < rounds; n++)
    turns.push({ single: await bench.costUs('single'), together: await bench.costUs('together') })
} finally {
  await bench.stop()
}
const singleUs = median(turns.map((turn) => turn.single)) - core
const togetherUs = median(turns.map((turn) => turn.together)) - core
const part = togetherUs / singleUs
say(
  `a single order ${singleUs.toFixed(1)} µs, one of ${actions} under one signature ` +
    `${togetherUs.toFixed(1)} µs, without the core's ${core.toFixed(1)}: ` +
    `${(part * 100).toFixed(1)} %`,
)
if (json) console.log(JSON.stringify({ core, turns, singleUs, togetherUs, part }))
requireBars(part > partMax ? [`an action costs ${(part * 100).toFixed(1)} %, at most 10 %`] : [])
