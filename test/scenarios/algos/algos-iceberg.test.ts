// docs/rules/algos.md, ALGO-1 and ALGO-3, through both engines: icebergs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../../src/core/engine.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Outcome, type Scene, START } from '../../support/scene.ts'

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }
const tick = { type: 'Tick' } as const

type More = Readonly<Record<string, unknown>>

function iceberg(scene: Scene, more: More = {}): Outcome {
  const wish = { market: BTC, side: 'bid', size: 1_000, display: 300, price: 59_900 }
  const none = { reduceOnly: false, expireTime: null, clientOrderId: null }
  return scene.own('A', 'PlaceIceberg', { ...wish, ...none, ...more })
}

const ended = (reason: 'finished' | 'owner' | 'expired' | 'refused', filled = 0) => {
  return { type: 'AlgoEnded', reason, filled } as const
}

test('case 270: one taker meets one part, and the next comes behind it (ALGO-4)', () => {
  const row = worked('algos', 270)
  const [size = 0, price = 0, display = 0, first = 0] = row.given()
  const scene = given(free)
  iceberg(scene, { size, display, price }).emits({ type: 'AlgoPlaced', kind: 'iceberg', order: 1 })
  assert.deepEqual([scene.account('A').orders, scene.account('A').algos], [[], [1]])
  const parts: number[] = []
  const traded: number[] = []
  for (let sold = first; scene.account('A').algos.length > 0; sold = size) {
    const part = scene.run(tick).includes({ type: 'AlgoStepped', algo: 1, price, rejection: 0 })
    const { size: shown, parent, tif, origin } = part.one('OrderPlaced')
    assert.deepEqual([parent, tif, origin], [1, 'ALO', 'algo'])
    parts.push(shown)
    const outcome = scene.ask('B', sold, price, { tif: 'IOC' })
    traded.push(outcome.one('Traded').lots)
    const filled = parts.reduce((sum, lots) => sum + lots)
    outcome.includes({ type: 'AlgoFilled', lots: shown, filled, filledValue: filled * price * 10 })
  }
  row.says(...parts, traded[0])
  assert.deepEqual(traded, parts)
  assert.equal(scene.held('A')[0], size)
})

test('an invalid iceberg is refused (ALGO-1, ALGO-3)', () => {
  const scene = given(free)
  iceberg(scene, { market: 9 }).refused('BOOK_NOT_FOUND', 9)
  iceberg(scene, { price: 1.5 }).refused('INVALID_TICK_SIZE', 0)
  iceberg(scene, { price: 0 }).refused('INVALID_TICK_LEVEL', 0, 1, 1_000_000)
  iceberg(scene, { size: 0, display: 0 }).refused('INVALID_AMOUNT', 0)
  for (const display of [9, 1_001, -1]) {
    iceberg(scene, { display }).refused('INVALID_AMOUNT', display)
  }
  iceberg(scene, { size: 1_001, display: 10 }).refused('INVALID_AMOUNT', 10)
  iceberg(scene, { display: 'some' }).refused('INVALID_AMOUNT', 0)
  iceberg(scene, { side: 'up' }).refused('INVALID_ORDER_TYPE')
  iceberg(scene, { expireTime: START + 999 }).refused('INVALID_TIME', START + 999, START + 1_000)
  // One part has the least value, and no more than the largest.
  const small = { size: 100, display: 1 }
  iceberg(scene, small).refused('ORDER_AMOUNT_TOO_LOW', 599_000, 1_000_000)
  const large = { size: 10 ** 8, display: 10 ** 7 }
  iceberg(scene, large).refused('ORDER_AMOUNT_TOO_HIGH', 5_990_000_000_000, 1_000_000_000_000)
  iceberg(scene, { reduceOnly: true }).refused('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  scene.bid('A', 100, 50_000, { clientOrderId: 'mine' }).accepted()
  iceberg(scene, { clientOrderId: 'MINE' }).refused('DUPLICATE_CLIENT_ORDER_ID')
  iceberg(scene, { clientOrderId: 'ice' }).accepted()
  const named = { clientOrderId: 'ice' }
  scene.bid('A', 100, 50_000, named).refused('DUPLICATE_CLIENT_ORDER_ID')
  for (let n = 0; n < 4; n++) iceberg(scene).accepted()
  iceberg(scene).refused('LIMIT_REACHED', 5)
})

test('it ends with its order, and its order with it (ALGO-1)', () => {
  const scene = given(free)
  iceberg(scene, { clientOrderId: 'ice' })
  scene.run(tick)
  scene.cancel('A', 2).emits({ type: 'OrderCancelled', order: 2, reason: 'owner' }, ended('owner'))
  iceberg(scene, { clientOrderId: 'ice' })
  scene.run(tick)
  const edit = { market: BTC, order: 4, clientOrderId: null, price: 59_800, size: 100 }
  scene.own('A', 'EditOrder', edit).refused('ORDER_NOT_FOUND', 4)
  scene.own('A', 'EditOrder', { ...edit, order: 3 }).refused('ORDER_NOT_FOUND', 3)
  scene.own('B', 'CancelOrder', { ...edit, order: 3 }).refused('ORDER_NOT_FOUND', 3)
  scene.own('A', 'CancelStop', { ...edit, order: 3 }).refused('ORDER_NOT_FOUND', 3)
  const outcome = scene.cancel('A', null, { clientOrderId: 'ICE' })
  outcome.emits({ type: 'OrderCancelled', order: 4, reason: 'owner' }, ended('owner'))
  scene.cancel('A', 3).refused('ORDER_NOT_FOUND', 3)
})

test('all orders are cancelled, and icebergs that have none just now (ALGO-1, ORDER-8)', () => {
  const scene = given(free)
  const all = (excludeReduceOnly: boolean) => {
    return scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly })
  }
  scene.buys('A', 'B', 500, 60_000)
  iceberg(scene)
  iceberg(scene, { side: 'ask', price: 60_500, size: 500, reduceOnly: true })
  scene.run(tick)
  const [buy, sell] = scene.account('A').algos as [number, number]
  const [first, second] = scene.account('A').orders as [number, number]
  all(true).emits(
    { type: 'OrderCancelled', order: first, reason: 'owner' },
    { type: 'AlgoEnded', algo: buy, reason: 'owner' },
    { type: 'AllOrdersCancelled', count: 1 },
  )
  // Those that would take have none.
  scene.ask('B', 100, 59_000)
  iceberg(scene, { price: 59_000 })
  scene.run(tick).includes({ type: 'OrderCancelled', reason: 'post_only_rejected' })
  scene.cancel('A', second).includes({ type: 'AlgoEnded', algo: sell, reason: 'owner' })
  scene.bid('C', 100, 58_500)
  iceberg(scene, { side: 'ask', price: 58_500, size: 500, reduceOnly: true })
  scene.run(tick)
  const [open, closing] = scene.account('A').algos as [number, number]
  const none = { type: 'AllOrdersCancelled', count: 0 } as const
  all(true).emits(none, { type: 'AlgoEnded', algo: open, reason: 'owner' })
  all(false).emits(none, { type: 'AlgoEnded', algo: closing, reason: 'owner' })
})

