// A rejection names the nearest accepted value. The tests send the named value, which must be
// accepted, and one step beyond it, which must be rejected.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Key } from '../../src/client/key.ts'
import { formatGrid, parseGrid } from '../../src/units/decimal.ts'
import { type Answer, dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live
const order = {
  symbol: 'BTC',
  side: 'bid',
  price: '104000',
  amount: '0.01',
  tif: 'ALO',
  reduce_only: false,
}
const lot = { stepValue: 1, stepScale: 5 }
const tick = { stepValue: 1, stepScale: 0 }

await live.price('BTC', '105000')

const create = (key: Key, fields: Row) => api.signed(key, '/orders/create', { ...order, ...fields })

function moved(text: string, grid: typeof lot, steps: number): string {
  const parsed = parseGrid(text, grid)
  assert.ok(parsed.ok)
  return formatGrid(parsed.value + steps, grid)
}

function named(answer: Answer, name: string, pattern: RegExp): string {
  assert.equal(answer.status, 422, answer.text)
  const { error } = answer.body as { error: string }
  assert.ok(error.startsWith(`${name}: `), error)
  const [, value] = pattern.exec(error) ?? []
  assert.ok(value !== undefined, error)
  return value
}

const nearestPrice = /nearest: ([\d.]+)$/
const nearestSize = /nearest: ([\d.]+) BTC$/
const largest = /the largest amount accepted now is ([\d.]+) BTC$/

test('the price that a band or a range names is accepted, and none beyond it', async () => {
  const key = await live.trader()
  for (const [fields, name, step] of [
    [{ price: '9000', amount: '0.1' }, 'PRICE_TOO_FAR_FROM_MARK', -1],
    [{ price: '150000' }, 'PRICE_TOO_FAR_FROM_MARK', 1],
    [{ price: '150000', side: 'ask' }, null, 0],
    [{ price: '60000', side: 'ask' }, 'PRICE_TOO_FAR_FROM_MARK', -1],
  ] as const) {
    const answer = await create(key, fields)
    if (name === null) {
      dataOf(answer)
      continue
    }
    const price = named(answer, name, nearestPrice)
    dataOf(await create(key, { ...fields, price }))
    named(await create(key, { ...fields, price: moved(price, tick, step) }), name, nearestPrice)
  }
})

test('the smallest amount that reaches the minimum value is named', async () => {
  const key = await live.trader()
  const amount = named(
    await create(key, { amount: '0.00002' }),
    'ORDER_AMOUNT_TOO_LOW',
    nearestSize,
  )
  dataOf(await create(key, { amount }))
  const less = await create(key, { amount: moved(amount, lot, -1) })
  named(less, 'ORDER_AMOUNT_TOO_LOW', nearestSize)
})

test('the largest amount that margin allows is named, for limit and market orders', async () => {
  await live.trade({
    buyer: await live.trader(),
    seller: await live.trader(),
    symbol: 'BTC',
    price: '105000',
    amount: '0.01',
  })
  const maker = await live.trader('1000000')
  dataOf(await create(maker, { side: 'ask', price: '105100', amount: '40' }))
  for (const tif of ['ALO', 'GTC', 'IOC']) {
    const key = await live.trader('10000')
    const price = tif === 'IOC' ? '105200' : '104000'
    const answer = await create(key, { tif, price, amount: '20' })
    const amount = named(answer, 'INSUFFICIENT_BALANCE', largest)
    const more = await create(key, { tif, price, amount: moved(amount, lot, 1) })
    named(more, 'INSUFFICIENT_BALANCE', largest)
    dataOf(await create(key, { tif, price, amount }))
  }
  const key = await live.trader('10000')
  const market = { symbol: 'BTC', side: 'bid', slippage_percent: '1', reduce_only: false }
  const send = (amount: string) => api.signed(key, '/orders/create_market', { ...market, amount })
  const amount = named(await send('20'), 'INSUFFICIENT_BALANCE', largest)
  named(await send(moved(amount, lot, 1)), 'INSUFFICIENT_BALANCE', largest)
  dataOf(await send(amount))
})

test('the largest amount of an edit is named, alone and in a batch', async () => {
  const key = await live.trader('10000')
  const { order_id } = dataOf<{ order_id: number }>(await create(key, { amount: '0.5' }))
  dataOf(await create(key, { amount: '0.3' }))
  let current = order_id
  const body = (amount: string, price: string) => ({
    symbol: 'BTC',
    order_id: current,
    price,
    amount,
  })
  const edit = async (amount: string, price = '104000') => {
    const answer = await api.signed(key, '/orders/edit', body(amount, price))
    if (answer.status === 200) current = dataOf<{ order_id: number }>(answer).order_id
    return answer
  }
  for (const price of ['104000', '103000']) {
    const answer = await edit('20', price)
    const amount = named(answer, 'INSUFFICIENT_BALANCE', largest)
    const data = await api.body(key, '/orders/edit', body('20', price))
    const batch = { actions: [{ type: 'Edit', data }] }
    const { results } = dataOf<{ results: Row[] }>(await api.post('/orders/batch', batch))
    assert.equal(results[0]!.error, (answer.body as { error: string }).error)
    named(await edit(moved(amount, lot, 1), price), 'INSUFFICIENT_BALANCE', largest)
    dataOf(await edit(amount, price))
    dataOf(await edit('0.1', price))
  }
  const rich = await live.trader('100000000')
  const placed = dataOf<{ order_id: number }>(await create(rich, {}))
  const wish = { symbol: 'BTC', order_id: placed.order_id, price: '104000' }
  const enlarge = (amount: string) => api.signed(rich, '/orders/edit', { ...wish, amount })
  const most = named(await enlarge('900'), 'ORDER_AMOUNT_TOO_HIGH', largest)
  named(await enlarge(moved(most, lot, 1)), 'ORDER_AMOUNT_TOO_HIGH', largest)
  dataOf(await enlarge(most))
})

test('an account without free margin has one error, in batches and previews too', async () => {
  const key = await live.trader()
  const large = { ...order, amount: '48' }
  const alone = await create(key, { amount: '48' })
  const preview = { ...large, account: key.address }
  const previewed = dataOf<Row>(await api.post('/orders/preview', preview))
  assert.equal(previewed.error, (alone.body as { error: string }).error)
  assert.match(String(previewed.error), largest)
  const amount = named(alone, 'INSUFFICIENT_BALANCE', largest)
  dataOf(await create(key, { amount }))
  const { error } = (await create(key, { amount: '1' })).body as { error: string }
  assert.match(error, /INSUFFICIENT_BALANCE: .*; no amount of it would be accepted now$/)
})

test("an order above the market's maximum names that maximum", async () => {
  const key = await live.trader('100000000')
  const amount = named(await create(key, { amount: '900' }), 'ORDER_AMOUNT_TOO_HIGH', largest)
  named(await create(key, { amount: moved(amount, lot, 1) }), 'ORDER_AMOUNT_TOO_HIGH', largest)
  dataOf(await create(key, { amount }))
})

// A value one tick from the market would be stopped out immediately, so none is suggested.
test('a stop that is already reached suggests no price and mentions take-profits', async () => {
  const key = await live.trader()
  const stop = (side: string, stop_price: string) =>
    api.signed(key, '/orders/stop/create', {
      symbol: 'BTC',
      side,
      reduce_only: false,
      stop_order: { stop_price, amount: '0.01' },
    })
  for (const [side, price] of [
    ['bid', '100000'],
    ['bid', '105000'],
    ['ask', '110000'],
    ['ask', '105000'],
  ] as const) {
    const answer = await stop(side, price)
    named(answer, 'INVALID_STOP_TICK', /is reached already .* the price (105000)/)
    named(answer, 'INVALID_STOP_TICK', /take-profit: POST (\/api\/v1\/positions\/tpsl)$/)
    assert.doesNotMatch(answer.text, /nearest/)
  }
  dataOf(await stop('bid', '105001'))
  dataOf(await stop('ask', '104999'))
})

test('levels of a market order are checked against the mark, not its worst price', async () => {
  const [key, maker] = [await live.trader(), await live.trader()]
  await live.order(maker, { symbol: 'BTC', side: 'ask', price: '105100', amount: '1' })
  const market = (fields: Row) =>
    api.signed(key, '/orders/create_market', {
      symbol: 'BTC',
      side: 'bid',
      amount: '0.01',
      slippage_percent: '5',
      reduce_only: false,
      ...fields,
    })
  const wrong = /wrong side of the price (105000); one (?:above|below) 105000 is accepted$/
  for (const fields of [
    { take_profit: { stop_price: '105000' } },
    { stop_loss: { stop_price: '105000' } },
    // Below the worst price of 110,250 but above the fill price: a loss immediately.
    { stop_loss: { stop_price: '108000' } },
  ]) {
    const answer = await market(fields)
    named(answer, 'INVALID_STOP_TICK', wrong)
    assert.doesNotMatch(answer.text, /nearest/)
  }
  const levels = { take_profit: { stop_price: '106000' }, stop_loss: { stop_price: '104000' } }
  dataOf(await market(levels))
  const held = dataOf<Row[]>(await api.get('/orders', { account: key.address }))
  assert.deepEqual(held.map((row) => row.stop_price).toSorted(), ['104000', '106000'])
})
