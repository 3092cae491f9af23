// Rejections by the admin plane, over HTTP: each names the rule, the numbers and what would be
// accepted, and changes nothing.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { marketAnswers } from '../../../src/gateway/admin/market-operations.ts'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { dataOf, type Row } from '../../support/http/api-client.ts'
import { adminToken, frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const admin = new AdminClient(live)
const hash = async () => dataOf(await admin.get('/hash')).trading_hash

type Case = readonly [path: string, body: Row, status: number, says: RegExp]

async function areRefused(cases: readonly Case[]): Promise<void> {
  const before = await hash()
  for (const [path, body, status, says] of cases) {
    const answer = await admin.post<{ error: string }>(path, body)
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.body.error, says)
  }
  assert.equal(await hash(), before)
}

const change = (fields: Row, status: number, says: RegExp): Case => [
  '/markets/change',
  { symbol: 'BTC', change: fields },
  status,
  says,
]
const many = '9'.repeat(30)

/** A valid listing. */
async function listing(symbol: string): Promise<Row> {
  const markets = dataOf<readonly Row[]>(await admin.get('/markets'))
  const market = markets.find((each) => each.symbol === symbol)!
  const { base_asset, tick_size, lot_size, isolated_only, oracle, backstop_address } = market
  const { params } = market as { params: Row }
  return {
    ...{ symbol, base_asset, tick_size, lot_size, isolated_only, oracle, backstop_address },
    ...params,
  }
}

