// The built command line against a real exchange: every command that sends requests, with its
// output compared with the API.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Key, keyOfSecret, newKey } from '../../src/client/key.ts'
import { openperp, openperpJson, type Ran } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
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
const quote = (side: string, price: string) =>
  live.order(maker, { symbol: 'BTC', side, price, amount: '2' })
await quote('ask', '105010')
await quote('bid', '104990')

const environment = { OPENPERP_URL: live.url, HOME: home }
const run = (...args: string[]): Promise<Ran> => openperp(args, { environment })
async function json<T = Row>(...args: string[]): Promise<T> {
  const { code, json: read } = await openperpJson<T>(args, { environment })
  assert.equal(code, 0, JSON.stringify(read))
  return read
}

test('a key is created once, in a file of mode 600; its secret needs a flag to show', async () => {
  const file = join(home, '.openperp', 'key')
  const before = await run('balance')
  assert.equal(before.code, 2)
  assert.match(before.err, /openperp key new/)
  const { address } = await json('key', 'new')
  const secret = readFileSync(file, 'utf8').trim()
  assert.equal(keyOfSecret(secret).address, address)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await run('key', 'new')).code, 1)
  assert.equal(readFileSync(file, 'utf8').trim(), secret)
  const shown = await run('key', 'show')
  assert.ok(shown.out.includes(String(address)) && !shown.out.includes(secret))
  assert.ok((await run('key', 'show', '--secret')).out.includes(secret))
  chmodSync(file, 0o644)
  const open = await run('key', 'show')
  assert.equal(open.code, 1)
  assert.match(open.err, /may be read by others \(mode 644\)[\s\S]*chmod 600/)
  assert.ok(!open.err.includes(secret))
  chmodSync(file, 0o600)
})

test('an agent has a policy, and its list shows the possible loss if it is stolen', async () => {
  const bot = newKey()
  const mine = ['--key', 'bob'] as const
  await json('fund', '1000', ...mine)
  type Listed = Readonly<{ agents: readonly Row[] }>
  const limits = ['--max-position', '5000', '--max-loss', '100', '--max-slippage', '2']
  const ips = ['--ips', '127.0.0.1']
  const bound = await run('agent', 'bind', bot.address, ...limits, ...ips, ...mine)
  assert.equal(bound.code, 0, bound.err)
  assert.match(
    bound.out,
    /slippage up to 2 % from the mark, positions to 5000, loses at most 100 a day/,
  )
  assert.match(bound.out, /127\.0\.0\.1 +0 +about 400 USD/)
  assert.doesNotMatch(bound.out, /could lose about/)
  const changes = ['--symbols', 'BTC,ETH', '--allow', 'margin', '--expires', '30d', '--post-only']
  const { agents } = await json<Listed>('agent', 'policy', bot.address, ...changes, ...mine)
  const policy = agents.find(({ agent_wallet }) => agent_wallet === bot.address)!.policy as Row
  assert.deepEqual(
    [policy.symbols, policy.allow, policy.post_only],
    [['BTC', 'ETH'], ['margin'], true],
  )
  const { engine_now } = dataOf<{ engine_now: number }>(await live.api.get('/time'))
  assert.ok(Math.abs(Number(policy.expires_at) - engine_now - 30 * 86_400_000) < 60_000)
  const open = await run('agent', 'list', ...mine)
  assert.match(open.out, /BTC ETH, post-only, until .*, may handle margin/)
  assert.match(open.out, /no bound: it needs max-loss, max-slippage and max-position/)
  await json('agent', 'policy', bot.address, '--post-only', '--expires', '1s', ...mine)
  dataOf(await live.sandbox('clock', { advance_ms: 1_000 }))
  await live.price('BTC', '105000')
  const expired = await run('agent', 'list', ...mine)
  assert.match(expired.out, /post-only, EXPIRED on .* nothing: expired/)
  assert.equal((await json<Listed>('agent', 'list', ...mine)).agents[0]!.expired, true)
  const neither = await run('agent', 'policy', bot.address, ...mine)
  assert.equal(neither.code, 2)
  assert.match(neither.err, /say limits, or --remove/)
  const word = await run('agent', 'policy', bot.address, '--allow', 'withdraw', ...mine)
  assert.match(word.err, /--allow withdraw is not one of margin, api_keys/)
  const removed = await run('agent', 'policy', bot.address, '--remove', ...mine)
  assert.match(removed.out, /none: no limits .*everything/)
  const revoked = await run('agent', 'revoke', bot.address, ...mine)
  assert.match(revoked.out, /no agents/)
})

