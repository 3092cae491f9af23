// What an open stop watches and closes, as replies and streams tell it alike.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dataOf, type Row } from '../../support/http/api-client.ts'
import { frozenSandbox } from '../../support/http/live-exchange.ts'
import { StreamClient } from '../../support/streams/stream-client.ts'

const live = await frozenSandbox()
after(() => live.close())
const { api } = live

test('a stop says which price fires it and whether it closes the whole position', async () => {
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
  const told = ({ trigger_price_type, whole_position }: Row) => [trigger_price_type, whole_position]
  const rows = dataOf<Row[]>(await api.get('/orders', { account }))
  assert.deepEqual(rows.map((row) => [row.order_id, ...told(row)]).reverse(), expected)
  await stream.settle()
  const streamed = stream.of('account_orders').flatMap(({ data }) => data as Row[])
  assert.deepEqual(
    streamed.map((row) => [row.i, ...told(row)]),
    expected,
  )
  await stream.close()
})
