// Latencies between clients and the exchange: exact in engine time, measured by the machine's clock
// over sockets.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { WebSocket } from 'ws'
import { Client } from '../../src/client/client.ts'
import { OutcomeUnknown } from '../../src/client/errors.ts'
import { keyOfSecret } from '../../src/client/key.ts'
import { createExchange } from '../../src/embed/embed.ts'
import { delayOf } from '../../src/gateway/lab/delays.ts'
import { Fixture } from '../support/running/fixture.ts'

const order = {
  symbol: 'BTC',
  price: '90000',
  amount: '0.1',
  side: 'bid',
  tif: 'GTC',
  reduce_only: false,
} as const
const everything = { all_symbols: true, exclude_reduce_only: false }

/** An exchange without signatures, and when each of its commands was applied. */
function timed() {
  const exchange = createExchange({ markets: ['BTC'], prices: 'held', verify: false })
  const start = exchange.now
  const applied: number[] = []
  exchange.onBatch(({ outcomes }) => {
    for (const { atMs, log, first, end } of outcomes)
      if (end > first && log.read(first).type === 'OrderPlaced') applied.push(atMs - start)
  })
  const after = () => exchange.now - start
  return { exchange, applied, after }
}

test('orders, cancels and replies take exactly as long as requested', async () => {
  const { exchange, applied, after } = timed()
  const alice = await exchange.client('alice')
  await alice.checkVenue()
  exchange.latency({
    lines: [
      { order: { const_us: 5_000 }, cancel: { const_us: 3_000 }, reply: { const_us: 4_500 } },
    ],
  })
  const seen: string[] = []
  const placed = alice.createOrder(order).then(() => seen.push(`placed ${after()}`))
  await exchange.elapse(1)
  // On another connection, because the first one is busy: it arrives before the order.
  const cancelled = alice.cancelAllOrders(everything).then(({ cancelled_count: count }) => {
    seen.push(`cancelled ${count} ${after()}`)
  })
  await assert.rejects(exchange.elapse('367d'), /366 days/)
  await exchange.elapse('2s')
  await Promise.all([placed, cancelled])
  // 1 + 3 + 4.5 ms, and 5 + 4.5 ms, at the next whole millisecond.
  assert.deepEqual(seen, ['cancelled 0 9', 'placed 10'])
  assert.deepEqual(applied, [5])
  const { legs, in_line } = exchange.latencyReport()
  assert.deepEqual(
    legs.map(({ leg, count, late_us: { max } }) => [leg, count, max]),
    [
      ['order', 1, 0],
      ['cancel', 1, 0],
      ['reply', 2, 0],
    ],
  )
  assert.equal(in_line, 0)
  await exchange.close()
})

test('the order of one websocket is kept, in both directions', async () => {
  const { exchange } = timed()
  const { address: account } = exchange.trader('alice')
  const { wsUrl } = await exchange.listen(0)
  const socket = new WebSocket(wsUrl)
  await once(socket, 'open')
  const frames: string[] = []
  socket.on('message', (bytes: Buffer) => {
    const { id, channel, code } = JSON.parse(bytes.toString())
    frames.push(`${id ?? channel} ${code ?? ''}`)
  })
  const until = async (count: number) => {
    while (frames.length < count) await new Promise((done) => setTimeout(done, 2))
    return frames.splice(0)
  }
  const source = 'account_order_updates'
  socket.send(JSON.stringify({ method: 'subscribe', params: { source, account } }))
  assert.deepEqual(await until(1), ['subscribe '])
  exchange.latency({
    lines: [
      { match: { channel: source }, private: { const_us: 30_000 } },
      { order: { const_us: 5_000 }, cancel: { const_us: 1_000 }, reply: { const_us: 4_000 } },
    ],
  })
  const send = (id: string, params: object) => socket.send(JSON.stringify({ id, params }))
  send('place', { create_order: { account, ...order } })
  send('cancel', { cancel_all_orders: { account, ...everything } })
  while (exchange.latencyReport().in_line < 2) await new Promise((done) => setTimeout(done, 2))
  await exchange.elapse('100ms')
  // The cancel waits for the order before it, and its reply for the frame before it.
  assert.deepEqual(await until(4), ['place 200', `${source} `, 'cancel 200', `${source} `])
  const { legs } = exchange.latencyReport()
  assert.deepEqual(
    legs.map(({ leg, achieved_us: { max } }) => [leg, max]),
    [
      ['order', 5_000],
      ['cancel', 5_000],
      ['reply', 30_000],
      ['private', 30_000],
    ],
  )
  socket.close()
  await exchange.close()
})

