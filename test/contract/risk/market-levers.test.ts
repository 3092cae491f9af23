// Changes by an operator to a listed market, over HTTP, and how traders see them: its highest and
// lowest price, and the share of it that one owner may hold.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Key } from '../../../src/client/key.ts'
import { ownerlessAddress } from '../../../src/sources/ownerless-address.ts'
import { AdminClient } from '../../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const admin = new AdminClient(live)
const symbol = 'LEVER'

let holder: Key
let other: Key

before(async () => {
  const backstop_address = ownerlessAddress('backstop of the levers')
  const grid = { tick_size: '0.01', lot_size: '0.1', min_tick: '1', max_tick: '1000' }
  const sizes = { min_order_size: '10', max_order_size: '10000000', open_interest_cap: '1000000' }
  const rest = { isolated_only: false, speedbump_ms: 0, impact_notional: '1000' }
  const bands = { band_near_percent: '30', band_far_percent: '90' }
  const scaling = { open_interest_lower: '0', open_interest_upper: '0' }
  const reserves = { backstop_value_max: '100000', backstop_daily_loss_max: '10000' }
  const own = { symbol, base_asset: 'LEVER', oracle: '50', max_leverage: 10, backstop_address }
  const listing = { ...own, ...grid, ...sizes, ...rest, ...bands, ...scaling, ...reserves }
  dataOf(await admin.post('/markets/list', listing))
  holder = await live.trader('1000000')
  other = await live.trader('1000000')
  const trade = { buyer: holder, seller: other, symbol, price: '50', amount: '1000' }
  await live.trade(trade)
})

const change = (fields: Row, more: Row = {}) =>
  admin.post('/markets/change', { symbol, change: fields, ...more })
const infoOf = async () =>
  dataOf<Row[]>(await api.get('/info')).find((row) => row.symbol === symbol)!
const riskOf = async (query: Readonly<Record<string, string>> = {}) =>
  dataOf<{ markets: Row[] }>(await api.get('/info/risk', { symbol, ...query })).markets[0]!
const place = (key: Key, fields: Row) =>
  api.signed(key, '/orders/create', {
    ...{ symbol, side: 'bid', tif: 'GTC', reduce_only: false, ...fields },
  })

test('max_tick rises and min_tick falls immediately, and orders may use both', async () => {
  refused(await place(other, { side: 'ask', price: '0.5', amount: '100' }), {
    ...{ status: 422, code: 4, says: /INVALID_TICK_LEVEL: price 0.5 is outside 1 to 1000/ },
  })
  dataOf(await change({ max_tick: '2000', min_tick: '0.01', band_far_percent: '99.5' }))
  const { max_tick, min_tick } = await infoOf()
  assert.deepEqual([max_tick, min_tick], ['2000', '0.01'])
  dataOf(await place(other, { price: '0.5', amount: '100' }))
})

test('a price range never shrinks, and the rejection says where it starts', async () => {
  const { max_tick, min_tick } = await infoOf()
  const says = new RegExp(
    `INVALID_PARAMETER: a price range only grows: maximum min_tick ${min_tick}, ` +
      `minimum max_tick ${max_tick}`,
  )
  refused(await change({ max_tick: '999' }), { status: 422, says })
  refused(await change({ min_tick: '5' }), { status: 422, says })
})

test('by default one owner may hold a quarter of a listed market', async () => {
  const { open_interest_cap, owner_interest_cap } = await riskOf()
  assert.deepEqual([open_interest_cap, owner_interest_cap], ['1000000', '250000'])
  dataOf(await change({ owner_interest_max: '1500' }))
  assert.equal((await riskOf()).owner_interest_cap, '1500')
})

const overLimit = { status: 422, says: /POSITION_LIMIT_EXCEEDED/ }

test("an owner's own limit applies until it is removed", async () => {
  const limitOf = async (key: Key) =>
    ((await riskOf({ account: key.address })).owner_limit as Row).limit
  const set = (fields: Row) => admin.post('/accounts/owner_limit', { symbol, ...fields })
  const more = { price: '45', amount: '600' }
  refused(await place(holder, more), overLimit)
  const given = { account: holder.address, amount: '1600' }
  assert.deepEqual(dataOf(await set(given)), { symbol, ...given })
  assert.deepEqual([await limitOf(holder), await limitOf(other)], ['1600', '1500'])
  dataOf(await place(holder, more))
  dataOf(await set({ account: holder.address, amount: null }))
  assert.equal(await limitOf(holder), '1500')
  refused(await place(holder, { price: '45', amount: '1' }), overLimit)
  refused(await set({ account: holder.address, amount: '0.05' }), { status: 400, says: /amount/ })
})

test('a price range that an account cannot bear names it and the highest price', async () => {
  const says = new RegExp(
    `UNITS-4 would not hold for the account (${holder.address}|${other.address}): .* limited ` +
      'to 4503599627.370496 USD at the highest price; .* maximum max_tick is ([0-9.]+)',
  )
  const answer = await change({ max_tick: '20000000' })
  refused(answer, { status: 422, says })
  const [, , most] = says.exec((answer.body as { error: string }).error)!
  const above = `${(Number(most) + 0.01).toFixed(2)}`
  refused(await change({ max_tick: above }), { status: 422, says })
  dataOf(await change({ max_tick: most }))
  assert.equal((await infoOf()).max_tick, most)
  const settled = await admin.post('/markets/settle', { symbol, price: '20000000' })
  refused(settled, {
    status: 422,
    says: /UNITS-4 would not hold for .*; .* maximum price is [0-9.]+/,
  })
})
