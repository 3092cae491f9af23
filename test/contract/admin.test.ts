// The admin plane, black box: permissions, effects, and the audit trail.

import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, test } from 'node:test'
import { newKey } from '../../src/client/key.ts'
import { addressesOf } from '../../src/projections/opening.ts'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { ownerlessAddress } from '../../src/sources/ownerless-address.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { bare, dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox, liveExchange } from '../support/http/live-exchange.ts'

const scoped = adminScopes.map((scope) => `${scope}-only:the-token-of-${scope}-alone:${scope}`)
const tokens = `root:the-token-of-every-scope:${adminScopes.join('+')},${scoped.join(',')}`
const live = await frozenSandbox(['--admin-tokens', tokens])
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)

const listing = {
  symbol: 'NEW-X',
  base_asset: 'NEW',
  tick_size: '0.01',
  lot_size: '0.1',
  min_tick: '0.01',
  max_tick: '100000',
  isolated_only: false,
  oracle: '50',
  backstop_address: ownerlessAddress('backstop of a test'),
  max_leverage: 10,
  min_order_size: '10',
  max_order_size: '1000000',
  band_near_percent: '30',
  band_far_percent: '90',
  speedbump_ms: 200,
  open_interest_cap: '1000000',
  open_interest_lower: '0',
  open_interest_upper: '0',
  impact_notional: '1000',
  backstop_value_max: '100000',
  backstop_daily_loss_max: '10000',
  risk_tiers: [],
}
const statusOf = async (symbol: string) =>
  dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol })).markets[0]!.status
const order = { symbol: 'SOL', side: 'bid', price: '165', amount: '1' }
const place = (key: Parameters<typeof api.signed>[0], fields: Row = {}) =>
  api.signed(key, '/orders/create', { ...order, tif: 'GTC', reduce_only: false, ...fields })
const disabled = (says: RegExp) => ({ status: 422, code: 38, says })

const paid = (balance: string, credited: boolean) => ({
  ...{ balance, credited, waiting_credit_id: null },
})

test('a missing or invalid token is 401, a missing scope 403', async () => {
  const none = await fetch(`${live.adminUrl}/hash`)
  assert.equal(none.status, 401)
  assert.match(
    await none.text(),
    /CREDENTIALS_REQUIRED: send `authorization: Bearer <admin token>`/,
  )
  const wrong = new AdminClient(live, 'the-token-of-no-one-here')
  refused(await wrong.get('/hash'), { status: 401, says: /CREDENTIALS_REQUIRED/ })
  refused(await wrong.post('/drain'), { status: 401, says: /CREDENTIALS_REQUIRED/ })
  const { adminOperations } = await import('../../src/gateway/admin/admin-operations.ts')
  for (const { http, scope } of adminOperations) {
    if (scope === null) continue
    const other = adminScopes.find((each) => each !== scope)!
    const limited = new AdminClient(live, `the-token-of-${other}-alone`)
    const [method, path] = http.split(' ') as ['GET' | 'POST', string]
    const answer = await (method === 'GET' ? limited.get(path) : limited.post(path))
    refused(answer, {
      status: 403,
      says: new RegExp(`SCOPE_REQUIRED: token ${other}-only lacks the scope ${scope}`),
    })
  }
  refused(await admin.get('/nowhere'), { status: 404, says: /NOT_FOUND: no such admin route/ })
})

test('every action requires a reason', async () => {
  for (const reason of [undefined, '', 7, 'x'.repeat(501)]) {
    const answer = await admin.post('/markets/halt', { symbol: 'SOL', reason })
    refused(answer, {
      status: 400,
      says: /reason is required: why you do this, 1 to 500 characters/,
    })
  }
  assert.equal(await statusOf('SOL'), 'live')
})