test('an invalid owner limit names its range and the accounts that can have one', async () => {
  const { address } = await live.trader()
  const { fees_address } = dataOf(await admin.get('/reserves'))
  const limit = (account: unknown, amount: string | null) => ({ symbol: 'BTC', account, amount })
  const path = '/accounts/owner_limit'
  await areRefused([
    [path, limit(address, '-1'), 422, /amount -1 is outside 0 to \d+[\d.]* BTC; null takes the/],
    [path, limit('unknown', '1'), 400, /^INVALID_ADDRESS: Invalid public key in account: an addr/],
    [path, limit(fees_address, '1'), 422, /is a reserve of the exchange.*a trader's main account$/],
    [path, limit(address, '0.000001'), 400, /amount 0.000001 must be a multiple of 0.00001; near/],
  ])
})

test('an invalid market parameter names its step, the nearest values and the maximum', async () => {
  const most = '4503599627.370496'
  await areRefused([
    change({ max_tick: '200000.5' }, 400, /must be a multiple of 1; nearest: 200000 and 200001$/),
    change({ max_tick: many }, 400, /max_tick 9+ is too large: at most 2000000000$/),
    change({ impact_notional: many }, 400, new RegExp(`is too large: at most ${most}$`)),
    change({ band_near_percent: many }, 400, /band_near_percent 9+ is too large: at most 100$/),
    change({ open_interest_lower: '0', open_interest_upper: '5' }, 422, /; either both are 0, or/),
    change({ max_leverage: 20.5 }, 400, /: change.max_leverage must be integer.*, not 20.5$/),
    change({ max_leverage: 101 }, 400, /: change.max_leverage must be <= 100, not 101$/),
    change(
      { min_tick: '9'.repeat(41) },
      400,
      /must not have more than 40 characters, there are 41/,
    ),
    ['/markets/settle', { symbol: 'BTC', price: many }, 400, /price 9+ is too large: at most 2/],
    ['/prices', { prices: [] }, 400, /prices must not have fewer than 1 items, there are 0/],
  ])
})

test('an invalid amount names its step and the maximum', async () => {
  const move = { from: 'fees', to: 'insurance' }
  const nowhere = { from: null, to: null, symbol: null, amount: '1' }
  await areRefused([
    ['/reserves/move', { ...move, amount: many }, 400, /is too large: at most 4503599627.370496$/],
    [
      '/reserves/move',
      nowhere,
      400,
      /^MALFORMED_REQUEST: give from and to, or the symbol of a back/,
    ],
    ['/reserves/move', { ...move, amount: '0.0000001' }, 400, /must be a multiple of 0.000001/],
    ['/fees/insurance_share', { share: many }, 400, /share 9+ is too large: at most 1$/],
  ])
})

test('a body is an object with a reason of 1 to 500 characters', async () => {
  await areRefused([
    [
      '/drain',
      { reason: 'x'.repeat(501) },
      400,
      /1 to 500 characters on one line, .*; this one has 501 characters$/,
    ],
  ])
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  for (const [body, given] of [
    ['[]', 'a list'],
    ['null', 'null'],
    ['"x"', 'a string'],
  ] as const) {
    const answer = await fetch(`${live.adminUrl}/drain`, { method: 'POST', headers, body })
    assert.equal(answer.status, 400)
    const { error } = (await answer.json()) as { error: string }
    assert.ok(error.includes(`the body must be an object, {"reason": …}, not ${given}`), error)
  }
})

test('invalid listing parameters are reported before a symbol that is taken', async () => {
  const again = { ...(await listing('BTC')), backstop_address: ownerlessAddress('another') }
  const { backstop_address } = await listing('ETH')
  const taken = /^INVALID_PARAMETER: backstop_address is an account or a confirmed agent already/
  await areRefused([
    ['/markets/list', { ...again, min_order_size: '0' }, 422, /^INVALID_PARAMETER: min_order_size/],
    ['/markets/list', { ...again, backstop_address }, 422, taken],
    ['/markets/list', { ...again, symbol: 'NEW', backstop_address }, 422, taken],
    ['/markets/list', again, 422, /^MARKET_EXISTS: that symbol is listed already as market 1$/],
    ['/markets/list', { ...again, symbol: '' }, 400, /fewer than 1 characters, there are 0$/],
  ])
})

test('that a market is settled is reported before anything else', async () => {
  const symbol = 'DOGE'
  const { address } = await live.trader()
  const again = { ...(await listing(symbol)), backstop_address: ownerlessAddress('the new one') }
  const done = dataOf(await admin.post('/markets/settle', { symbol, price: '0.2' }))
  assert.equal(done.status, 'settled')
  const { market_id } = done
  // Only the history has the time, and it may lag for a moment.
  while ((await admin.get('/journal', { limit: 1 })).status !== 200);
  const since = 'DOGE is settled since 20\\d\\d-.*Z at 0\\.2: .* nothing of it can be changed'
  const says = new RegExp(`^UNSUPPORTED_OPERATION: ${since}.* another symbol`)
  const modes = ['halt', 'resume', 'reduce_only', 'post_only', 'cancel_only']
  const used = `^MARKET_EXISTS: that symbol was used by market ${market_id}, which is settled, .*an`
  await areRefused([
    ...modes.map((mode): Case => [`/markets/${mode}`, { symbol }, 422, says]),
    ['/markets/change', { symbol, change: { min_order_size: '20' } }, 422, says],
    ['/markets/change', { symbol, change: { min_order_size: '0' } }, 422, says],
    ['/markets/change', { symbol, change: {} }, 422, says],
    ['/markets/preview_change', { symbol, change: { min_order_size: '20' } }, 422, says],
    ['/markets/cancel_change', { symbol, change_id: 1 }, 422, says],
    ['/markets/settle', { symbol, price: '0.2' }, 422, says],
    ['/markets/settle', { symbol, price: many }, 422, says],
    ['/accounts/owner_limit', { symbol, account: address, amount: '1' }, 422, says],
    ['/accounts/owner_limit', { symbol, account: address, amount: '-1' }, 422, says],
    ['/markets/list', again, 422, new RegExp(`${used}other symbol$`)],
  ])
})

test('a full list of pending changes is reported before the next change is checked', async () => {
  const add = (fields: Row) => admin.post('/markets/change', { symbol: 'HYPE', change: fields })
  for (let at = 1; at <= 8; at++) dataOf(await add({ risk_tiers: [] }))
  const tiers = [{ from_value: '0', max_leverage: 1 }]
  const refused: Row = { symbol: 'HYPE', change: { risk_tiers: tiers } }
  await areRefused([['/markets/change', refused, 422, /^LIMIT_REACHED: 8 announced changes of/]])
})

test('an owner limit above the whole market means the whole market', async () => {
  const fields = { open_interest_cap: '10', owner_interest_max: '20' }
  dataOf(await admin.post('/markets/change', { symbol: 'SOL', change: fields }))
})

test('a listing beyond the last market is rejected, as markets are never removed', async () => {
  const most = 1_024
  const refusal = { type: 'CommandRejected', rejection: 'LIMIT_REACHED', first: most }
  const log = { readBetween: () => [refusal] }
  const { view, settings } = live.running.exchange
  const full = { view, settings, submit: async () => ({ log }) }
  const request = { ...(await listing('BTC')), backstop_address: ownerlessAddress('of no account') }
  await assert.rejects(
    async () => marketAnswers.list_market({ request, exchange: full } as never),
    /LIMIT_REACHED: there are 1024 markets, settled ones among them, and no more may be/,
  )
})