test('quotes rest at their prices, protected, and a ladder adds up', async () => {
  const trader = await live.trader('1000000')
  const file = join(home, 'maker')
  writeFileSync(file, trader.secret, { mode: 0o600 })
  const mine = ['--key-file', file]
  const says = async (says: RegExp, ...args: string[]) => {
    const { code, err } = await run(...args, ...mine)
    assert.equal(code, 2)
    assert.match(err, says)
  }
  type Quoted = Readonly<{ results: Row[] }>
  const one = ['quote', 'BTC', 'bid', '0.5', '104980']
  const [placed] = (await json<Quoted>(...one, '--mmp', ...mine)).results
  assert.match((await run(...one, '--mmp', ...mine)).out, /as it was/)
  const [moved] = (await json<Quoted>('quote', 'BTC', 'buy', '0.4', '104970', '--mmp', ...mine))
    .results
  assert.equal(moved!.client_order_id, placed!.client_order_id)
  await json('quote', 'BTC', 'bid', '0.1', '104970', '--name', 'far', ...mine)
  const open = await json<Row[]>('orders', ...mine)
  assert.deepEqual(
    open.map(({ price, initial_amount, mmp }) => [price, initial_amount, mmp]),
    [
      ['104970', '0.1', undefined],
      ['104970', '0.4', true],
    ],
  )
  await json('quote', 'BTC', 'bid', '0', '104970', ...mine)
  await json('quote', 'BTC', 'bid', '0', '104970', '--name', 'far', ...mine)
  const set = await run('mmp', 'set', 'BTC', '--max', '0.3', '--freeze', '5s', ...mine)
  assert.match(set.out, /BTC +0\.3 +- +1s +5s +quotes are accepted/)
  const ladder = ['scale', 'BTC', 'bid', '1', '104900', '104000', '--orders', '7', '--mmp']
  const seen = await json<Row[]>(...ladder, '--preview', ...mine)
  assert.equal((await json<Row[]>('orders', ...mine)).length, 0)
  const { results } = await json<Quoted>(...ladder, ...mine)
  assert.ok(results.length === 7 && results.every(({ success }) => success === true))
  const rows = (await json<Row[]>('orders', ...mine)).toReversed()
  assert.deepEqual(
    rows.map(({ price, initial_amount: amount }) => ({ price, amount })),
    seen,
  )
  const taken = { symbol: 'BTC', side: 'ask', price: '104000', amount: '2.5' }
  await live.order(await live.trader('1000000'), { ...taken, tif: 'IOC' })
  const tripped = await json<Row[]>('mmp', 'show', ...mine)
  assert.ok(Number(tripped[0]!.frozen_until) > 0)
  assert.match((await run('mmp', 'show', ...mine)).out, /frozen until \d{4}-/)
  const frozen = await run(...one, '--mmp', ...mine)
  assert.equal(frozen.code, 1)
  assert.match(frozen.out, /MMP_FROZEN: .* until 2\S+Z \(`openperp mmp reset BTC` resets it\)/)
  assert.match((await run('mmp', 'reset', 'BTC', ...mine)).out, /quotes are accepted/)
  assert.match((await run('mmp', 'set', 'BTC', '--remove', ...mine)).out, /no protection: noth/)
  await says(/--max, --max-net or both, or --remove/, 'mmp', 'set', 'BTC')
  await says(/too few for 50 orders/, 'scale', 'BTC', 'bid', '1', '1000', '1001', '--orders', '50')
  await says(/--orders 51 is not a number from 1/, ...ladder.slice(0, 6), '--orders', '51')
  await says(/orders that never take, and GTC may/, ...ladder, '--tif', 'GTC')
  await says(/give one of them/, ...one, '--name', 'a', '--client-id', 'b')
  await json('cancel', '--all', ...mine)
  await quote('bid', '104990')
})

