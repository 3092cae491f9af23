// The fields of an open stop in streams and replies: trigger price, whole position, other leg.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dataOf, type Row } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'
import { StreamClient } from '../../support/streams/stream-client.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

test('a stop shows which price triggers it and whether it closes the whole position', async () => {
  const [alice, bob] = [await live.trader(), await live.trader()]
  const account = alice.address
  await live.price('ETH', '3500')
  await live.trade({ buyer: alice, seller: bob, symbol: 'ETH', price: '3500', amount: '2' })
  const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_orders', { account })
  const stop = async (stop_order: Row) => {
    const body = { symbol: 'ETH', side: 'ask', reduce_only: true, stop_order }
    return dataOf<{ order_id: number }>(await api.signed(alice, '/orders/stop/create', body))
      .order_id
  }
  const usual = await stop({ stop_price: '3400', amount: '2' })
  const whole = await stop({ stop_price: '3400' })
  const last = { stop_price: '3300', amount: '1', trigger_price_type: 'last_trade_price' }
  const byLast = await stop(last)
  const expected = [
    [usual, undefined, undefined],
    [whole, undefined, true],
    [byLast, 'last_trade_price', undefined],
  ]
  const optionsOf = ({ trigger_price_type, whole_position }: Row) => [
    trigger_price_type,
    whole_position,
  ]
  // Replies have the fields that clients have always known.
  const rows = dataOf<Row[]>(await api.get('/orders', { account }))
  assert.deepEqual(rows.flatMap(optionsOf), Array(6).fill(undefined))
  await stream.settle()
  const streamed = stream.of('account_orders').at(-1)!.data as Row[]
  assert.deepEqual(
    streamed.map((row) => [row.i, ...optionsOf(row)]),
    expected,
  )
  await stream.close()
})

test('a remaining leg is shown without a link, wherever it is read', async () => {
  const alice = await live.trader()
  await live.price('ETH', '3500')
  const { address: account } = alice
  const stream = await StreamClient.open(`${live.url.replace('http', 'ws')}/ws`)
  await stream.subscribe('account_orders', { account })
  const leg = { side: 'ask', amount: '2', reduce_only: false }
  const legs = [
    { ...leg, price: '3600' },
    { ...leg, stop_price: '3400' },
  ]
  const body = { symbol: 'ETH', legs }
  const placed = await api.signed(alice, '/orders/oco/create', body)
  const [rests, stops] = dataOf<{ order_ids: number[] }>(placed).order_ids
  const edit = { symbol: 'ETH', order_id: rests, price: '3590', amount: '2' }
  const { order_id: moved } = dataOf<Row>(await api.signed(alice, '/orders/edit', edit))
  const linkOf = async () => {
    const open = dataOf<Row[]>(await api.get('/orders', { account }))
    const past = dataOf<Row[]>(await api.get('/orders/history', { account }))
    await stream.settle()
    const streamed = stream.of('account_orders').at(-1)!.data as Row[]
    return [
      open.find(({ order_id }) => order_id === stops)?.oco_order_id,
      past.find(({ order_id }) => order_id === stops)?.oco_order_id,
      streamed.findLast(({ i }) => i === stops)?.oco_order_id,
    ]
  }
  assert.deepEqual(await linkOf(), [moved, moved, moved])
  // Trading with an own order cancels the resting leg, and with it the link.
  await live.order(alice, { symbol: 'ETH', side: 'bid', price: '3595', amount: '1' })
  assert.deepEqual(await linkOf(), [undefined, undefined, undefined])
  await stream.close()
})
