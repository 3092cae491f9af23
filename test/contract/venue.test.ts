// An exchange in venue mode, black box: no sandbox, limits on, prices only from price keys.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { readConfig } from '../../src/config.ts'
import { untimedNote } from '../../src/main/banner.ts'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { ownerlessAddress } from '../../src/sources/ownerless-address.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { ChildExchange } from '../support/running/child-exchange.ts'

const sources = ['one', 'two', 'three'].map((name) => `${name}:the-price-token-${name}:prices`)
const tokens = `root:the-token-of-every-scope:${adminScopes.join('+')},${sources.join(',')}`
const treasury = ownerlessAddress('treasury of a venue')
const live = await liveExchange([
  ...['--mode', 'venue', '--admin-tokens', tokens, '--operator-accounts', treasury],
])
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)

test('a venue does not start without an admin token', () => {
  assert.throws(
    () => readConfig(['--mode', 'venue'], {}, '/'),
    /adminTokens .* is required in venue/,
  )
})

test('the sandbox routes do not exist', async () => {
  for (const path of api.published.routes()) assert.ok(!path.includes('/sandbox/'), path)
  const posts = ['faucet', 'clock', 'oracle', 'snapshot', 'revert', 'bots', 'scenario']
  for (const route of [...posts, 'latency', 'faults', 'fork', 'fork/end'])
    refused(await api.post(`/sandbox/${route}`, {}), {
      status: 404,
      says: /NOT_FOUND: no such route: it exists only in a sandbox, and this is a venue/,
    })
  for (const route of ['clock', 'snapshots', 'bots', 'latency', 'faults'])
    refused(await api.get(`/sandbox/${route}`), { status: 404, says: /NOT_FOUND/ })
})