test('two accounts have their own delays, equal in every run', async () => {
  const run = async () => {
    const { exchange, applied } = timed()
    const clients = [await exchange.client('alice'), await exchange.client('bob')]
    await Promise.all(clients.map((client) => client.checkVenue()))
    exchange.latency({
      seed: 7,
      lines: [
        { match: { account: 'bob' }, order: { base_us: 100, jitter: 'lognormal', p99_us: 90_000 } },
        { match: { account: '*' }, preset: 'home' },
      ],
    })
    const sent = clients.flatMap((client) => [1, 2, 3].map(() => client.createOrder(order)))
    await exchange.elapse('10s')
    await Promise.all(sent)
    const hash = exchange.tradingHash()
    await exchange.close()
    return { applied, hash }
  }
  const first = await run()
  assert.deepEqual(await run(), first)
  assert.equal(new Set(first.applied).size, 6)
})

test('a request that waits for a clock that stands still gets 409, a reset drops it', async () => {
  const { exchange } = timed()
  const alice = await exchange.client('alice')
  exchange.latency({ lines: [{ order: { const_us: 5_000 } }] })
  const waiting = alice.createOrder(order)
  const stands = assert.rejects(
    waiting,
    /CLOCK_STANDS: the clock has stood still .* is due at 17672256\d+/,
  )
  await exchange.elapse('1ms')
  assert.throws(() => exchange.advance('1s'), /due at 2026-01-01T00:00:00\.005Z.*elapse/)
  await stands
  assert.deepEqual(exchange.trader('alice').orders(), [])
  const dropped = assert.rejects(
    alice.createOrder(order),
    /409|CLOCK_STANDS: the exchange was reset/,
  )
  await exchange.elapse('1ms')
  exchange.reset()
  await dropped
  exchange.latency({ lines: [] })
  assert.equal(exchange.advance('1s'), exchange.now)
  await exchange.close()
})

test('a reply that does not come leaves the outcome of its order open', async () => {
  const { exchange } = timed()
  const alice = await exchange.client('alice')
  await alice.checkVenue()
  const match = { op: 'orders/create' }
  exchange.faults({ rules: [{ fault: 'slow', match }] })
  const slow = alice.createOrder(order)
  const open = assert.rejects(slow, (error: OutcomeUnknown) => {
    assert.ok(error instanceof OutcomeUnknown)
    assert.equal(error.operation, 'create_order')
    assert.match(error.message, /^REPLY_WITHHELD: .*; the request was carried out/)
    return !error.judged
  })
  await exchange.elapse('1s')
  assert.equal(exchange.trader('alice').orders().length, 1)
  exchange.reset()
  await open
  await exchange.close()
})