test('a market is listed, changed and settled', async () => {
  const listed = dataOf(await admin.post('/markets/list', listing))
  assert.equal(listed.symbol, 'NEW-X')
  const info = dataOf<Row[]>(await api.get('/info'))
  const { symbol, tick_size, max_leverage, base_asset } = info.at(-1)!
  assert.deepEqual([symbol, tick_size, max_leverage, base_asset], ['NEW-X', '0.01', 10, 'NEW'])
  const twice = await admin.post('/markets/list', listing)
  refused(twice, {
    status: 422,
    says: /^INVALID_PARAMETER: backstop_address is .* already, .*; and that symbol is listed alr/,
  })
  const change = { min_order_size: '20' }
  dataOf(await admin.post('/markets/change', { symbol: 'NEW-X', change }))
  const after = dataOf<Row[]>(await api.get('/info')).at(-1)!
  assert.equal(after.min_order_size, '20')
  const nothing = await admin.post('/markets/change', { symbol: 'NEW-X', change: {} })
  refused(nothing, { status: 400, says: /change names nothing that can be changed/ })
  const raised = { symbol: 'NEW-X', change: { max_leverage: 5 } }
  const { effective_at } = dataOf<{ effective_at: number }>(
    await admin.post('/markets/change', raised),
  )
  const { engine_now } = dataOf<{ engine_now: number }>(await api.get('/time'))
  assert.equal(effective_at - engine_now, 86_400_000, 'a stricter limit waits a day')
  const tiers = [{ from_value: '1000', max_leverage: 3 }]
  const at_once = { symbol: 'NEW-X', change: { risk_tiers: tiers }, immediate: true }
  const changed = dataOf<Record<string, number>>(await admin.post('/markets/change', at_once))
  const until = changed.effective_at! + 3_600_000
  assert.equal(changed.maintenance_at, until, 'holders have an hour')
  type Risk = { markets: { risk_tiers: Row[]; kept_tiers: Row[] }[] }
  const { markets } = dataOf<Risk>(await api.get('/info/risk', { symbol: 'NEW-X' }))
  assert.equal(markets[0]?.risk_tiers.length, 2)
  assert.equal(markets[0]?.kept_tiers[0]?.until, until)
  for (const [fields, says] of [
    [{ symbol: 'BAD', tick_size: '0' }, /tick_size 0 is not above zero/],
    [{ symbol: 'BAD', tick_size: `0.${'0'.repeat(18)}1` }, /has 19 decimals; at most 14/],
    [{ symbol: 'BAD', tick_size: `0.${'0'.repeat(14)}1` }, /has 15 decimals; at most 14/],
    [{ symbol: 'BAD', lot_size: `0.${'0'.repeat(20)}1` }, /has 21 decimals; at most 20/],
    [{ symbol: 'BAD', oracle: '0.0000000001' }, /oracle 0.0000000001 must be a multiple of 0.0/],
    [{ symbol: 'BAD', backstop_address: 'x' }, /Invalid public key in backstop_address/],
    [{ symbol: 'not ok' }, /symbol must be of the form/],
  ] as const)
    refused(await admin.post('/markets/list', { ...listing, ...fields }), { status: 400, says })
})

test('liquidation parameters are set at the listing or have their defaults', async () => {
  type Risk = { markets: { liquidation: Row }[] }
  const liquidationOf = async (symbol: string) =>
    dataOf<Risk>(await api.get('/info/risk', { symbol })).markets[0]!.liquidation
  const usual = {
    fee_part: '0.4',
    fee_max: '0.0075',
    concession: '0.5',
    dry_max: 3,
    step_max: '100000',
  }
  assert.deepEqual(await liquidationOf('SOL'), usual)
  const own = { symbol: 'LIQ-X', backstop_address: ownerlessAddress('backstop of another') }
  const said = { liquidation_fee_part_percent: '25', liquidation_step_max: '500' }
  dataOf(await admin.post('/markets/list', { ...listing, ...own, ...said }))
  assert.deepEqual(await liquidationOf('LIQ-X'), { ...usual, fee_part: '0.25', step_max: '500' })
  const change = {
    liquidation_fee_max_percent: '0.5',
    liquidation_concession_percent: '12.5',
    liquidation_dry_max: 7,
  }
  dataOf(await admin.post('/markets/change', { symbol: 'LIQ-X', change }))
  assert.deepEqual(await liquidationOf('LIQ-X'), {
    ...{ fee_part: '0.25', fee_max: '0.005', concession: '0.125', dry_max: 7, step_max: '500' },
  })
  for (const [wrong, status, says] of [
    [{ liquidation_fee_part_percent: '50.1' }, 422, /_percent 50.1 % is outside 0 % to 50 %/],
    [{ liquidation_fee_max_percent: '26' }, 422, /_max_percent 26 % is outside 0 % to 25 %/],
    [{ liquidation_concession_percent: '101' }, 422, /_percent 101 % is outside 0 % to 100 %/],
    [{ liquidation_dry_max: 0 }, 400, /liquidation_dry_max/],
    [{ liquidation_step_max: '-1' }, 422, /_step_max -1 USD is outside 0 USD to/],
  ] as const)
    refused(await admin.post('/markets/change', { symbol: 'LIQ-X', change: wrong }), {
      status,
      says,
    })
})

