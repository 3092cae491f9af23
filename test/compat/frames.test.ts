// Frames as documented for existing clients, and a client that treats each list as complete.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../programs/differential/random.ts'
import { dataOf, type Row } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'
import { type Frame, StreamClient } from '../support/streams/stream-client.ts'
import { documentedFrames, type Fields } from './documented-frames.ts'

const live = await frozenSandbox(['--compat-port', '0'])
after(() => live.close())
const url = `ws://127.0.0.1:${live.running.compatPort}/ws`
await live.price('BTC', '100000')
const [alice, bob] = [await live.trader(), await live.trader()]
const account = alice.address

const paramsOf = (source: string) => {
  if (source.startsWith('account_')) return { account }
  if (source === 'prices') return {}
  return { symbol: 'BTC', ...(source.includes('candle') ? { interval: '1m' } : {}) }
}

const isDecimal = (text: string) => /^-?\d+(?:\.\d+)?$/.test(text)

/** The types that a client can rely on. `null` stands for fields that may be absent. */
function requireLike(value: unknown, like: unknown, where: string): void {
  if (like === null) return
  if (Array.isArray(like)) {
    assert.ok(Array.isArray(value) && value.length > 0, `${where}: ${JSON.stringify(value)}`)
    for (const [at, each] of value.entries())
      requireLike(each, like[Math.min(at, like.length - 1)], `${where}[${at}]`)
    return
  }
  assert.equal(typeof value, typeof like, `${where}: ${JSON.stringify(value)}`)
  if (typeof like === 'string' && isDecimal(like)) assert.ok(isDecimal(value as string), where)
  if (typeof like === 'object')
    for (const [name, each] of Object.entries(like as Fields))
      requireLike((value as Fields)[name], each, `${where}.${name}`)
}

test('every documented field is in the frame of its channel, with its type', async () => {
  const stream = await StreamClient.open(url)
  for (const source of Object.keys(documentedFrames))
    assert.equal((await stream.subscribe(source, paramsOf(source))).channel, 'subscribe', source)
  await live.order(bob, { symbol: 'BTC', side: 'ask', price: '100500', amount: '0.5' })
  await live.trade({ buyer: alice, seller: bob, symbol: 'BTC', price: '100000', amount: '0.1' })
  await live.order(alice, { symbol: 'BTC', side: 'bid', price: '99000', amount: '0.2' })
  const settings = { symbol: 'ETH', leverage: 12 }
  dataOf(await live.api.signed(alice, '/account/leverage', settings))
  const margin = { symbol: 'ETH', is_isolated: true }
  dataOf(await live.api.signed(alice, '/account/margin', margin))
  await live.price('BTC', '100001')
  for (const [source, { data }] of Object.entries(documentedFrames)) {
    const frame = await likeFrame(stream, source, data)
    assert.equal(typeof frame.li, 'number', source)
  }
  await stream.close()
})

/** The newest frame; while a state frame is incomplete, a later one. */
async function likeFrame(stream: StreamClient, source: string, like: unknown): Promise<Frame> {
  for (;;) {
    const frame = stream.of(source).at(-1)
    try {
      assert.ok(frame !== undefined, `${source}: no frame`)
      requireLike(frame.data, like, source)
      return frame
    } catch (fault) {
      await stream.nextOf(source).catch(() => {
        throw fault
      })
    }
  }
}

test('a client that replaces its list by each frame has the open orders', async () => {
  const stream = await StreamClient.open(url)
  await stream.subscribe('account_orders', { account })
  const random = new Random(7)
  const place = () => {
    const side = random.chance(0.5) ? 'bid' : 'ask'
    const price =
      side === 'bid' ? 90_000 + random.between(0, 500) : 110_000 - random.between(0, 500)
    return live.order(alice, { symbol: 'BTC', side, price: `${price}`, amount: '0.01' })
  }
  const openIds = async () =>
    dataOf<Row[]>(await live.api.get('/orders', { account })).map(({ order_id }) => order_id)
  const cancel = async () => {
    const ids = await openIds()
    if (ids.length === 0) return
    const order_id = ids[random.between(0, ids.length - 1)]
    await live.api.signed(alice, '/orders/cancel', { symbol: 'BTC', order_id })
  }
  const everything = { all_symbols: true, exclude_reduce_only: false }
  const fill = () => live.order(bob, { symbol: 'BTC', side: 'ask', price: '90000', amount: '0.03' })
  for (let round = 0; round < 60; round++) {
    for (let step = random.between(1, 4); step > 0; step--) {
      const draw = random.between(0, 9)
      if (draw < 5) await place()
      else if (draw < 8) await cancel()
      else if (draw < 9) await fill()
      else await live.api.signed(alice, '/orders/cancel_all', everything)
    }
    await stream.settle()
    const list = stream.of('account_orders').at(-1)!.data as Row[]
    assert.deepEqual(new Set(list.map(({ i }) => i)), new Set(await openIds()), `round ${round}`)
  }
  await stream.close()
})