test('metrics are served on the admin port, for tokens that may read', async () => {
  const hidden = await fetch(`${live.url}/metrics`)
  assert.equal(hidden.status, 404)
  const ask = (token: string) =>
    fetch(`${live.adminUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const read = await ask('the-token-of-every-scope')
  assert.equal(read.status, 200)
  assert.match(read.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(await read.text(), /^# HELP [\s\S]*openperp_seq /)
  const prices = await ask('the-price-token-one')
  assert.equal(prices.status, 403)
  assert.match(await prices.text(), /SCOPE_REQUIRED: token one lacks the scope read/)
  assert.equal((await fetch(`${live.adminUrl}/metrics`)).status, 401)
  const page = { authorization: 'Bearer the-token-of-every-scope', origin: live.url }
  assert.equal((await fetch(`${live.adminUrl}/metrics`, { headers: page })).status, 403)
  const both = [
    readConfig([], {}, '/').metrics,
    readConfig(['--metrics', 'admin'], {}, '/').metrics,
    readConfig(['--mode', 'venue', '--admin-tokens', tokens], {}, '/').metrics,
    readConfig(['--mode', 'venue', '--admin-tokens', tokens, '--metrics', 'public'], {}, '/')
      .metrics,
  ]
  assert.deepEqual(both, ['public', 'admin', 'admin', 'public'])
})

test('the start warns of replayable untimed texts, and how to reject them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openperp-venue-'))
  const says = /TP\/SL texts without a timestamp .* serves again on a later position.*UNTIMED_TEXTS/
  const started = async (...flags: readonly string[]) => {
    const child = new ChildExchange(folder, ['--mode', 'venue', ...flags])
    await child.ready
    child.kill('SIGTERM')
    await child.ended
    return child.errors
  }
  try {
    assert.match(await started(), says)
    assert.doesNotMatch(await started('--untimed-texts', 'off'), says)
    const config = readConfig(['--mode', 'venue', '--admin-tokens', tokens], {}, '/')
    assert.match(untimedNote(config) ?? '', says)
    assert.equal(untimedNote(readConfig([], {}, '/')), null)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('reserves are withdrawn from accounts of the operator only', async () => {
  const trader = ownerlessAddress('trader of a venue')
  for (const account of [treasury, trader])
    dataOf(await admin.post('/deposits', { account, amount: '100', reference: `of-${account}` }))
  const move = (from: string, to: string) =>
    admin.post('/reserves/move', { from, to, amount: '40' })
  assert.equal(dataOf(await move(treasury, 'insurance')).from_balance, '60')
  refused(await move(trader, 'insurance'), {
    status: 422,
    code: 51,
    says: /from must be a reserve or an account of the operator.*OPENPERP_OPERATOR_ACCOUNTS/,
  })
  refused(await move('insurance', 'backstop'), {
    status: 400,
    says: /to backstop: each market has one; give its address, or symbol/,
  })
  assert.equal(dataOf(await move('insurance', trader)).to_balance, '140')
})

test('rate limits are on by default', async () => {
  const { headers } = await api.get('/time')
  assert.match(headers.get('ratelimit-policy') ?? '', /^"credits";q=1000;w=60$/)
})

const listing = {
  symbol: 'BTC',
  base_asset: 'BTC',
  tick_size: '1',
  lot_size: '0.00001',
  min_tick: '1',
  max_tick: '10000000',
  isolated_only: false,
  oracle: '100000',
  backstop_address: ownerlessAddress('backstop of a venue'),
  max_leverage: 50,
  min_order_size: '10',
  max_order_size: '1000000',
  band_near_percent: '30',
  band_far_percent: '90',
  speedbump_ms: 0,
  open_interest_cap: '1000',
  open_interest_lower: '0',
  open_interest_upper: '0',
  impact_notional: '1000',
  backstop_value_max: '100000',
  backstop_daily_loss_max: '10000',
  risk_tiers: [],
}

const push = (name: string, price: string, observed_at?: number) =>
  new AdminClient(live, `the-price-token-${name}`).post('/prices', {
    prices: [{ symbol: 'BTC', price, ...(observed_at !== undefined && { observed_at }) }],
    reason: undefined,
  })

test('two price keys make a market live, one does not; of three the median counts', async () => {
  assert.deepEqual(dataOf(await api.get('/info')), [])
  dataOf(await admin.post('/markets/list', listing))
  assert.deepEqual(dataOf(await push('one', '100001.5')), { taken: 1, refused: [] })
  const refusedOnes = dataOf<{ refused: string[] }>(await push('three', '0')).refused
  assert.deepEqual(refusedOnes.length, 1)
  assert.match(refusedOnes[0]!, /^BTC: a price must be above 0 and at most 1000000000; what this/)
  const large = dataOf<Row>(await push('three', '99999999999999999999'))
  assert.deepEqual(large.taken, 0)
  assert.match(String(large.refused), /^BTC: price 99999999999999999999 is too large: at most/)
  const scope = await new AdminClient(live, 'the-price-token-one').post('/drain')
  refused(scope, { status: 403, says: /token one lacks the scope operate/ })
  const prices = async () => dataOf<Row[]>(await api.get('/info/prices'))[0]!
  assert.equal((await prices()).oracle, '100000')
  /** Pushes until the oracle changes: a push counts for five seconds. */
  const moved = async (before: string, pushed: Readonly<Record<string, string>>) => {
    for (const started = Date.now(); ; ) {
      for (const [name, price] of Object.entries(pushed)) await push(name, price)
      const { oracle } = await prices()
      if (oracle !== before) return oracle
      assert.ok(Date.now() - started < 60_000, 'a tick comes every three seconds')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const two = { one: '100001.5', two: '100003.5' }
  assert.equal(await moved('100000', two), '100002.5')
  assert.equal(await moved('100002.5', { ...two, three: '150000' }), '100003.5')
})

test('the metrics include the market and the reserves of the exchange', async () => {
  const authorization = 'Bearer the-token-of-every-scope'
  const shown = await (
    await fetch(`${live.adminUrl}/metrics`, { headers: { authorization } })
  ).text()
  const metric = (series: string) =>
    Number(
      shown
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    )
  const { mark, open_interest } = dataOf<Row[]>(await api.get('/info/prices'))[0]!
  assert.equal(metric('openperp_market_mark_usd{market="BTC"}'), Number(mark))
  assert.equal(metric('openperp_market_open_interest_usd{market="BTC"}'), Number(open_interest))
  assert.equal(metric('openperp_exchange_mode{mode="open"}'), 1)
  assert.match(shown, /openperp_market_status\{market="BTC",status="\w+"\} 1/)
  const { insurance, fees } = dataOf(await admin.get('/reserves'))
  assert.equal(metric('openperp_insurance_fund_usd'), Number(insurance))
  assert.equal(metric('openperp_fees_usd'), Number(fees))
  assert.ok(metric('openperp_disk_free_bytes') > 0)
  assert.ok(metric('openperp_journal_append_seconds_count') > 0)
  assert.equal(metric('openperp_withdrawals_waiting'), 0)
})

test('a deposit is credited, and an order trades at the venue price', async () => {
  const [alice, bob] = [newKey(), newKey()]
  for (const { address: account } of [alice, bob])
    dataOf(await admin.post('/deposits', { account, amount: '10000', reference: account }))
  const order = { symbol: 'BTC', price: '100000', amount: '0.01', tif: 'GTC', reduce_only: false }
  const sell = await api.signed(bob, '/orders/create', { ...order, side: 'ask' })
  dataOf(sell)
  const bought = dataOf(await api.signed(alice, '/orders/create', { ...order, side: 'bid' }))
  assert.equal(bought.order_status, 'open', 'it waits for a price that was observed after it')
  const { order_id } = bought
  for (const started = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    for (const name of ['one', 'two']) await push(name, '100000', Date.now())
    const events = await api.get('/orders/history_by_id', { order_id: `${order_id}` })
    if (events.status === 200 && dataOf<Row[]>(events)[0]!.order_status === 'filled') break
    assert.ok(Date.now() - started < 60_000, 'a tick releases it')
  }
})

test('after a start no price is live until new prices have arrived', async () => {
  await live.running.exchange.submit({ type: 'EngineStarted' })
  const [market] = dataOf<{ markets: Row[] }>(await api.get('/info/risk')).markets
  assert.equal(market!.status, 'stale')
  const ready = await fetch(`${live.url}/ready`)
  const reason = 'no live price for BTC'
  const btc = { symbol: 'BTC', status: 'stale', required: true, ready: false }
  const markets = [{ ...btc, reason: 'after a start, five good prices have to come first' }]
  assert.deepEqual(
    [ready.status, await ready.json()],
    [503, { status: 'not_ready', reason, markets }],
  )
})

test('engine time is the clock of the machine', async () => {
  const { now, engine_now } = dataOf<{ now: number; engine_now: number }>(await api.get('/time'))
  assert.ok(Math.abs(engine_now - now) < 1_000)
})

test('a market with a single source has a maximum leverage of 5', async () => {
  const says =
    /INVALID_PARAMETER: max_leverage of BTC is 50, .* the maximum is 5 unless min_sources/
  refused(await admin.post('/markets/list', { ...listing, min_sources: 1 }), { status: 422, says })
  const least = { ...listing, symbol: 'LONE', min_sources: 1, max_leverage: 5 }
  const backstop_address = ownerlessAddress('backstop of one source')
  dataOf(await admin.post('/markets/list', { ...least, backstop_address }))
  const change = (fields: Row) => admin.post('/markets/change', { symbol: 'LONE', change: fields })
  refused(await change({ max_leverage: 6 }), { status: 422, says: /max_leverage of LONE is 6/ })
  dataOf(await change({ min_sources: 2, max_leverage: 6 }))
  refused(await change({ min_sources: 1 }), { status: 422, says: /name LONE in leverageOverrides/ })
  dataOf(await admin.post('/markets/settle', { symbol: 'LONE', price: '100000' }))
})

test('each pushed price is accepted or rejected on its own, with the reason', async () => {
  const source = async () =>
    dataOf<{ sources: Row[] }>(await admin.get('/prices')).sources.find(
      (row) => row.source === 'three',
    )!
  const push = (...prices: readonly (readonly [string, string])[]) =>
    new AdminClient(live, 'the-price-token-three').post('/prices', {
      prices: prices.map(([symbol, price]) => ({ symbol, price })),
    })
  const before = await source()
  const bad = ['1e9', '', '-1', 'NaN', '1.23456789012345', '9'.repeat(50)] as const
  for (const price of bad) {
    const { taken, refused: reasons } = dataOf<{ taken: number; refused: string[] }>(
      await push(['NOPE', '3000'], ['BTC', price], ['BTC', '100000']),
    )
    assert.deepEqual([taken, reasons.length], [1, 2], price)
    assert.equal(reasons[0], 'NOPE: no such market is listed')
    assert.match(reasons[1]!, /^BTC: (?:a )?price .*(?:is|must be) /)
  }
  const after = await source()
  const grown = (name: string) => (after[name] as number) - (before[name] as number)
  assert.deepEqual([grown('accepted'), grown('refused')], [bad.length, 2 * bad.length])
  assert.deepEqual(after.refusals, [{ markets: ['NOPE'], reason: 'no such market is listed' }])
  dataOf(await push(['BTC', 'none']))
  assert.deepEqual(
    ((await source()).refusals as Row[]).map(({ markets }) => markets),
    [['NOPE'], ['BTC']],
  )
  for (const malformed of [{}, { prices: [] }, { prices: [{ symbol: 'BTC' }] }])
    refused(await new AdminClient(live, 'the-price-token-three').post('/prices', malformed), {
      ...{ status: 400, says: /MALFORMED_REQUEST/ },
    })
})

test('a pushed price carries its observation time', async () => {
  const push = (observed_at: unknown) =>
    admin.post('/prices', { prices: [{ symbol: 'BTC', price: '100000', observed_at }] })
  for (const wrong of [-1, 1.5, '2026-01-01', true])
    refused(await push(wrong), { status: 400, says: /observed_at/ })
})