test('a rejected market parameter is named with its limits', async () => {
  const backstop_address = newKey().address
  for (const [fields, says] of [
    [
      { min_order_size: '600', max_order_size: '500' },
      /min_order_size 600 USD is outside 0.000001 USD to 500/,
    ],
    [{ band_near_percent: '101' }, /band_near_percent 101 % is outside 0 % to 100 %/],
    [{ min_tick: '50', max_tick: '40' }, /min_tick 50 is outside 0.01 to 40$/],
    [{ oracle: '5' }, /oracle 5 is outside 10 to /],
    [{ lot_size: '0.000000001' }, /tick_size × lot_size must be a whole number of micro-dollars/],
    [
      { risk_tiers: [{ from_value: '1000', max_leverage: 10 }] },
      /max_leverage of a tier 10 must be below that of the part before it, 10, and 1 or more$/,
    ],
    [
      { max_leverage: 1, risk_tiers: [{ from_value: '1000', max_leverage: 5 }] },
      /tier 5 must be below .* before it, 1: no tier may come after a leverage of 1$/,
    ],
  ] as const) {
    const wrong = { ...listing, symbol: 'BAD', backstop_address, ...fields }
    refused(await admin.post('/markets/list', wrong), { status: 422, says })
  }
  const change = { open_interest_lower: '20', open_interest_upper: '10' }
  refused(await admin.post('/markets/change', { symbol: 'BTC', change }), {
    status: 422,
    says: /^INVALID_PARAMETER: open_interest_upper 10 USD is outside 20.000001 USD to /,
  })
  const tier = (volume: number) => ({ volume, maker_fee_rate: '0', taker_fee_rate: '0.0005' })
  refused(await admin.post('/fees', { tiers: [tier(5), tier(1)] }), {
    status: 422,
    says: /^INVALID_PARAMETER: the volumes of the tiers must rise from 0/,
  })
})

test('a settled market closes every position at its price and is delisted', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  await live.price('HYPE', '40')
  await live.trade({ buyer: alice, seller: bob, symbol: 'HYPE', price: '40', amount: '10' })
  const settle = (price: string) => admin.post('/markets/settle', { symbol: 'HYPE', price })
  refused(await settle('41.00001'), {
    status: 400,
    says: /price 41.00001 must be a multiple of 0.001/,
  })
  dataOf(await settle('41'))
  assert.deepEqual(bare(await api.get('/positions', { account: alice.address })), [])
  const [last] = dataOf<Row[]>(await api.get('/trades/history', { account: alice.address }))
  assert.deepEqual([last!.cause, last!.price, last!.side], ['settlement', '41', 'close_long'])
  const symbols = dataOf<Row[]>(await api.get('/info')).map(({ symbol }) => symbol)
  assert.ok(!symbols.includes('HYPE'))
  assert.equal(await statusOf('HYPE'), 'settled')
})