test('a crossing order is not reported as placed, nor mmp without protection as safe', async () => {
  const { secret } = await live.trader('1000000')
  const file = join(home, 'poster')
  writeFileSync(file, secret, { mode: 0o600 })
  const mine = ['--key-file', file]
  const one = ['quote', 'BTC', 'bid', '0.5', '104980']
  const crossing = await run('quote', 'BTC', 'bid', '0.1', '105010', '--name', 'x', ...mine)
  assert.equal(crossing.code, 1)
  assert.match(crossing.out, /order \d+ was rejected: it is post-only and would have taken/)
  const rungs = await run('scale', 'BTC', 'bid', '1', '105100', '104000', '--orders', '2', ...mine)
  assert.equal(rungs.code, 1)
  assert.match(rungs.out, /105100.*would have taken.*\n *104000 +0\.5 +order \d+\n$/)
  const posted = await run('order', 'BTC', 'bid', '0.1', '105010', '--tif', 'ALO', ...mine)
  assert.equal(posted.code, 1)
  assert.match(posted.out, /rejected\nwhy +it is post-only/)
  const [stays] = await json<Row[]>('orders', ...mine)
  const moved = await run('edit', String(stays!.order_id), '--price', '105010', ...mine)
  assert.equal(moved.code, 1)
  assert.match(moved.out, new RegExp(`would have taken; ${stays!.order_id} stands as it was\n$`))
  assert.deepEqual(await json<Row[]>('orders', ...mine), [stays])
  await json('cancel', '--all', '--symbol', 'BTC', ...mine)
  await json(...one, ...mine)
  const gone = await run('quote', 'BTC', 'bid', '0', '104970', ...mine)
  assert.match(gone.out, /order \d+ cancelled\n$/)
  assert.match((await run('quote', 'BTC', 'bid', '0', '104970', ...mine)).out, /none stood\n$/)
  const bare = /warning: no protection is set on BTC, so --mmp ends nothing/
  assert.match((await run(...one, '--mmp', ...mine)).err, bare)
  await json('cancel', '--all', ...mine)
  const tagged = ['order', 'BTC', 'bid', '0.1', '90000', '--mmp', ...mine]
  assert.match((await run(...tagged)).err, /--mmp is of orders that never take, and GTC may/)
  assert.match((await run(...tagged, '--stop', '120000')).err, /--mmp does not go with --stop/)
  assert.match((await run(...tagged, '--tif', 'ALO')).err, bare)
  assert.match((await run('orders', ...mine)).out, /since +mmp\n.* 90000 .* yes\n/)
  for (const freeze of ['0s', '0']) {
    const held = await run('mmp', 'set', 'BTC', '--max', '0.3', '--freeze', freeze, ...mine)
    assert.match(held.out, /0\.3 +- +1s +until a reset +quotes/)
  }
  assert.equal((await run(...one, '--mmp', ...mine)).err, '')
  await json('cancel', '--all', ...mine)
})

test('of several addresses one that answers is enough', async () => {
  const url = `http://127.0.0.1:9,${live.url}`
  assert.match((await run('markets', '--url', url)).out, /BTC/)
  const several = { ...environment, OPENPERP_URL: url }
  const none = { OPENPERP_URL: 'http://127.0.0.1:9' }
  assert.equal((await openperp(['markets'], { environment: several })).code, 0)
  assert.equal((await openperp(['markets'], { environment: { ...several, ...none } })).code, 3)
})