test('five refusals in a row end it, a thousand milliseconds apart (ALGO-1, ALGO-3)', () => {
  const scene = given(free)
  scene.ask('B', 100, 59_900)
  iceberg(scene)
  const rejected = { type: 'OrderCancelled', reason: 'post_only_rejected' } as const
  scene.run(tick).includes({ type: 'AlgoStepped', step: 1, rejection: 0 }, rejected)
  scene.wait(999).lacks('AlgoStepped')
  scene.wait(1).includes({ type: 'AlgoStepped', step: 2 }, rejected)
  scene.cancel('B', 1)
  scene.wait(1_000).includes({ type: 'AlgoStepped', step: 3 }, { type: 'OrderRested' })
  const order = scene.account('A').orders[0]!
  // What was refused before does not count any more.
  scene.ask('C', 400, 59_900).includes({ type: 'Traded', makerOrder: order })
  scene.run(tick).includes({ type: 'AlgoStepped', step: 4 }, rejected)
  for (let n = 5; n <= 7; n++)
    scene.wait(1_000).includes({ type: 'AlgoStepped', step: n }, rejected)
  scene.wait(1_000).includes({ type: 'AlgoStepped', step: 8 }, rejected, ended('refused', 300))
})

test('an iceberg and its order expire together, in either order (ALGO-1, ORDER-14)', () => {
  const scene = given(free)
  iceberg(scene, { expireTime: START + 5_000 })
  scene.run(tick).includes({ type: 'ExpirySet', order: 2, time: START + 5_000 })
  scene.now = START + 5_000
  const late = scene.ask('B', 500, 59_900)
  late.includes({ type: 'OrderCancelled', order: 2, reason: 'expired' }, ended('expired'))
  late.lacks('Traded')
})

test('a reduce-only iceberg has no more to do without a position (ALGO-1, ORDER-7)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 400, 60_000)
  iceberg(scene, { side: 'ask', size: 1_000, display: 300, price: 60_500, reduceOnly: true })
  scene.run(tick)
  scene.bid('B', 300, 60_500).includes({ type: 'AlgoFilled', filled: 300 })
  scene.run(tick).includes({ type: 'AlgoStepped', lots: 100 })
  scene.bid('B', 100, 60_500).includes({ type: 'AlgoFilled', filled: 400 })
  scene.run(tick).emits(ended('finished', 400))
})

test('where the market does not trade an iceberg waits, and a snapshot keeps it (ALGO-1)', () => {
  const scene = given(free)
  iceberg(scene, { expireTime: START + 3_600_000, clientOrderId: 'ice' })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly: false })
  iceberg(scene).refused('TRADING_DISABLED')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  iceberg(scene, { clientOrderId: 'ice' })
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  iceberg(scene).refused('TRADING_DISABLED')
  const again = decodeState(encodeState(scene.state))
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  const atMs = scene.now as never
  const open = { type: 'SetMarketMode', market: BTC, mode: 'open' } as never
  apply(again, { seq: again.seq + 1, atMs, command: open }, new EventLog())
  assert.equal(tradingHash(again), tradingHash(scene.state))
})