test('a halted market rejects orders, accepts cancels, and can be resumed', async () => {
  const alice = await live.trader()
  await live.price('SOL', '170')
  const resting = dataOf(await place(alice))
  for (const [verb, status] of [
    ['cancel_only', 'cancel_only'],
    ['halt', 'halted'],
  ] as const) {
    const now = dataOf(await admin.post(`/markets/${verb}`, { symbol: 'SOL' }))
    assert.deepEqual([now.status, now.mode], [status, status])
    assert.equal(await statusOf('SOL'), status)
    refused(await place(alice), disabled(/TRADING_DISABLED: SOL is (cancel-only|halted)/))
  }
  const { order_id } = resting
  const cancel = await api.signed(alice, '/orders/cancel', { symbol: 'SOL', order_id })
  assert.equal(cancel.text, '{"success":true}')
  dataOf(await admin.post('/markets/resume', { symbol: 'SOL' }))
  for (let tick = 0; tick < 6; tick++) dataOf(await live.sandbox('clock', { advance_ms: 3_000 }))
  assert.equal(await statusOf('SOL'), 'live')
  dataOf(await place(alice))
  const unknown = await admin.post('/markets/halt', { symbol: 'NOPE' })
  refused(unknown, { status: 400, code: 3, says: /BOOK_NOT_FOUND/ })
})

test('reduce-only and post-only markets accept quotes; /info/risk shows both', async () => {
  const alice = await live.trader()
  await live.price('SOL', '170')
  const riskOf = async () => {
    const { markets } = dataOf<{ markets: Row[] }>(await api.get('/info/risk'))
    const { status, mode } = markets.find(({ symbol }) => symbol === 'SOL')!
    return [status, mode]
  }
  for (const verb of ['reduce_only', 'post_only'] as const) {
    dataOf(await admin.post(`/markets/${verb}`, { symbol: 'SOL' }))
    assert.deepEqual(await riskOf(), [verb, verb])
    dataOf(await place(alice))
  }
  dataOf(await admin.post('/exchange/mode', { mode: 'reduce_only' }))
  assert.deepEqual(await riskOf(), ['post_only', 'post_only'], 'the stricter one applies')
  dataOf(await admin.post('/markets/resume', { symbol: 'SOL' }))
  assert.deepEqual(await riskOf(), ['reduce_only', 'reduce_only'])
  dataOf(await admin.post('/exchange/mode', { mode: 'open' }))
  assert.deepEqual(await riskOf(), ['live', 'open'])
})

test('a halted exchange is 503 for orders and not ready; cancels are accepted', async () => {
  const alice = await live.trader()
  const { order_id } = dataOf(await place(alice))
  assert.deepEqual(dataOf(await admin.post('/exchange/mode', { mode: 'halted' })), {
    mode: 'halted',
  })
  const answer = await place(alice)
  refused(answer, { status: 503, says: /NOT_READY: the operator has halted the whole exchange/ })
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  assert.equal((await fetch(`${live.url}/ready`)).status, 503)
  const cancel = await api.signed(alice, '/orders/cancel', { symbol: 'SOL', order_id })
  assert.equal(cancel.text, '{"success":true}')
  dataOf(await admin.post('/exchange/mode', { mode: 'open' }))
  for (let tick = 0; tick < 6; tick++) dataOf(await live.sandbox('clock', { advance_ms: 3_000 }))
  dataOf(await place(alice))
  const odd = await admin.post('/exchange/mode', { mode: 'ajar' })
  refused(odd, {
    status: 400,
    says: /mode must be one of open, reduce_only, post_only, cancel_only, halted/,
  })
})

test('the operator revokes every binding of a key', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const agent = newKey()
  const agent_wallet = agent.address
  const bind = async (who: typeof alice) =>
    dataOf(await api.signed(who, '/agent/bind', { agent_wallet }))
  for (const who of [alice, bob]) await bind(who)
  const unbind = () => admin.post('/agents/unbind', { agent_wallet })
  const held = dataOf<{ accounts: string[] }>(await unbind()).accounts
  assert.deepEqual(held, [alice.address, bob.address])
  await bind(alice)
  const order = { symbol: 'SOL', order_id: 1 }
  const miss = await api.signed(alice, '/orders/cancel', order, { agent })
  refused(miss, { status: 400, says: /ORDER_NOT_FOUND/ })
  assert.deepEqual(dataOf(await unbind()), { accounts: [alice.address] }, 'a confirmed one too')
  const late = await api.signed(alice, '/orders/cancel', order, { agent })
  refused(late, { status: 400, says: /AGENT_NOT_BOUND/ })
  refused(await unbind(), { status: 422, says: /AGENT_NOT_FOUND: .* not an agent of any account/ })
  const rows = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.ok(JSON.stringify(rows).includes('UnbindAgent'), 'actor and reason')
})