test('a new key is funded, trades and shows its account', async () => {
  const { address } = await json('key', 'show')
  const account = String(address)
  const unfunded = await run('order', 'BTC', 'bid', '0.01')
  assert.equal(unfunded.code, 1)
  assert.match(unfunded.err, /ACCOUNT_NOT_FOUND[\s\S]*openperp fund/)
  assert.equal((await json('fund', '5000')).balance, '5000')

  const bought = await json('order', 'BTC', 'buy', '0.01')
  assert.deepEqual(
    [bought.order_status, bought.filled_amount, bought.average_filled_price],
    ['filled', '0.01', '105010'],
  )
  const rows = (await live.api.get<Row[]>('/positions', { account })).body
  assert.deepEqual(await json<Row[]>('positions'), rows)
  assert.equal(rows[0]!.amount, '0.01')
  const balance = await json('balance')
  const { updated_at: _, ...truth } = dataOf(await live.api.get('/account', { account }))
  for (const [name, value] of Object.entries(truth)) assert.deepEqual(balance[name], value, name)
  const { out } = await run('positions')
  assert.match(out, /BTC +long +0.01 +105010 .* - +cross/)
  // A hundredth of the 10 USD from the mark to the entry; the balance covers it at any price.
  assert.match(out, /mark +profit +liquidation +ratio +margin/)
  assert.match(out, / -0\.10 +- +\d+\.\d % /)
  // A reader without the key sees the same.
  const reader = { OPENPERP_URL: live.url, HOME: join(home, 'reader') }
  const read = await openperp(['positions', '--account', account], { environment: reader })
  assert.equal(read.out, out)
  // The 1,050 USD that are held, minus 500, can be closed 2 % beyond the mark.
  const [bot, limits] = [newKey().address, ['--max-loss', '100', '--max-slippage', '2']]
  const bound = await run('agent', 'bind', bot, '--max-position', '500', ...limits)
  assert.match(bound.out, /lose about 11.00 USD more, while .* in BTC exceed .* by 550.00 USD/)
  await json('agent', 'revoke', bot)
})

test('limit orders with protection, by client id, edited and cancelled', async () => {
  const clientId = randomUUID()
  const args = ['order', 'BTC', 'bid', '0.01', '100000', '--tif', 'alo', '--client-id', clientId]
  const placed = await json(...args, '--tp', '120000', '--sl', '90000')
  assert.deepEqual([placed.order_status, placed.client_order_id], ['open', clientId])
  const open = await json<Row[]>('orders')
  assert.deepEqual(open.map(({ order_type }) => order_type).sort(), [
    'limit',
    'stop_loss_market',
    'take_profit_market',
  ])
  const parts = ['--tp', '120000:0.004,130000', '--sl', '90000,80000:0.001']
  const inParts = await json('order', 'BTC', 'bid', '0.01', '100000', '--tif', 'alo', ...parts)
  const levels = (await json<Row[]>('orders')).filter((row) => row.stop_price !== null)
  assert.deepEqual(levels.map((row) => `${row.stop_price} ${row.initial_amount}`).sort(), [
    '120000 0.004',
    '120000 0.01',
    '130000 0.01',
    '80000 0.001',
    '90000 0.01',
    '90000 0.01',
  ])
  const bad = await run('order', 'BTC', 'bid', '0.01', '100000', '--tp', '120000:')
  assert.match(bad.err, /--tp 120000: is not a price, or a price and an amount/)
  assert.equal((await json('cancel', String(inParts.order_id))).symbol, 'BTC')
  const edited = await json('edit', '--client-id', clientId, '--price', '101000')
  assert.deepEqual([edited.price, edited.amount], ['101000', '0.01'])
  assert.equal((await json('cancel', String(edited.order_id))).symbol, 'BTC')
  const gone = await run('cancel', String(edited.order_id))
  assert.equal(gone.code, 1)
  const stop = await json('order', 'BTC', 'ask', '0.005', '--stop', '99000', '--reduce-only')
  const [row] = await json<Row[]>('orders')
  assert.deepEqual([row!.order_id, row!.stop_price], [stop.order_id, '99000'])
  const trails = await run('order', 'BTC', 'ask', '0.005', '--trail', '1%', '--reduce-only')
  assert.match(trails.out, /^waits for +mark price 1% behind its best$/m)
  const far = ['--trail', '500', '--from', '120000', '--reduce-only']
  await json('order', 'BTC', 'ask', '0.005', ...far)
  const seen = (await run('orders')).out
  assert.match(seen, /since +trails\n.* 500, from 120000 on\n.* 1% behind 105000\n.* -\n/)
  const falls = await run('order', 'BTC', 'bid', '0.005', '--stop', '90000', '--when', 'below')
  assert.match(falls.out, /^waits for +mark price at or below 90000$/m)
  const legs = ['BTC', 'bid', '0.005', '--price', '80000', '--stop', '140000']
  const pair = await run('oco', ...legs)
  assert.match(pair.out, /^order +\d+: bid 0\.005 BTC at 80000\nstop .* at or above 140000\n$/)
  await json('cancel', /order +(\d+)/.exec(pair.out)![1]!)
  const { order_ids } = await json<{ order_ids: number[] }>('oco', ...legs)
  assert.equal((await json('cancel', String(order_ids[0]))).symbol, 'BTC')
  const exits = ['--stop', '140000', '--tp', '150000', '--sl', '130000']
  const entry = await json<Row>('order', 'BTC', 'bid', '0.005', ...exits)
  const brought = (await json<Row[]>('orders')).filter(
    (row) => row.stop_parent_order_id === entry.order_id,
  )
  assert.equal(brought.length, 2)
  await json('cancel', String(entry.order_id))
  const single = await run('oco', 'BTC', 'bid', '0.005', '--price', '80000')
  assert.match(single.err, /give --price and --stop, or --above and --below/)
  const break_ = ['--above', '140000', '--below', '80000', '--other-side', '--expire', '1h']
  const both = await json<{ order_ids: number[] }>('oco', 'BTC', 'bid', '0.005', ...break_)
  assert.equal((await json('cancel', String(both.order_ids[1]))).symbol, 'BTC')
  await json('order', 'ETH', 'bid', '0.1', '3000', '--tif', 'ALO')
  assert.equal((await json('cancel', '--all', '--symbol', 'ETH')).cancelled_count, 1)
  assert.equal((await json('cancel', '--all')).cancelled_count, 4)
  const past = await json<Row[]>('orders', '--history', '--limit', '3')
  assert.equal(past.length, 3)
})

