// Announced changes of a market over HTTP: how traders see them, how an operator cancels one, and
// which maintenance tiers are shown while old ones are kept.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AdminClient } from '../../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)

type Announcement = Readonly<{
  change_id: number | null
  effective_at: number
  maintenance_at: number
}>
const change = (symbol: string, fields: Row, immediate = false) =>
  admin.post('/markets/change', { symbol, change: fields, immediate })
const announced = async (symbol: string, fields: Row) =>
  dataOf<Announcement>(await change(symbol, fields))
const cancel = (symbol: string, change_id: unknown) =>
  admin.post('/markets/cancel_change', { symbol, change_id })
const riskOf = async (symbol: string) =>
  dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol })).markets[0]!

test('an announced change, its time and values are shown until it takes effect', async () => {
  assert.deepEqual((await riskOf('SOL')).pending_changes, [])
  const every = {
    min_tick: '0.01',
    max_tick: '50000',
    max_leverage: 15,
    min_order_size: '12.5',
    max_order_size: '900000',
    band_near_percent: '4.25',
    band_far_percent: '60',
    speedbump_ms: 150,
    open_interest_cap: '1000.5',
    owner_interest_max: '100',
    open_interest_lower: '1000000',
    open_interest_upper: '3000000.000001',
    impact_notional: '700',
    funding_samples_min: 300,
    stale_after_ms: 5000,
    min_sources: 3,
    backstop_value_max: '5000',
    backstop_daily_loss_max: '600',
    liquidation_fee_part_percent: '30',
    liquidation_fee_max_percent: '0.5',
    liquidation_concession_percent: '40',
    liquidation_dry_max: 4,
    liquidation_step_max: '50000',
    risk_tiers: [{ from_value: '250000', max_leverage: 5 }],
  }
  const { change_id, effective_at } = await announced('SOL', every)
  assert.deepEqual((await riskOf('SOL')).pending_changes, [
    { change_id, effective_at, change: every },
  ])
  assert.deepEqual(dataOf(await cancel('SOL', change_id)), {
    ...{ symbol: 'SOL', change_id, effective_at },
  })
  assert.deepEqual((await riskOf('SOL')).pending_changes, [])
  const journal = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.equal(journal[0]?.what, 'CancelMarketChange')
})

test('a change that cannot be cancelled names the pending ones, or which goes first', async () => {
  const gone = { status: 422, says: /CHANGE_NOT_FOUND: no announced change 7 of ETH .*; none is$/ }
  refused(await cancel('ETH', 7), gone)
  refused(await cancel('ETH', 0), { status: 400, says: /change_id must be >= 1/ })
  refused(await cancel('NONE', 1), { status: 400, code: 3, says: /BOOK_NOT_FOUND/ })
  const { change_id: one } = await announced('ETH', { max_leverage: 40 })
  const { change_id: two } = await announced('ETH', { max_leverage: 30 })
  refused(await cancel('ETH', 7), { status: 422, says: /is pending; these are: 1, 2$/ })
  refused(await cancel('ETH', two), {
    ...{ status: 422, says: /change 2 overrides change 1, .*: cancel change 1 first/ },
  })
  dataOf(await cancel('ETH', one))
  dataOf(await cancel('ETH', two))
  const immediate = dataOf<Announcement>(await change('ETH', { min_order_size: '11' }))
  assert.equal(immediate.change_id, null)
})

test('a ninth announced change is rejected with the reason; nothing else is blocked', async () => {
  for (let n = 1; n <= 8; n++) await announced('BTC', { max_leverage: 40 - n })
  const { engine_now } = dataOf<{ engine_now: number }>(await api.get('/time'))
  const first = new Date(engine_now + 86_400_000).toISOString()
  refused(await change('BTC', { max_leverage: 26 }), {
    status: 422,
    says: new RegExp(
      'LIMIT_REACHED: 8 announced changes of BTC, and at most 8 may be pending: cancel one ' +
        `\\(POST /markets/cancel_change\\), .* at ${first}, or make this one immediate`,
    ),
  })
  dataOf(await change('BTC', { min_order_size: '11' }))
  for (let n = 1; n <= 8; n++) dataOf(await change('BTC', { max_leverage: 40 - n }, true))
  const gone = new Date(engine_now + 3_600_000).toISOString()
  refused(await change('BTC', { max_leverage: 26 }, true), {
    status: 422,
    says: new RegExp(`LIMIT_REACHED: 8 tables of tiers of BTC, .* is taken from ${gone} on`),
  })
  dataOf(await cancel('BTC', 1))
  await announced('BTC', { max_leverage: 26 })
})

test('maintenance_tiers are those in force while old tiers are kept', async () => {
  const tiers = [{ from_value: '100000', max_leverage: 5 }]
  const { maintenance_tiers: before, max_leverage } = await riskOf('ETH')
  dataOf(await change('ETH', { risk_tiers: tiers }, true))
  const { maintenance_tiers: kept, risk_tiers } = await riskOf('ETH')
  assert.deepEqual(kept, before, 'holders have an hour')
  assert.equal((risk_tiers as Row[]).length, 2)
  dataOf(await api.post('/sandbox/clock', { advance_ms: 3_600_000 }))
  const base = 1 / (2 * Number(max_leverage))
  const { maintenance_tiers } = await riskOf('ETH')
  assert.deepEqual(maintenance_tiers, [
    { from_notional: '0', maintenance_fraction: `${base}`, deduction: '0' },
    {
      from_notional: '100000',
      maintenance_fraction: '0.1',
      deduction: `${Math.round(100_000 * (0.1 - base))}`,
    },
  ])
})
