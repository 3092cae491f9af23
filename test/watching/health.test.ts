// A venue says the truth about its health: it is driven into each state, and /ready, the admin
// plane, the command line and the metrics are compared. Where promtool is installed, it plays what
// the metrics said against the alerts. The clock of the machine is moved by the test: engine time
// follows it.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { readinessOf } from '../../src/gateway/http/readiness.ts'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { ownerlessAddress } from '../../src/sources/ownerless-address.ts'
import { openperp } from '../support/cli/run-openperp.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { until } from '../support/http/held-sockets.ts'
import { adminToken, liveExchange } from '../support/http/live-exchange.ts'
import { type Played, playAlert, type Sample, sampleOf } from '../support/watching/play-alerts.ts'

const machineNow = Date.now
const hourMs = 3_600_000
/** It begins a minute after a full hour, so that no funding or part of fees moves meanwhile. */
let movedMs = hourMs - (machineNow() % hourMs) + 60_000
/** While pages are compared: an age must not grow from one to the next. */
let heldAt: number | null = null
Date.now = () => heldAt ?? machineNow() + movedMs

const names = ['one', 'two', 'three'] as const
const sources = names.map((name) => `${name}:the-price-token-${name}:prices`)
const tokens = `root:${adminToken}:${adminScopes.join('+')},${sources.join(',')}`
const house = ownerlessAddress('house of a venue')
const live = await liveExchange([
  ...['--mode', 'venue', '--admin-tokens', tokens, '--operator-accounts', house],
  ...['--rate-limit', 'off'],
])
const scratch = mkdtempSync(join(tmpdir(), 'openperp-health-'))
after(async () => {
  await live.close()
  rmSync(scratch, { recursive: true })
  Date.now = machineNow
})
const admin = new AdminClient(live)

const listing = {
  ...{ symbol: 'BTC', base_asset: 'BTC', tick_size: '1', lot_size: '0.00001', min_tick: '1' },
  ...{ max_tick: '10000000', isolated_only: false, oracle: '100000', max_leverage: 50 },
  backstop_address: ownerlessAddress('backstop of a watched venue'),
  ...{ min_order_size: '10', max_order_size: '1000000', speedbump_ms: 0, risk_tiers: [] },
  ...{ band_near_percent: '30', band_far_percent: '90', open_interest_cap: '1000' },
  ...{ open_interest_lower: '0', open_interest_upper: '0', impact_notional: '1000' },
  ...{ backstop_value_max: '100000', backstop_daily_loss_max: '10000' },
}

type Price = Readonly<{ symbol?: string; price?: string }>
const pushOf = async (name: string, { symbol = 'BTC', price = '100000' }: Price = {}) =>
  dataOf(
    await new AdminClient(live, `the-price-token-${name}`).post('/prices', {
      prices: [{ symbol, price, observed_at: Date.now() }],
      reason: undefined,
    }),
  )
const pushAll = (price?: Price) => Promise.all(names.map((name) => pushOf(name, price)))

type Market = Readonly<Record<'symbol' | 'status' | 'reason', string>> &
  Readonly<{ required: boolean; ready: boolean }>
type Ready = Readonly<{ status: string; reason?: string; markets: readonly Market[] }>

async function ready(): Promise<Ready & Readonly<{ code: number }>> {
  const reply = await fetch(`${live.url}/ready`)
  return { code: reply.status, ...((await reply.json()) as Ready) }
}

async function scrape(): Promise<Sample> {
  const headers = { authorization: `Bearer ${adminToken}` }
  return sampleOf(await (await fetch(`${live.adminUrl}/metrics`, { headers })).text())
}

/** Read at one entry of the journal, all of them say the same. */
async function everyone() {
  heldAt = Date.now()
  try {
    return await compared()
  } finally {
    heldAt = null
  }
}

async function compared() {
  const said = await ready()
  const standing = dataOf<Row>(await admin.get('/standing'))
  assert.deepEqual([standing.missing, standing.markets], [said.reason ?? null, said.markets])
  assert.equal(said.code, standing.missing === null ? 200 : 503)
  const sample = await scrape()
  assert.equal(sample.get('openperp_ready'), standing.missing === null ? 1 : 0)
  return { ...said, sample }
}