test('orders expire at their --expire time, and --stp decides which one is cancelled', async () => {
  const now = async () => dataOf<{ engine_now: number }>(await live.api.get('/time')).engine_now
  const soon = ['order', 'BTC', 'bid', '0.01', '100000', '--expire']
  const before = await now()
  const placed = await json(...soon, '10m')
  // The sandbox clock is frozen.
  assert.equal(placed.expire_time, before + 600_000)
  const moment = new Date(before + 86_400_000).toISOString().slice(0, 16)
  const tomorrow = await json(...soon, `${moment}Z`)
  const time = Date.parse(`${moment}Z`)
  assert.equal(tomorrow.expire_time, time)
  const stop = await json(...['order', 'BTC', 'bid', '0.01', '--stop', '120000', '--expire', '1h'])
  const open = await json<Row[]>('orders')
  assert.deepEqual(open.map((row) => [row.order_id, row.expire_time]).toReversed(), [
    [placed.order_id, before + 600_000],
    [tomorrow.order_id, time],
    [stop.order_id, before + 3_600_000],
  ])
  assert.match((await run('orders')).out, / ends\n(.*\d{4}-\d\d-\d\dT[\d:.]+Z\n){3}$/)
  const shown = await run(...soon, '2h')
  assert.match(shown.out, new RegExp(`^ends +${new Date(before + 7_200_000).toISOString()}$`, 'm'))
  for (const [args, says] of [
    [[...soon, 'soon'], /--expire "soon" is not a duration/],
    [[...soon, '2026-02-31'], /--expire 2026-02-31 is not a time/],
    [[...soon, '10m', '--tif', 'IOC'], /an order that can rest, and IOC does not\n.*GTC, ALO, TOB/],
    [['order', 'BTC', 'bid', '0.01', '--expire', '10m'], /and one at the market does not/],
    [['order', 'BTC', 'bid', '1', '9', '--stp', 'me'], /--stp me is not one of cancel_maker, can/],
    [['order', 'BTC', 'bid', '1', '--stop', '9', '--stp', 'cancel_both'], /--stp does not go with/],
    [
      ['order', 'BTC', 'bid', '1', '--stop', '9', '--trail', '1%'],
      /one that follows\n.*one of them/,
    ],
    [['order', 'BTC', 'bid', '1', '--stop', '9', '--when', 'up'], /--when up is not one of above/],
    [['order', 'BTC', 'bid', '1', '--from', '9'], /give --trail too/],
  ] as const) {
    const ran = await run(...args)
    assert.equal(ran.code, 2, ran.err)
    assert.match(ran.err, says)
  }
  assert.match((await run(...soon, '500ms')).err, /INVALID_TIME: --expire 2\S+Z must be/)
  const own = await json('order', 'BTC', 'ask', '0.01', '105005')
  const way = ['order', 'BTC', 'bid', '0.01', '105005', '--tif', 'IOC', '--stp', 'cancel_taker']
  assert.equal((await json(...way)).order_status, 'cancelled')
  const still = await json<Row[]>('orders')
  assert.ok(still.some(({ order_id }) => order_id === own.order_id))
  assert.equal((await json('cancel', '--all')).cancelled_count, 5)
})

