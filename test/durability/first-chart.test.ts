// A new sandbox on a slow machine: it is ready first, and its charts have their two hours soon
// after.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Random } from '../programs/differential/random.ts'
import { Client, drawnKey, Ticker } from '../programs/torture/action.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'
import { Connection, dataOf } from '../support/running/connection.ts'

const minuteMs = 60_000
const waitMsMax = 60_000
const bound = { timeout: 240_000 }
const flags = ['--past-minutes', '120', '--verifiers', '1']
// For the children: each program starts three seconds after its process, as on a slow machine.
process.env.NODE_OPTIONS =
  '--import=data:text/javascript,await(new(Promise)(done=>setTimeout(done,3e3)))'

const root = mkdtempSync(join(tmpdir(), 'openperp-first-chart-'))
const children: ChildExchange[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  rmSync(root, { recursive: true, force: true })
})

function started(data: string): ChildExchange {
  const child = new ChildExchange(data, flags)
  children.push(child)
  return child
}

type Candle = Readonly<{ t: number; c: string; n: number }>
type Position = Readonly<{ amount: string; createdAt: string }>

async function candles(api: Connection, symbol: string, kind: string): Promise<readonly Candle[]> {
  const start = Date.now() - 180 * minuteMs
  const query = `symbol=${symbol}&interval=1m&start_time=${start}`
  return dataOf(await api.get(`/api/v1/kline${kind}?${query}`))
}

/** Waits until a chart goes back two hours. */
async function whole(api: Connection, symbol: string, kind: string): Promise<readonly Candle[]> {
  const until = Date.now() + waitMsMax
  for (;;) {
    const found = await candles(api, symbol, kind)
    if (found.length >= 120) return found
    assert.ok(Date.now() < until, `${symbol}${kind} has ${found.length} candles`)
    await new Promise((later) => setTimeout(later, 100))
  }
}

async function assertCharts(api: Connection, beganMs: number): Promise<void> {
  const info = dataOf<{ symbol: string }[]>(await api.get('/api/v1/info'))
  assert.equal(info.length, 8)
  for (const { symbol } of info)
    for (const kind of ['', '/mark']) {
      const found = await whole(api, symbol, kind)
      const back = Math.round((beganMs - found[0]!.t) / minuteMs)
      assert.ok(back >= 119 && back <= 125, `${symbol}${kind} goes back ${back} minutes`)
      // Without a gap, and with changing prices.
      for (const [at, { t }] of found.entries()) assert.equal(t, found[0]!.t + at * minuteMs)
      assert.ok(new Set(found.map(({ c }) => c)).size > 20, symbol)
      if (kind === '') assert.ok(found.slice(0, 119).every(({ n }) => n > 0))
    }
}

/** A market order immediately, and the position that it opened. */
async function firstTrade(port: number, api: Connection, beganMs: number): Promise<Position> {
  const client = new Client(drawnKey(new Random(1)), new Ticker())
  client.connection = new Connection(port)
  const account = client.key.address
  dataOf(await api.post('/api/v1/sandbox/faucet', { account, amount: '10000' }))
  const order = { symbol: 'BTC', side: 'bid', amount: '0.01', slippage_percent: '1' }
  const fields = { ...order, reduce_only: false }
  const action = await client.sign('/orders/create_market', 'create_market_order', fields)
  assert.ok(await client.send(action))
  assert.equal(action.known, 'ok', JSON.stringify(action.reply))
  client.connection.close()
  for (;;) {
    const { body } = await api.get(`/api/v1/positions?account=${account}`)
    const [position] = body as Position[]
    if (position !== undefined) return position
    assert.ok(Date.now() < beganMs + waitMsMax, 'the order was not filled')
  }
}

test(
  'a sandbox that starts slowly serves immediately, and its first chart has two hours',
  bound,
  async () => {
    const { port } = await started(join(root, 'slow')).ready
    const beganMs = Date.now()
    const api = new Connection(port)
    assert.equal((await api.get('/ready')).status, 200)
    const position = await firstTrade(port, api, beganMs)
    assert.equal(position.amount, '0.01')
    // At the present time, not in the simulated history being filled.
    assert.ok(Math.abs(Date.parse(position.createdAt) - beganMs) <= waitMsMax)
    await assertCharts(api, beganMs)
    api.close()
  },
)

test(
  'a sandbox killed before its history was filled has it after the next start',
  bound,
  async () => {
    const data = join(root, 'killed')
    const first = started(data)
    await first.ready
    const beganMs = Date.now()
    first.kill('SIGKILL')
    await first.ended
    const { port } = await started(data).ready
    const api = new Connection(port)
    await assertCharts(api, beganMs)
    api.close()
  },
)
