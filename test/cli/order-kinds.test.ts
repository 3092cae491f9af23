// Advanced order kinds from the built command line: previews, icebergs, chases and TWAPs.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openperp, openperpJson, type Ran } from '../support/cli/run-openperp.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
const home = mkdtempSync(join(tmpdir(), 'openperp-home-'))
after(async () => {
  await live.close()
  rmSync(home, { recursive: true, force: true })
})
await live.price('BTC', '105000')
const maker = await live.trader('1000000')
for (const [side, price] of [
  ['ask', '105010'],
  ['bid', '104990'],
])
  await live.order(maker, { symbol: 'BTC', side, price, amount: '2' })

const environment = { OPENPERP_URL: live.url, HOME: home }
const mine = ['--key', 'alice']
const run = (...args: string[]): Promise<Ran> => openperp(args, { environment })
async function json<T = Row>(...args: string[]): Promise<T> {
  const { code, json: read } = await openperpJson<T>(args, { environment })
  assert.equal(code, 0, JSON.stringify(read))
  return read
}

test('a preview of each kind shows the result of placing it, and places nothing', async () => {
  const { account } = await json('fund', '100000', ...mine)
  const bid = ['BTC', 'bid', '0.1']
  const of = { side: 'bid', reduce_only: false }
  const [rests, fires] = [
    { ...of, amount: '0.1', price: '80000' },
    { amount: '0.1', stop_price: '120000' },
  ]
  const kinds: readonly (readonly [string[], Row])[] = [
    [['order', ...bid, '--stop', '120000'], { ...of, stop_order: fires }],
    [
      ['oco', ...bid, '--price', '80000', '--stop', '120000'],
      { legs: [rests, { ...of, ...fires }] },
    ],
    [['iceberg', ...bid, '80000', '0.05'], { ...rests, display_amount: '0.05' }],
    [['chase', ...bid, '80000'], { ...rests, chase: true }],
  ]
  for (const [args, fields] of kinds) {
    const seen = await json(...args, '--preview', ...mine)
    const body = { account, symbol: 'BTC', ...fields }
    assert.deepEqual(seen, dataOf(await live.api.post('/orders/preview', body)))
    assert.equal(seen.accepted, true)
    const off = args.map((word) => word.replace(/0000$/, '0000.5'))
    const [no, placed] = [await run(...off, '--preview', ...mine), await run(...off, ...mine)]
    assert.deepEqual([no.code, placed.code], [1, 1])
    assert.ok(placed.err.includes(/^refused +(.*)$/m.exec(no.out)![1]!), no.out + placed.err)
  }
  const trail = await run('order', ...bid, '--trail', '1%', '--preview', ...mine)
  assert.deepEqual([trail.code, trail.out], [0, 'accepted  yes\n'])
  const post = await run('order', ...bid, '105010', '--tif', 'ALO', '--preview', ...mine)
  assert.equal(post.code, 1)
  assert.match(post.out, /^rejected +post_only_rejected: .*\nvalue /)
  assert.equal((await json<Row[]>('orders', ...mine)).length, 0)
})

test('icebergs and TWAPs are listed as orders, and are cancelled by id or client id', async () => {
  await json('fund', '100000', ...mine)
  const parts = ['BTC', 'bid', '0.1', '80000', '0.01']
  const { order_id } = await json('iceberg', ...parts, ...mine)
  const listed = new RegExp(`^iceberg ${order_id}: bid BTC at 80000, 0 of 0\\.1 filled$`, 'm')
  assert.match((await run('orders', ...mine)).out, listed)
  const known = (await json<Row[]>('orders', ...mine)).find(({ kind }) => kind === 'iceberg')
  assert.equal(known?.order_id, order_id)
  await json('cancel', String(order_id), ...mine)
  assert.doesNotMatch((await run('orders', ...mine)).out, /iceberg/)
  const fields = { symbol: 'BTC', side: 'bid', amount: '0.01', reduce_only: false }
  const wish = { ...fields, slippage_percent: '0.5', duration_in_seconds: 300 }
  const twap = await json('request', 'create_twap_order', JSON.stringify(wish), ...mine)
  const id = String(twap.order_id)
  const runs = new RegExp(
    `^no open orders\nTWAP ${id}: bid BTC until .*, [0-9.]+ of 0\\.01 filled$`,
    'm',
  )
  assert.match((await run('orders', ...mine)).out, runs)
  assert.deepEqual(
    (await json<Row[]>('orders', ...mine)).map(({ kind }) => kind),
    ['twap'],
  )
  assert.equal((await json('cancel', id, ...mine)).symbol, 'BTC')
  assert.equal((await json<Row[]>('orders', ...mine)).length, 0)
  const named = { ...wish, client_order_id: randomUUID() }
  const byClientId = ['--client-id', named.client_order_id]
  for (const market of [[], ['--symbol', 'BTC']])
    for (const by of ['id', 'client id']) {
      const next = await json('request', 'create_twap_order', JSON.stringify(named), ...mine)
      const ref = by === 'id' ? [String(next.order_id)] : byClientId
      await json('cancel', ...ref, ...market, ...mine)
      assert.equal((await json<Row[]>('orders', ...mine)).length, 0)
    }
  const gone = await run('cancel', id, '--symbol', 'BTC', ...mine)
  assert.equal(gone.code, 1)
  assert.match(gone.err, /ORDER_NOT_FOUND/)
})