const environment = {
  OPENPERP_ADMIN_URL: live.adminUrl,
  OPENPERP_ADMIN_TOKEN: adminToken,
  OPENPERP_URL: live.url,
}
const warnings = async () => dataOf<Row>(await admin.get('/standing')).warnings as string[]

const wakes = () => live.running.exchange.submit({ type: 'Tick' })

function plays(t: TestContext, played: Omit<Played, 'folder' | 'everySeconds'>): void {
  const { isGood, said } = playAlert({ folder: scratch, everySeconds: 30, ...played })
  if (isGood === null) t.diagnostic(`promtool is not installed: ${played.alert} was not played`)
  else assert.ok(isGood, said)
}

const repeated = (sample: Sample, times = 20) => Array.from({ length: times }, () => sample)

test('a venue without markets is ready, and one with an unpriced market is not', async () => {
  assert.deepEqual(await ready(), { code: 200, status: 'ready', markets: [] })
  dataOf(await admin.post('/markets/list', listing))
  assert.equal((await everyone()).code, 200, 'it has the price that it was listed with')
  movedMs += 30_000
  await wakes()
  const { code, reason, markets } = await everyone()
  assert.deepEqual([code, reason, markets[0]!.ready], [503, 'no live price for BTC', false])
})

test('with prices that are live it is ready', async (t) => {
  await until(async () => {
    await pushAll()
    return (await ready()).code === 200
  })
  const { markets, sample } = await everyone()
  assert.deepEqual(markets, [
    { symbol: 'BTC', status: 'live', required: true, ready: true, reason: null },
  ])
  for (const alert of ['MarketStale', 'PriceSourcesApart', 'FundEmpty'])
    plays(t, { samples: repeated(sample), alert, labels: {}, fires: false })
})

test('counted sources that are more than 1 % apart are reported', async (t) => {
  const apart = 'openperp_price_sources_apart_ratio{market="BTC"}'
  const apartWith = async (price: string) => {
    await Promise.all([pushOf('one'), pushOf('two'), pushOf('three', { price })])
    return scrape()
  }
  const near = await apartWith('101000')
  assert.equal(near.get(apart), 0.01)
  const far = await apartWith('101001')
  assert.equal(far.get(apart), 0.01001)
  const lower = await apartWith('99000')
  assert.equal(lower.get(apart), 1_000 / 99_000)
  assert.equal((await ready()).code, 200, 'the median counts, and the market trades')
  const says = 'BTC: the sources disagree: 99000 and 100000, 1.01 % apart: the median counts'
  await until(async () => (await warnings()).some((each) => each.startsWith(says)))
  const { out } = await openperp(['admin', 'prices'], { environment })
  assert.match(out, /^BTC: the sources disagree by 1\.01 %: find out why$/m)
  const labels = { market: 'BTC', severity: 'warn' }
  const alert = 'PriceSourcesApart'
  plays(t, { samples: repeated(far), alert, labels, fires: true })
  plays(t, { samples: repeated(near), alert, labels, fires: false })
})

test('a fund below 1 % of the open interest is reported as empty', async (t) => {
  const [alice, bob] = [newKey(), newKey()]
  for (const account of [alice.address, bob.address, house])
    dataOf(await admin.post('/deposits', { account, amount: '10000', reference: account }))
  const order = { symbol: 'BTC', price: '100000', amount: '0.1', tif: 'GTC', reduce_only: false }
  dataOf(await live.api.signed(bob, '/orders/create', { ...order, side: 'ask' }))
  dataOf(await live.api.signed(alice, '/orders/create', { ...order, side: 'bid' }))
  const [fund, interest] = [
    'openperp_insurance_fund_usd',
    'openperp_market_open_interest_usd{market="BTC"}',
  ]
  await until(async () => {
    await pushAll()
    return (await scrape()).get(interest) === 10_000
  })
  const labels = { severity: 'page' }
  const alert = 'FundEmpty'
  const empty = await scrape()
  assert.equal(empty.get(fund), 0)
  plays(t, { samples: repeated(empty), alert, labels, fires: true })
  const fill = { from: house, to: 'insurance' }
  dataOf(await admin.post('/reserves/move', { ...fill, amount: '99.99' }))
  const low = await scrape()
  assert.deepEqual([low.get(fund), low.get(interest)], [99.99, 10_000])
  plays(t, { samples: repeated(low), alert, labels, fires: true })
  dataOf(await admin.post('/reserves/move', { ...fill, amount: '0.01' }))
  plays(t, { samples: repeated(await scrape()), alert, labels, fires: false })
})