test('an error of the exchange is code 1, with its message and the nearest values', async () => {
  const off = await run('order', 'BTC', 'bid', '0.01', '100000.5')
  assert.equal(off.code, 1)
  assert.match(off.err, /INVALID_TICK_SIZE: .*nearest: 100000 or 100001/)
  const large = await openperpJson<{ error: Row }>(['order', 'BTC', 'bid', '40', '100000'], {
    environment,
  })
  assert.equal(large.code, 1)
  assert.deepEqual(
    [large.json.error.kind, large.json.error.reason, large.json.error.code],
    ['refused', 'INSUFFICIENT_BALANCE', 5],
  )
  assert.match(String(large.json.error.message), /largest amount accepted now is [\d.]+ BTC/)
  assert.match((await run('order', 'btc', 'bid', '1')).err, /BOOK_NOT_FOUND[\s\S]*openperp markets/)
  const preview = await run('order', 'BTC', 'bid', '40', '100000', '--preview')
  assert.equal(preview.code, 1)
  assert.match(preview.out, /largest amount +[\d.]+/)
})

test('leverage, margin mode, markets and any other request', async () => {
  const set = await json<Row[]>('leverage', 'ETH', '7', '--isolated')
  assert.deepEqual(
    set.map(({ symbol, leverage, isolated }) => [symbol, leverage, isolated]),
    [['ETH', 7, true]],
  )
  const markets = await json<Row[]>('markets')
  const info = dataOf<Row[]>(await live.api.get('/info'))
  assert.deepEqual(
    markets.map(({ symbol }) => symbol),
    info.map(({ symbol }) => symbol),
  )
  const sent = await json('request', 'create_api_key')
  assert.match(String((sent.data as Row).api_key), /^\w{8}_/)
  const book = await json('request', '/book', '{"symbol":"BTC","depth":1}')
  assert.equal(book.s, 'BTC')
  const none = await run('request', '/orders/craete', '{}')
  assert.equal(none.code, 2)
  assert.match(none.err, /did you mean \/orders\/create\?/)
  const empty = await run('request', '/orders/batch', '{}')
  assert.equal(empty.code, 2)
  assert.match(empty.err, /lacks actions, a list/)
  const twice = await run('request', 'create_subaccount', '{}')
  assert.equal(twice.code, 2)
  assert.match(twice.err, /two keys sign create_subaccount/)
  assert.deepEqual((await json('api', 'get_book', '--symbol', 'BTC', '--depth', '1')).l, book.l)
  const file = join(home, 'second-key')
  await run('key', 'new', '--key-file', file)
  await json('api', 'create_subaccount', '--subaccount-key-file', file)
  const { subaccounts } = await json('api', 'list_subaccounts')
  assert.equal((subaccounts as readonly unknown[]).length, 1)
  assert.match((await run('api', 'get_prices')).out, /^symbol +.*mark/m)
})