test('a frozen account can only cancel; the operator can cancel its orders', async () => {
  const alice = await live.trader()
  const { address: account } = alice
  const { order_id } = dataOf(await place(alice))
  dataOf(await place(alice))
  dataOf(await admin.post('/accounts/freeze', { account, frozen: true }))
  refused(await place(alice), disabled(/TRADING_DISABLED: the operator has frozen this account/))
  refused(await api.signed(alice, '/account/withdraw', { amount: '5' }), {
    status: 422,
    code: 32,
    says: /WITHDRAWAL_BLOCKED/,
  })
  const cancel = await api.signed(alice, '/orders/cancel', { symbol: 'SOL', order_id })
  assert.equal(cancel.text, '{"success":true}')
  const all = await admin.post('/accounts/cancel_orders', { account })
  assert.deepEqual(dataOf(all), { cancelled_count: 1 })
  dataOf(await admin.post('/accounts/freeze', { account, frozen: false }))
  dataOf(await place(alice))
  const unknown = { account: newKey().address, frozen: true }
  refused(await admin.post('/accounts/freeze', unknown), {
    status: 422,
    code: 1,
    says: /ACCOUNT_NOT_FOUND/,
  })
})

test('a reference that another deposit has is a conflict, and nothing is credited', async () => {
  const [alice, bob] = [newKey().address, newKey().address]
  const deposit = (fields: Row = {}) =>
    admin.post('/deposits', { account: alice, amount: '100', reference: 'wire-90', ...fields })
  dataOf(await deposit())
  const conflict = { status: 409, code: 409, says: /DEPOSIT_CONFLICT: .* with 100 USD/ }
  refused(await deposit({ amount: '100.000001' }), conflict)
  refused(await deposit({ account: bob }), conflict)
  assert.deepEqual(dataOf(await deposit({ amount: '100.00' })), paid('100', false))
  const unknown = await api.get('/account', { account: bob })
  refused(unknown, { status: 404, code: 1, says: /ACCOUNT_NOT_FOUND/ })
  // Sent concurrently: the first to arrive is credited and decides about the other.
  const [one, two] = await Promise.all([
    deposit({ account: bob, reference: 'wire-91' }),
    deposit({ account: bob, reference: 'wire-91' }),
  ])
  const credited = [dataOf(one!), dataOf(two!)].map((row) => row.credited)
  assert.deepEqual(credited.toSorted(), [false, true])
  const [three, four] = await Promise.all([
    deposit({ account: alice, reference: 'wire-92' }),
    deposit({ account: bob, reference: 'wire-92' }),
  ])
  assert.deepEqual([three!.status, four!.status].toSorted(), [200, 409])
})

test('a deposit is credited once per reference', async () => {
  const { address: account } = newKey()
  const deposit = (fields: Row = {}) =>
    admin.post('/deposits', { account, amount: '250.5', reference: 'wire-77', ...fields })
  assert.deepEqual(dataOf(await deposit()), paid('250.5', true))
  assert.deepEqual(dataOf(await deposit()), paid('250.5', false))
  const other = await deposit({ reference: 'wire-78', amount: '1' })
  assert.deepEqual(dataOf(other), paid('251.5', true))
  refused(await deposit({ amount: '1.0000001' }), {
    status: 400,
    says: /must be a multiple of 0.000001/,
  })
  refused(await deposit({ account: 'x' }), { status: 400, says: /Invalid public key in account/ })
  refused(await deposit({ reference: '' }), { status: 400, says: /reference must/ })
  for (const reference of ['wire 77', ' wire-77', 'wire-77\n', 'wire-77\u0007'])
    refused(await deposit({ reference }), {
      status: 400,
      says: /reference must be 1 to 128 characters that one sees, without spaces/,
    })
  // The same script in any spelling, as the treasury accepts it.
  refused(await deposit({ reference: 'u\u0308-1' }), { status: 400, says: /reference must .* NFC/ })
  const far = await deposit({ reference: 'ü1-送金', amount: '1' })
  assert.deepEqual(dataOf(far), paid('252.5', true))
  assert.equal(dataOf(await api.get('/account', { account })).balance, '252.5')
})