test('a feed that is down for ten minutes is never said to be well', async (t) => {
  await until(async () => {
    const [market] = dataOf<{ markets: Row[] }>((await admin.get('/prices')) as never).markets
    return market!.fresh_sources === 0
  })
  const samples: Sample[] = []
  const statuses: string[] = []
  for (let seconds = 30; seconds <= 600; seconds += 30) {
    movedMs += 30_000
    await wakes()
    const said = await everyone()
    const [market] = said.markets
    assert.deepEqual(
      [said.code, said.status, said.reason, market!.required, market!.ready],
      [503, 'not_ready', 'no live price for BTC', true, false],
    )
    assert.match(market!.reason, /^no price for \d+ (?:s|min); /)
    statuses.push(market!.status)
    samples.push(said.sample)
  }
  assert.equal(statuses[0], 'stale')
  assert.deepEqual(new Set(statuses.slice(2)), new Set(['cancel_only']))
  assert.match((await ready()).markets[0]!.reason, /^no price for 10 min; /)
  for (const [at, sample] of samples.entries()) {
    const status = statuses[at]!
    assert.equal(sample.get(`openperp_market_status{market="BTC",status="${status}"}`), 1)
  }
  // The journal does not grow, and the age is true all the same.
  const { seq } = live.running.exchange
  const before = seq()
  movedMs += 120_000
  const later = await everyone()
  assert.equal(seq(), before)
  assert.match(later.markets[0]!.reason, /^no price for 12 min; /)
  assert.ok(later.sample.get('openperp_market_price_age_seconds{market="BTC"}')! >= 720)
  const [risk] = dataOf<{ markets: Row[] }>(await live.api.get('/info/risk')).markets
  assert.ok((risk!.price_age_ms as number) >= 720_000)
  await until(async () => {
    const headers = { accept: 'application/json' }
    const body = (await (await fetch(`${live.url}/status`, { headers })).json()) as { data: Row }
    return ((body.data.markets as Row[])[0]!.price_age_ms as number) >= 720_000
  })
  const { out } = await openperp(['admin', 'status'], { environment })
  assert.match(out, /^missing +no live price for BTC$/m)
  assert.match(out, /^BTC +cancel_only +yes +no +no price for 12 min; /m)
  const labels = { severity: 'page' }
  const ofMarket = { market: 'BTC', ...labels }
  // From the second scrape on, through both statuses.
  for (const count of [3, 4, 8, 20])
    plays(t, {
      ...{ samples: samples.slice(0, count), alert: 'MarketStale', labels: ofMarket },
      fires: true,
    })
  plays(t, { samples: samples.slice(0, 6), alert: 'ExchangeNotReady', labels, fires: true })
})

test('a restricted market is not required, and names its mode', async () => {
  const mode = (name: string) => admin.post(`/markets/${name}`, { symbol: 'BTC' })
  for (const name of ['halt', 'cancel_only', 'reduce_only', 'post_only']) {
    dataOf(await mode(name))
    const { code, markets } = await everyone()
    const [market] = markets
    assert.deepEqual([code, market!.required, market!.ready], [200, false, false], name)
    assert.match(market!.reason, /^in mode (?:halted|\w+_only), set by an operator or after a/)
  }
  dataOf(await mode('resume'))
  assert.equal((await everyone()).code, 503)
})