test('chases and icebergs are placed, rest in the book and end', async () => {
  const trader = await live.trader('1000000')
  const file = join(home, 'patient')
  writeFileSync(file, trader.secret, { mode: 0o600 })
  const patient = ['--key-file', file]
  const of = { account: trader.address }
  const algos = async () => dataOf<Row[]>(await live.api.get('/orders/algo', of))
  const now = async () => dataOf<{ engine_now: number }>(await live.api.get('/time')).engine_now
  const chase = await json('chase', 'BTC', 'bid', '0.5', '105005', '--expire', '10m', ...patient)
  const [row] = await algos()
  assert.deepEqual(
    [row!.order_id, row!.kind, row!.price, row!.initial_amount, row!.expire_time],
    [chase.order_id, 'chase', '105005', '0.5', chase.expire_time],
  )
  assert.equal(Number(row!.expire_time), (await now()) + 600_000)
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  await live.price('BTC', '105000')
  // The maker's bid is old enough to be followed.
  const [child] = await json<Row[]>('orders', ...patient)
  assert.deepEqual(
    [child!.price, child!.remaining_amount ?? child!.initial_amount],
    ['104990', '0.5'],
  )
  assert.equal((await algos())[0]!.child_order_id, child!.order_id)
  assert.equal((await json('cancel', String(chase.order_id), ...patient)).symbol, 'BTC')
  const long = await run('chase', 'BTC', 'bid', '0.5', '105005', '--expire', '2h', ...patient)
  assert.equal(long.code, 1)
  assert.match(
    long.err,
    /INVALID_TIME: --expire \S+Z must be from \S+Z to \S+Z: 1s to 1h after the clock/,
  )
  const ice = await run('iceberg', 'BTC', 'ask', '1', '105500', '0.25', ...patient)
  assert.match(ice.out, /^iceberg +ask 1 BTC at 105500\nshows +0\.25$/m)
  const [shown] = await algos()
  assert.deepEqual([shown!.kind, shown!.display_amount], ['iceberg', '0.25'])
  await json('cancel', '--all', ...patient)
  assert.deepEqual(await algos(), [])
  const bad = await run('chase', 'BTC', 'up', '0.5', '105005', ...patient)
  assert.equal(bad.code, 2)
})