test('withdrawals wait until they are completed or failed', async () => {
  const alice = await live.trader('1000')
  const ask = async (amount: string) =>
    dataOf<{ withdrawal_id: number }>(await api.signed(alice, '/account/withdraw', { amount }))
  const [one, two] = [await ask('100'), await ask('50')]
  const waiting = dataOf<Row[]>(await admin.get('/withdrawals'))
  assert.deepEqual(
    waiting.slice(-2).map(({ withdrawal_id, account, amount }) => [withdrawal_id, account, amount]),
    [
      [one.withdrawal_id, alice.address, '100'],
      [two.withdrawal_id, alice.address, '50'],
    ],
  )
  dataOf(await admin.post('/withdrawals/complete', one))
  dataOf(await admin.post('/withdrawals/fail', two))
  const again = await admin.post('/withdrawals/complete', one)
  refused(again, { status: 422, says: /WITHDRAWAL_NOT_FOUND: no pending withdrawal \d+/ })
  const { balance, pending_balance } = dataOf(await api.get('/account', { account: alice.address }))
  assert.deepEqual([balance, pending_balance], ['900', '0'])
})

test('reserves are shown and moved, and fee tiers replaced', async () => {
  type Reserves = { insurance: string; backstops: { symbol: string; balance: string }[] }
  const before = dataOf<Reserves>(await admin.get('/reserves'))
  const sol = before.backstops.find(({ symbol }) => symbol === 'SOL')!
  const moved = dataOf(await admin.post('/reserves/move', { symbol: 'SOL', amount: '10' }))
  assert.equal(Number(moved.insurance), Number(before.insurance) - 10)
  assert.equal(Number(moved.backstop), Number(sol.balance) + 10)
  const much = await admin.post('/reserves/move', { symbol: 'SOL', amount: '1000000000' })
  refused(much, { status: 422, says: /FUND_TOO_SMALL: 1000000000 USD is more than/ })
  const tiers = [{ volume: 0, maker_fee_rate: '0.0002', taker_fee_rate: '0.0006' }]
  assert.deepEqual(dataOf(await admin.post('/fees', { tiers })), { tiers: 1 })
  assert.deepEqual(dataOf(await api.get('/info/fees')), [
    { level: 0, maker_fee_rate: '0.0002', taker_fee_rate: '0.0006' },
  ])
})

test('transfers between reserves and an account are made by address', async () => {
  type Reserves = Record<string, string> & { backstops: { symbol: string; account: string }[] }
  const alice = await live.trader()
  const held = dataOf<Reserves>(await admin.get('/reserves'))
  const backstop = held.backstops.find(({ symbol }) => symbol === 'SOL')!.account
  const move = (from: string, to: string, amount = '2') =>
    admin.post('/reserves/move', { from, to, amount })
  const chain = [held.insurance_address!, backstop, held.fees_address!, alice.address, 'insurance']
  const before = Number(held.insurance)
  for (const [at, from] of chain.slice(0, -1).entries()) dataOf(await move(from, chain[at + 1]!))
  assert.equal(Number(dataOf<Reserves>(await admin.get('/reserves')).insurance), before)
  const back = dataOf(await move('insurance', alice.address))
  assert.deepEqual([back.insurance, back.backstop], [`${before - 2}`, null])
  refused(await move(held.deficit_address!, alice.address), {
    status: 422,
    code: 51,
    says: /UNSUPPORTED_OPERATION: money moves between two of fees, insurance and backstops/,
  })
  refused(await move(alice.address, 'insurance', '900000000'), {
    status: 422,
    says: /FUND_TOO_SMALL: 900000000 USD is more than/,
  })
  refused(await move('fees', 'unknown'), { status: 400, says: /to/ })
  refused(await admin.post('/reserves/move', { from: 'fees', amount: '1' }), {
    status: 400,
    says: /give from and to, or the symbol of a backstop/,
  })
})

