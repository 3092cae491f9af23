// An isolated position has its own margin: rejections over HTTP say whether that margin or the
// balance is too low, and what would be accepted. The tests send the values that they name.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Key } from '../../../src/client/key.ts'
import { dataOf, type Row, refused } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

const create = (key: Key, fields: Row) =>
  api.signed(key, '/orders/create', {
    ...{ symbol: 'BTC', side: 'bid', tif: 'GTC', reduce_only: false, ...fields },
  })
const addMargin = (key: Key, amount: string) =>
  api.signed(key, '/positions/add_isolated_margin', { symbol: 'BTC', amount })

/** Long 0.5 BTC at 105000, isolated with 50x leverage, with offers to add at this price. */
async function isolatedLong(price: string): Promise<Key> {
  const trader = await live.trader('10000')
  const maker = await live.trader('10000000')
  await live.price('BTC', '105000')
  dataOf(await api.signed(trader, '/account/margin', { symbol: 'BTC', is_isolated: true }))
  await live.trade({ buyer: trader, seller: maker, symbol: 'BTC', price: '105000', amount: '0.5' })
  await live.price('BTC', price)
  dataOf(await create(maker, { side: 'ask', price, amount: '6' }))
  return trader
}

test('an amount above the balance is rejected for the balance, not as a close', async () => {
  const trader = await isolatedLong('105000')
  const says = new RegExp(
    '^INSUFFICIENT_BALANCE: insufficient balance: equity .* would be ' +
      '-[0-9.]+ USD, and cannot be below zero; the largest amount accepted now is [0-9.]+ BTC$',
  )
  const order = { price: '105000', tif: 'IOC' }
  const answer = await create(trader, { ...order, amount: '5' })
  refused(answer, { status: 422, code: 5, says })
  const [, most] = /accepted now is ([\d.]+)/.exec((answer.body as { error: string }).error)!
  assert.equal(dataOf(await create(trader, { ...order, amount: most })).order_status, 'filled')
})

test('insufficient isolated margin is named, with how to add some', async () => {
  const trader = await isolatedLong('104500')
  const order = { price: '104500', amount: '0.1', tif: 'IOC' }
  const says = new RegExp(
    '^INSUFFICIENT_BALANCE: insufficient isolated margin on BTC: ([0-9.]+) USD required, ' +
      '([0-9.]+) USD available with this order; add margin with POST ' +
      '/api/v1/positions/add_isolated_margin, up to the balance',
  )
  const answer = await create(trader, order)
  refused(answer, { status: 422, code: 5, says })
  const [, needs, has] = says.exec((answer.body as { error: string }).error)!
  const missing = (Number(needs) - Number(has)).toFixed(6)
  dataOf(await addMargin(trader, missing))
  assert.equal(dataOf(await create(trader, order)).order_status, 'filled')
})

test('only excess isolated margin can be removed', async () => {
  const trader = await isolatedLong('105000')
  dataOf(await addMargin(trader, '7'))
  const says = /on BTC has ([0-9.]+) USD of free margin, 8 USD requested/
  const answer = await addMargin(trader, '-8')
  refused(answer, { status: 422, code: 5, says })
  const [, spare] = says.exec((answer.body as { error: string }).error)!
  dataOf(await addMargin(trader, `-${spare}`))
})