test('the list shows triggered and waiting orders, their parents and remaining sizes', async () => {
  const trader = await live.trader('1000000')
  const file = join(home, 'reader')
  writeFileSync(file, trader.secret, { mode: 0o600 })
  const mine = ['--key-file', file]
  const levels = { stop_loss: { trailing_percent: '2' } }
  const fields = { symbol: 'BTC', side: 'bid', amount: '0.01', price: '80000', tif: 'GTC' }
  const wish = JSON.stringify({ ...fields, reduce_only: false, ...levels })
  const { order_id } = await json('request', 'create_order', wish, ...mine)
  const waits = await run('orders', ...mine)
  assert.match(waits.out, /since +trails +parent\n/)
  const level = new RegExp(` market .* 2%, once its order has filled +${order_id}\n`)
  assert.match(waits.out, level)
  await json('cancel', '--all', ...mine)

  const legs = ['oco', 'BTC', 'bid', '0.5', '--price', '104995', '--stop', '140000', ...mine]
  const { order_ids } = await json<{ order_ids: number[] }>(...legs)
  await live.order(maker, { symbol: 'BTC', side: 'ask', price: '104995', amount: '0.2' })
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  await live.price('BTC', '105000')
  const shrunk = new RegExp(`^ *${order_ids[1]} .* market +140000 +0\\.5 +0 +\\S+ +0\\.3 `, 'm')
  assert.match((await run('orders', ...mine)).out, shrunk)
  await json('cancel', '--all', ...mine)

  const stop = await json('order', 'BTC', 'ask', '0.1', '--stop', '104800', ...mine)
  await live.price('BTC', '104700')
  await live.price('BTC', '105000')
  const past = (await run('orders', '--history', ...mine)).out
  assert.match(past, new RegExp(`^ *${stop.order_id} .* stop_market .* fired `, 'm'))
  const [row] = (await json<Row[]>('orders', '--history', ...mine)).filter(
    (each) => each.order_id === stop.order_id,
  )
  assert.deepEqual([row!.order_status, row!.filled_amount], ['filled', '0'])
  assert.match(past, new RegExp(`^ *\\d+ +BTC +ask +market .* ${stop.order_id}$`, 'm'))

  for (const symbol of ['btc', 'XYZ'])
    for (const more of [[], ['--history']]) {
      const none = await run('orders', '--symbol', symbol, ...more, ...mine)
      const same = await run('cancel', '--all', '--symbol', symbol, ...mine)
      assert.deepEqual([none.code, none.err], [1, same.err])
    }
  assert.equal((await run('orders', '--symbol', 'ETH', ...mine)).out, 'no open orders\n')
  for (const [args, says] of [
    [['cancel', '9053', '--keep-reduce-only'], /--keep-reduce-only is of --all/],
    [['orders', '--limit', '5'], /--limit is of the past: give --history too/],
  ] as const) {
    const ran = await run(...args, ...mine)
    assert.equal(ran.code, 2)
    assert.match(ran.err, says)
  }
})

test('a stop market order has a slippage, and is triggered while it stays active', async () => {
  const trader = await live.trader('1000000')
  const file = join(home, 'stopper')
  writeFileSync(file, trader.secret, { mode: 0o600 })
  const mine = ['--key-file', file]
  await live.price('ETH', '3500')
  await live.trade({ symbol: 'ETH', price: '3500', amount: '2', buyer: trader, seller: maker })
  const ask = ['order', 'ETH', 'ask', '2', '--stop', '3400', '--reduce-only']
  const placed = await run(...ask, '--slippage', '1', ...mine)
  assert.match(placed.out, /^slippage +up to 1 % from the mark$/m)
  assert.match((await run('orders', ...mine)).out, /slips\n.* 1%\n$/)
  await live.order(maker, { symbol: 'ETH', side: 'bid', price: '3390', amount: '0.5', tif: 'ALO' })
  await live.price('ETH', '3400')
  const listed = (await run('orders', ...mine)).out
  assert.match(listed, /since +state +left +ends +parent\n/)
  assert.match(listed, / market reduce +3366 +- +2 +0\.5 +\S+ +triggered +1\.5 /)
  const [row] = await json<Row[]>('orders', ...mine)
  const past = (await run('orders', '--history', ...mine)).out
  assert.match(past, new RegExp(`^ *${row!.order_id} .* market .* triggered `, 'm'))
  await json('cancel', String(row!.order_id), ...mine)
  assert.equal((await run('orders', ...mine)).out, 'no open orders\n')

  for (const [code, args, says] of [
    [1, [...ask, '--slippage', '11'], /: --slippage 11 is above the maximum of 10/],
    [
      2,
      ['order', 'ETH', 'ask', '1', '3390', '--stop', '3300', '--slippage', '1'],
      /leave the price/,
    ],
    [1, ['trail', 'ETH', 'ask', '1', '1%', '--slippage', '11'], /: --slippage 11 is above/],
  ] as const) {
    const ran = await run(...args, ...mine)
    assert.match(ran.err, says)
    assert.equal(ran.code, code)
  }
})