test('with requireMarkets only those count, and one that is not listed is missed', async () => {
  const { exchange } = live.running
  const requiring = (...requireMarkets: readonly string[]) =>
    readinessOf({ exchange, missing: null, requireMarkets })
  assert.equal(requiring('BTC').missing, 'no live price for BTC')
  const { missing, markets } = requiring('ETH')
  assert.equal(missing, 'no market ETH is listed')
  assert.deepEqual(
    markets.map(({ symbol, required, status }) => [symbol, required, status]),
    [
      ['BTC', false, 'cancel_only'],
      ['ETH', true, 'not_listed'],
    ],
  )
  assert.equal(requiring('BTC', 'ETH').missing, 'no live price for BTC; no market ETH is listed')
  const draining = { ...exchange, view: exchange.view, closed: () => 'draining' as const }
  const closed = readinessOf({ exchange: draining, missing: 'x', requireMarkets: [] })
  assert.equal(closed.missing, 'draining')
})

test('two sources that disagree are named everywhere as the reason', async () => {
  // A price counts for five seconds.
  const disagree = () => Promise.all([pushOf('one'), pushOf('two', { price: '104000' })])
  const dispute = 'the sources disagree: 100000 and 104000, 4 % apart'
  await until(async () => {
    await disagree()
    return (await ready()).reason === `no live price for BTC (${dispute})`
  })
  const { markets, sample } = await everyone()
  assert.match(markets[0]!.reason, new RegExp(`^no price for \\d+ min, because ${dispute}; `))
  assert.equal(sample.get('openperp_price_sources_apart_ratio{market="BTC"}'), 0.04)
  assert.ok((await warnings()).includes(`BTC: ${dispute}: two that differ make no price`))
  const page = async (...words: readonly string[]) => {
    await disagree()
    return (await openperp([...words], { environment })).out
  }
  assert.match(await page('markets'), new RegExp(`because ${dispute}`))
  assert.match(
    await page('admin', 'prices'),
    /^BTC: .* disagree by 4 %: two that are more than 3 % apart make no price$/m,
  )
  assert.match(await page('admin', 'status'), new RegExp(`^BTC: ${dispute}`, 'm'))
})

test('it is not ready while engine time waits for a clock that was ahead', async () => {
  await until(async () => {
    await pushAll()
    return (await ready()).code === 200
  })
  movedMs += 60_000
  await wakes()
  movedMs -= 60_000
  const { code, reason, markets } = await everyone()
  assert.equal(code, 503)
  const ahead = /^engine time is (?:59|60) s ahead of the clock and stands still until the clock/
  assert.match(reason!, ahead)
  assert.match(markets[0]!.reason, ahead)
  assert.equal(markets[0]!.ready, false)
  movedMs += 56_000
  assert.doesNotMatch((await ready()).reason ?? '', /^engine time/)
})

test('after five good prices it is ready again', async () => {
  await until(async () => {
    await pushAll()
    return (await ready()).code === 200
  })
  assert.equal((await everyone()).markets[0]!.status, 'live')
})

test('--require-markets of a start narrows the markets /ready waits for', async () => {
  const narrow = await liveExchange(['--require-markets', 'BTC,NOPE'])
  try {
    const reply = await fetch(`${narrow.url}/ready`)
    const { reason, markets } = (await reply.json()) as Ready
    assert.deepEqual([reply.status, reason], [503, 'no market NOPE is listed'])
    const required = markets.filter((each) => each.required).map(({ symbol }) => symbol)
    assert.deepEqual(required, ['BTC', 'NOPE'])
    assert.ok(markets.length > 2)
  } finally {
    await narrow.close()
  }
})

test('missing limits and a disabled brake are warned of though orders are accepted', async () => {
  const says = async (text: RegExp) => (await warnings()).some((each) => text.test(each))
  const limits = { approval_above: null, daily_max: null, credit_approval_above: null }
  const set = dataOf<Row>(await admin.post('/withdrawals/limits', limits))
  assert.match((set.warnings as string[]).join(), /^no limit of money is set: a single token/)
  assert.ok(await says(/^no limit of money is set/))
  assert.equal(await says(/brake is off/), false)
  dataOf(await admin.post('/withdrawals/brake', { enabled: false }))
  assert.ok(await says(/^the withdrawal brake is off/))
  dataOf(await admin.post('/withdrawals/brake', { enabled: true }))
  assert.equal(await says(/brake is off/), false)
})