test('the sandbox is controlled: clock, prices, bots, snapshot and revert', async () => {
  const before = await json('clock')
  const moved = await json('clock', 'advance', '1h30m')
  assert.equal(Number(moved.engine_now) - Number(before.engine_now), 5_400_000)
  const saved = await json('snapshot')
  assert.equal((await json('oracle', 'set', 'BTC', '99000')).oracle, '99000')
  assert.equal((await json('oracle', 'resume', 'BTC')).symbol, 'BTC')
  await json('oracle', 'set', 'BTC', '98000')
  assert.equal((await json('bots', 'on')).running, true)
  assert.equal((await json('bots')).running, true)
  assert.equal((await json('bots', 'off')).running, false)
  assert.equal((await json('bots')).running, false)
  assert.equal((await json('revert', String(saved.id))).id, saved.id)
  assert.equal((await json<Row[]>('snapshot', '--list')).length, 1)
  const [btc] = await json<Row[]>('markets')
  assert.equal(btc!.oracle, '105000')
  const unknown = await run('revert', 'never')
  assert.equal(unknown.code, 1)
  assert.equal((await json('clock', 'resume')).frozen, false)
  assert.equal((await json('clock', 'freeze')).frozen, true)
})

test('alice is a key without a file, and piped output has no colours', async () => {
  const { address } = await json('key', 'show', '--key', 'alice')
  const named = await json('fund', '1', '--account', 'alice')
  assert.equal(named.account, address)
  const { out } = await run('balance', '--key', 'alice')
  assert.ok(!out.includes('\x1b['))
  assert.ok(existsSync(join(home, '.openperp', 'key')))
  const key: Key = keyOfSecret(readFileSync(join(home, '.openperp', 'key'), 'utf8').trim())
  const other = await openperp(['key', 'show'], { environment: { OPENPERP_KEY: key.secret } })
  assert.ok(other.out.includes(key.address) && !other.out.includes(key.secret))
})

test('markets shows until when the maintenance of the old tiers applies', async () => {
  const admin = new AdminClient(live)
  assert.ok(!(await run('markets')).out.includes('has new tiers'))
  const change = { risk_tiers: [{ from_value: '1000000', max_leverage: 2 }] }
  const request = { symbol: 'SOL', change, immediate: true }
  const { maintenance_at } = dataOf<{ maintenance_at: number }>(
    await admin.post('/markets/change', request),
  )
  const until = new Date(maintenance_at).toISOString()
  assert.ok(
    (await run('markets')).out.includes(
      `SOL has new tiers: maintenance follows them in full at ${until}.`,
    ),
  )
  const sol = (await json<Row[]>('markets')).find(({ symbol }) => symbol === 'SOL')!
  assert.equal((sol.kept_tiers as Row[])[0]?.until, maintenance_at)
})

test('markets and watch show that a market is reduce-only, and the options left', async () => {
  const admin = new AdminClient(live)
  dataOf(await admin.post('/markets/reduce_only', { symbol: 'BTC' }))
  const words = 'BTC is reduce-only: orders that take must only reduce a position (set by the'
  const can = 'You can still close, cancel, set stops, and place orders that rest.'
  const { out } = await run('markets')
  assert.ok(out.includes(words) && out.includes(can), out)
  const watched = await run('watch', 'BTC', '--for', '2s')
  assert.ok(watched.out.includes(`status ${words}`), watched.out)
  dataOf(await admin.post('/markets/resume', { symbol: 'BTC' }))
  assert.ok(!(await run('markets')).out.includes('is reduce-only'))
})

test('watch prints the book, every trade and the own fills as lines of JSON', async () => {
  const trader = await live.trader()
  let ended = false
  const watching = openperp(
    ['watch', 'BTC', '--json', '--count', '3', '--for', '50s', '--key', trader.secret],
    { environment },
  ).finally(() => {
    ended = true
  })
  // It prints only live events, so the test trades until it has printed enough.
  while (!ended) {
    await live.order(trader, { symbol: 'BTC', side: 'bid', price: '105010', amount: '0.0002' })
    await new Promise((done) => setTimeout(done, 200))
  }
  const { code, out } = await watching
  assert.equal(code, 0)
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  const [book] = rows
  assert.deepEqual(
    [book!.type, (book!.ask as Row).p, (book!.bid as Row).p],
    ['book', '105010', '104990'],
  )
  const trades = rows.filter(({ type }) => type === 'trade')
  const fills = rows.filter(({ type }) => type === 'fill')
  assert.equal(trades.length, 3)
  for (const { price, amount } of [...trades, ...fills])
    assert.deepEqual([price, amount], ['105010', '0.0002'])
  assert.ok(fills.length >= 1)
  const none = await run('watch', 'NOPE')
  assert.equal(none.code, 1)
})