test('trail places the same stop as an order with --trail', async () => {
  const { account } = await json<{ account: string }>('fund', '1000', '--key', 'bob')
  const ask = ['BTC', 'ask', '0.01']
  const rest = ['--from', '110000', '--sl', '130000', '--key', 'bob']
  const placed = [
    await json('trail', ...ask, '2%', ...rest, '--expire', '1h'),
    await json('order', ...ask, '--trail', '2%', ...rest, '--expire', '1h'),
  ]
  const rows = dataOf<Row[]>(await live.api.get('/orders', { account }))
  const stops = placed.map(({ order_id }) => {
    const { order_id: id, ...row } = rows.find((each) => each.order_id === order_id)!
    const brought = rows.filter(({ stop_parent_order_id }) => stop_parent_order_id === id)
    return [row, brought.map(({ stop_price }) => stop_price)]
  })
  assert.deepEqual(stops[0], stops[1])
  assert.deepEqual(stops[0]![1], ['130000'])
  const refused = await run('trail', ...ask, '200%', '--key', 'bob')
  assert.deepEqual([refused.code, /: behind 200 /.test(refused.err)], [1, true])
  const trailing = await run('trail', ...ask, '500', '--key', 'bob')
  assert.match(trailing.out, /^stop +\d+\nwaits for +mark price 500 behind its best\n$/)
})

test('rejections and confirmations use the flags of the command line', async () => {
  const trader = await live.trader('1000000')
  const file = join(home, 'speaker')
  writeFileSync(file, trader.secret, { mode: 0o600 })
  const mine = ['--key-file', file]
  const bid = ['BTC', 'bid', '0.01']
  const one = ['order', ...bid, '95000']
  const { order_id } = await json('iceberg', 'BTC', 'bid', '0.1', '80000', '0.05', ...mine)
  const legs = ['oco', ...bid]
  const mmp = ['mmp', 'set', 'BTC', '--max', '1', '--window']
  const cases: readonly (readonly [number, string[], RegExp])[] = [
    [
      1,
      [...one, '--tp', '94000'],
      /: --tp: stop price 94000 .* 95000; one above 95000 is accepted/,
    ],
    [
      1,
      [...one, '--sl', '94000,96000'],
      /: --sl: stop price 96000 .*; one below 95000 is accepted/,
    ],
    [1, ['order', ...bid, '--stop', '99000'], /waits for a higher price unless --when below, an/],
    [
      1,
      [...legs, '--above', '99000', '--below', '90000'],
      /: --above: stop price 99000 is reached already: it fires .* above 105000 is accepted$/m,
    ],
    [1, [...legs, '--price', '90000', '--stop', '99000'], /: --stop: stop price 99000 is reached/],
    [1, ['order', 'btc', 'bid', '1'], /BOOK_NOT_FOUND: no market has the symbol btc;/],
    [
      1,
      ['edit', String(order_id), '--price', '81000'],
      /is an iceberg, which cannot be edited: cancel/,
    ],
    [2, [...one, '--expire', '-10m'], /--expire must be positive, not -10m/],
    [
      2,
      [...mmp, '5'],
      /--window "5" is not a duration\nit takes 100ms to 1h; durations are written/,
    ],
    [1, [...mmp, '5ms'], /--window 5 is outside 100ms to 1h$/m],
  ]
  for (const [code, args, says] of cases) {
    const ran = await run(...args, ...mine)
    assert.match(ran.err, says)
    assert.equal(ran.code, code)
  }
  const levels = await run(...one, '--tp', '120000:0.01', '--sl', '90000', ...mine)
  assert.match(levels.out, /^take profit +120000:0\.01\nstop loss +90000$/m)
  const low = await run('chase', 'BTC', 'ask', '0.5', '105500', ...mine)
  assert.match(low.out, /^chase +ask 0\.5 BTC, at least to 105500$/m)
  const steps = ['scale', 'BTC', 'bid', '0.04', '105010', '105000', '--orders', '2', '--tif', 'IOC']
  const passed = await run(...steps, ...mine)
  assert.match(
    passed.out,
    /105010 +0\.02 +order \d+: 0\.02 filled at 1050\d\d\n.*: nothing filled\n/,
  )
  await json('cancel', '--all', ...mine)
})
