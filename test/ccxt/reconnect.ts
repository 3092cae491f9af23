// The pro class when its connection is lost or rejected, or the exchange restarts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ccxt from 'ccxt'
import { BTC, type Pro } from '../support/ccxt/ccxt-desk.ts'
import { desk } from '../support/ccxt/shared-desk.ts'
import { dataOf } from '../support/http/api-client.ts'
import { liveExchange } from '../support/http/live-exchange.ts'
import { CutWire } from '../support/running/cut-wire.ts'

const patience = { timeout: 60_000 }

/** The usual loop around ccxt's watch methods: on a network error, watch again. */
async function persistently<T>(watch: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await watch()
    } catch (error) {
      if (!(error instanceof ccxt.NetworkError)) throw error
      await new Promise((done) => setTimeout(done, 20))
    }
}

const bookOf = async (trader: Pro) => {
  const { bids, asks } = await persistently(() => trader.watchOrderBook(BTC))
  return [[...bids], [...asks]]
}

test(
  'a lost connection rejects the watch, and the next watch has complete data',
  patience,
  async () => {
    const wire = await CutWire.to(desk.live.running.port)
    const trader = await desk.pro(await desk.live.trader(), wire.url)
    const before = await bookOf(trader)
    const orders = trader.watchOrders()
    // Once this is answered, the subscription before it is in place.
    const { id } = await trader.createOrderWs(BTC, 'limit', 'buy', 0.01, 90_000)
    assert.equal((await orders)[0]!.id, id)

    const cutOff = trader.watchOrders()
    wire.cut()
    await assert.rejects(cutOff, ccxt.NetworkError)
    // Events while disconnected are not repeated, but the next book includes them, as does REST.
    const other = await desk.trader()
    await other.createOrder(BTC, 'limit', 'buy', 0.02, 90_000)
    const { bids, asks } = await desk.rest().fetchOrderBook(BTC)
    assert.deepEqual(await bookOf(trader), [bids, asks])
    assert.notDeepEqual([bids, asks], before)

    const next = persistently(() => trader.watchOrders())
    await persistently(() => trader.cancelOrderWs(id!, BTC))
    const last = (await next).at(-1)!
    assert.deepEqual([last.id, last.status], [id, 'canceled'])
    await other.cancelAllOrders()
    wire.close()
  },
)

test('a bot continues with its orders after a restart', patience, async () => {
  const first = await liveExchange()
  dataOf(await first.sandbox('clock', { freeze: true }))
  await first.price('BTC', '100000')
  const wire = await CutWire.to(first.running.port)
  const key = await first.trader()
  const trader = await desk.pro(key, wire.url)
  const { id } = await trader.createOrderWs(BTC, 'limit', 'buy', 0.01, 90_000)
  assert.deepEqual((await bookOf(trader))[0], [[90_000, 0.01]])
  const watching = trader.watchOrders()
  const lost = assert.rejects(watching, ccxt.NetworkError)
  await first.running.close()
  await lost

  const second = await liveExchange([], first.folder)
  wire.lead(second.running.port)
  assert.deepEqual((await bookOf(trader))[0], [[90_000, 0.01]])
  const orders = persistently(() => trader.watchOrders())
  await persistently(() => trader.cancelOrderWs(id!, BTC))
  const last = (await orders).at(-1)!
  assert.deepEqual([last.id, last.status], [id, 'canceled'])
  assert.equal((await trader.fetchOrder(id!)).status, 'canceled')
  await trader.close()
  wire.close()
  await second.close()
})

test(
  'an API key is sent with the handshake, and an unknown one is rejected there',
  patience,
  async () => {
    const owner = await desk.live.trader()
    const made = (await desk.rest(owner).createApiKey()) as { data: { api_key: string } }
    const keyed = await desk.pro(owner, desk.live.url, { apiKey: made.data.api_key })
    await keyed.watchOrderBook(BTC)
    await keyed.watchTickers()
    const unknown = { apiKey: 'AAAAAAAA_BBBBBBBBBBBBBBBBBBBBBB' }
    const refused = await desk.pro(owner, desk.live.url, unknown)
    refused.markets = keyed.markets
    refused.markets_by_id = keyed.markets_by_id
    await assert.rejects(refused.watchOrderBook(BTC), (error: Error) => {
      assert.match(`${error.constructor.name} ${error.message}`, /401/)
      return true
    })
  },
)