test('jitter has the requested quantiles, from a seed alone', () => {
  const at = (share: number) => Math.floor(share * 2 ** 32)
  const quantiles = (spec: object) => {
    const delay = delayOf(spec, 'order')
    return [0.1, 0.5, 0.99, 0.999].map((share) => delay(at(share), 0))
  }
  const p = { p50_us: 20_000, p99_us: 80_000 }
  // Computed with 50 digits; the approximations are within a part in a thousand of them.
  const near = (found: number[], wanted: number[]) => {
    for (const [index, value] of wanted.entries())
      assert.ok(Math.abs(found[index]! - value) <= value / 1_000 + 1, `${found} ${wanted}`)
  }
  near(
    quantiles({ jitter: 'uniform', base_us: 1_000, p99_us: 100_000 }),
    [11_000, 51_000, 100_000, 100_900],
  )
  near(quantiles({ jitter: 'lognormal', ...p }), [9_319, 20_000, 80_000, 126_120])
  near(
    quantiles({
      jitter: 'quantiles',
      quantiles_us: [
        [0.5, 1_000],
        [1, 3_000],
      ],
    }),
    [200, 1_000, 2_960, 2_996],
  )
  near(quantiles({ jitter: 'gamma', ...p }).slice(1, 3), [20_000, 80_000])
  const series = delayOf(
    {
      series: [
        { t: 10, us: 1 },
        { t: 20, us: 2 },
      ],
    },
    'order',
  )
  assert.deepEqual(
    [0, 10, 19, 20].map((ms) => series(0, ms)),
    [0, 1, 1, 2],
  )
  assert.deepEqual(quantiles({ jitter: 'lognormal', ...p }), [9_319, 20_000, 80_000, 126_120])
})

test('a plan that is not understood is refused and changes nothing', () => {
  const { exchange } = timed()
  exchange.latency({ lines: [{ order: { const_us: 1 } }] })
  for (const [plan, says] of [
    [{}, /lines or preset is required/],
    [{ lines: [{ ordr: { const_us: 1 } }] }, /lines\[0\]\.ordr is not a field/],
    [{ preset: 'moon' }, /preset must be one of colo, region, home, mobile/],
    [{ lines: [{}] }, /lines\[0\] has no delay/],
    [
      { lines: [{ match: { acount: 'x' }, preset: 'home' }] },
      /lines\[0\]\.match\.acount is not a field/,
    ],
    [{ lines: [{ order: 'recorded' }] }, /lines\[0\]\.order must be an object/],
    [{ lines: [{ order: {} }] }, /lines\[0\]\.order must have const_us/],
    [{ lines: [{ order: { const_us: 60_000_001 } }] }, /const_us must be <= 60000000/],
    [{ lines: [{ order: { jitter: 'pareto', p99_us: 1 } }] }, /jitter must be one of uniform/],
    [{ lines: [{ order: { jitter: 'gamma' } }] }, /p99_us is missing/],
    [{ lines: [{ order: { const_us: 1, p99_us: 3 } }] }, /p99_us cannot be combined with const_us/],
    [{ lines: [{ order: { base_us: 9, jitter: 'uniform', p99_us: 3 } }] }, /below base_us/],
    [
      {
        lines: [
          {
            order: {
              series: [
                { t: 2, us: 1 },
                { t: 2, us: 1 },
              ],
            },
          },
        ],
      },
      /series\[1\]\.t must be later/,
    ],
    [{ lines: [{ match: { account: 'no/name' }, preset: 'home' }] }, /not a name of an account/],
  ] as const)
    assert.throws(() => exchange.latency(plan as never), says)
  assert.equal(exchange.latencyReport().lines, 1)
  void exchange.close()
})

const fixture = new Fixture(['--clock', 'wall', '--accounts', 'alice:50000'])
after(() => fixture.end())

test('by the clock of the machine, requests over sockets take at least as long', async () => {
  const { url, accounts } = await fixture.line
  const alice = new Client({ url, signer: keyOfSecret(accounts.alice!.secret) })
  await alice.createOrder(order)
  const plan = { lines: [{ order: { const_us: 20_000 }, reply: { const_us: 10_000 } }] }
  assert.equal((await alice.sandboxLatency(plan)).clock, 'machine')
  const begun = performance.now()
  await Promise.all([1, 2, 3].map(() => alice.createOrder(order)))
  assert.ok(performance.now() - begun >= 30)
  const { legs, in_line } = await alice.sandboxGetLatency()
  assert.deepEqual(
    [legs.map(({ leg, count }) => [leg, count]), in_line],
    [
      [
        ['order', 3],
        ['reply', 3],
      ],
      0,
    ],
  )
  for (const { late_us } of legs) assert.ok(late_us.p50 >= 0)
  await alice.sandboxLatency({ lines: [] })
})