test('an operator sets the share of fees that the insurance fund receives', async () => {
  const share = async () => dataOf(await admin.get('/reserves')).insurance_share
  assert.equal(await share(), '0.1')
  assert.deepEqual(dataOf(await admin.post('/fees/insurance_share', { share: '0.25' })), {
    share: '0.25',
  })
  assert.equal(await share(), '0.25')
  refused(await admin.post('/fees/insurance_share', { share: '1.1' }), {
    status: 422,
    says: /INVALID_PARAMETER: share 1.1 is outside 0 to 1/,
  })
})

test('an operator sets the daily maximum that the insurance fund pays', async () => {
  const limits = async () => {
    const reserves = dataOf<Record<string, string>>(await admin.get('/reserves'))
    const { insurance_daily_max: part, insurance_daily_limit: limit } = reserves
    return [part, Number(limit) / Number(reserves.insurance), reserves.insurance_paid_today]
  }
  const set = (daily_max: string) => admin.post('/reserves/insurance_daily_max', { daily_max })
  assert.deepEqual(await limits(), ['0.5', 0.5, '0'])
  assert.deepEqual(dataOf(await set('0.25')), { daily_max: '0.25' })
  assert.deepEqual(await limits(), ['0.25', 0.25, '0'])
  refused(await set('1.1'), {
    status: 422,
    says: /INVALID_PARAMETER: daily_max 1.1 is outside 0 to 1/,
  })
})

test('the credits of a key must be one of the tiers', async () => {
  const alice = await live.trader()
  const made = await api.signed<{ data: { api_key: string } }>(alice, '/account/api_keys/create')
  const prefix = made.body.data.api_key.slice(0, 8)
  const raise = (credits: number, of = prefix) =>
    admin.post('/keys/credits', { prefix: of, credits })
  assert.deepEqual(dataOf(await raise(30_000)), { prefix, credits: 30_000 })
  refused(await raise(301), { status: 400, says: /credits must be one of 0, 100, 300, 600/ })
  refused(await raise(300, 'aaaaaaaa'), { status: 422, says: /API_KEY_NOT_FOUND/ })
})

test('a sandbox sets its own prices', async () => {
  const prices = [{ symbol: 'SOL', price: '170' }]
  refused(await admin.post('/prices', { prices }), {
    status: 404,
    says: /NOT_FOUND: a sandbox makes its own prices/,
  })
})

test('the journal lists actor, action and reason, newest first', async () => {
  const halt = new AdminClient(live, 'the-token-of-markets-alone')
  dataOf(await halt.post('/markets/halt', { symbol: 'XAU', reason: 'the feed looks odd' }))
  dataOf(await halt.post('/markets/resume', { symbol: 'XAU', reason: 'it was fine' }))
  const newest = dataOf<Row[]>(await admin.get('/journal', { limit: 2 }))
  assert.deepEqual(
    newest.map(({ who, why, what }) => [who, why, what]),
    [
      ['markets-only', 'it was fine', 'SetMarketMode'],
      ['markets-only', 'the feed looks odd', 'SetMarketMode'],
    ],
  )
  const older = dataOf<Row[]>(
    await admin.get('/journal', { before: Number(newest[1]!.seq), limit: 1 }),
  )
  assert.ok(Number(older[0]!.seq) < Number(newest[1]!.seq))
  const all = dataOf<Row[]>(await admin.get('/journal', { limit: 1_000 }))
  const done = new Set(all.map(({ what }) => what))
  for (const what of ['ListMarket', 'ChangeMarket', 'SettleMarket', 'FreezeAccount'])
    assert.ok(done.has(what), what)
  for (const what of ['CompleteWithdrawal', 'FailWithdrawal', 'MoveReserve', 'SetFeeTiers'])
    assert.ok(done.has(what), what)
  assert.ok(done.has('CreditDeposit'))
  const rowOf = (what: string) => all.find((each) => each.what === what)!
  for (const [what, details] of [
    ['SetMarketMode', /^symbol XAU, mode open$/],
    ['CreditDeposit', /^account \w{32,44}, amount [\d.]+ USD, reference \S+$/],
    ['MoveReserve', /^amount [\d.]+ USD, from [^,]+, to (insurance|backstop of \w+|\w{32,44})$/],
    ['SetFeeTiers', /^tiers -?0[\d.]*\/0[\d.]* from 0 USD/],
    ['ListMarket', /^symbol \w+, oracle [\d.]+, min_tick .*, min_order_size "?[\d.]+/],
    ['FreezeAccount', /^account \w{32,44}, frozen (true|false)$/],
    ['CompleteWithdrawal', /^withdrawal_id \d+$/],
  ] as const)
    assert.match(String(rowOf(what).details), details)
  const { price } = JSON.parse(String(rowOf('SettleMarket').command))
  const [, written] = /^symbol HYPE, price ([\d.]+)$/.exec(String(rowOf('SettleMarket').details))!
  assert.notEqual(written, String(price), 'a price, not ticks')
  assert.equal((await admin.get('/journal', { limit: 1_001 })).status, 200)
  refused(await admin.get('/journal', { limit: 0 }), { status: 400, says: /limit must be >= 1/ })
})

test('a backup restores to the same state', async () => {
  const before = dataOf(await admin.get('/hash'))
  const reply = await admin.post('/backup', { reason: 'before the upgrade' })
  const { folder, seq } = dataOf<{ folder: string; seq: number }>(reply)
  const [kept] = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.deepEqual([kept!.why, kept!.details], ['before the upgrade', 'name backup'])
  assert.equal(dirname(folder), live.folder)
  assert.ok(seq >= Number(before.seq))
  const restored = await liveExchange(['--data', folder], live.folder)
  try {
    assert.equal(restored.running.recoveredSeq, seq)
    const { trading_hash } = dataOf(await new AdminClient(live).get('/hash'))
    assert.equal(trading_hash, before.trading_hash, 'nothing happened meanwhile')
    const addresses = addressesOf(live.running.exchange.view)
    assert.deepEqual(addressesOf(restored.running.exchange.view), addresses)
  } finally {
    await restored.running.close()
  }
})

test('a drained exchange is not ready, refuses orders and serves cancels', async () => {
  const alice = await live.trader()
  const { order_id } = dataOf(await place(alice))
  assert.deepEqual(dataOf(await admin.post('/drain', { reason: 'drill' })), {
    ...{ draining: true, journaled: true },
  })
  const [kept] = dataOf<Row[]>(await admin.get('/journal', { limit: 1 }))
  assert.deepEqual([kept!.why, kept!.details], ['drill', 'name drain'])
  const ready = await fetch(`${live.url}/ready`)
  const { markets, ...body } = (await ready.json()) as Row
  assert.deepEqual([ready.status, body], [503, { status: 'not_ready', reason: 'draining' }])
  assert.deepEqual(dataOf(await admin.get('/standing')).markets, markets)
  assert.equal((await fetch(`${live.url}/health`)).status, 200)
  const answer = await place(alice)
  refused(answer, { status: 503, says: /NOT_READY: the exchange is shutting down; cancels are/ })
  assert.equal(answer.headers.get('retry-after'), '1')
  const levels = await api.signed(alice, '/positions/tpsl', { symbol: 'SOL', side: 'ask' })
  refused(levels, { status: 503, says: /NOT_READY/ })
  assert.deepEqual(Object.keys(levels.body), ['error', 'code'])
  const cancel = await api.signed(alice, '/orders/cancel', { symbol: 'SOL', order_id })
  assert.equal(cancel.text, '{"success":true}')
  const stops = { symbol: 'SOL', order_id: 1 }
  refused(await api.signed(alice, '/orders/stop/cancel', stops), {
    status: 422,
    code: 6,
    says: /./,
  })
  const all = { all_symbols: true, exclude_reduce_only: false }
  dataOf(await api.signed(alice, '/orders/cancel_all', all))
})
