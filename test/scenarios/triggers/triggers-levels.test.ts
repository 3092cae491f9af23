// docs/rules/triggers.md, TRIG-12, through both engines: several take-profits and stop-losses of a
// position or an order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstRules } from '../../../src/core/rules/first-rules.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, levelAt, type Scene } from '../../support/scene.ts'
import { setLimits } from '../../support/trial-rules.ts'

type More = Readonly<Record<string, unknown>>

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 0 } }

const tpsl = (scene: Scene, more: More) =>
  scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', ...more })

/** A has 1,000 lots. */
function long(): Scene {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_000)
  return scene
}

const levels = (scene: Scene) => {
  const { takeProfit, stopLoss } = scene.position('A')!
  return [takeProfit, stopLoss]
}

function comesBack(scene: Scene): void {
  const back = decodeState(encodeState(scene.state))
  assert.equal(stateHash(back), stateHash(scene.state))
}

test('case 262: a position is closed in parts, and the rest is protected (TRIG-8, TRIG-12)', () => {
  const row = worked('triggers', 262)
  const [held = 0, size = 0, near = 0, other = 0, far = 0, loss = 0, mark = 0, sold = 0] =
    row.given()
  const scene = given(free)
  scene.buys('A', 'B', held, 60_000)
  const takeProfit = [levelAt(near, { size }), levelAt(far, { size: other })]
  const placed = tpsl(scene, { takeProfit, stopLoss: levelAt(loss) }).all('StopPlaced')
  const [first, second, third] = placed.map(({ order }) => order)
  scene.bid('B', held, mark)
  scene.mark(BTC, mark).includes({ type: 'StopTriggered', order: first! })
  const left = scene.position('A')!.lots
  assert.deepEqual(levels(scene), [[second], [third]])
  const kept = scene.state.triggers.get(second!)!.size
  const cut = scene.sells('A', 'C', sold, mark).one('StopReduced')
  assert.equal(cut.order, second)
  row.says(left, kept, cut.size)
})

test('a list takes the place of all levels of its kind, none takes them away (TRIG-12)', () => {
  const scene = long()
  const at = (...prices: readonly number[]) => prices.map((price) => levelAt(price))
  tpsl(scene, { takeProfit: at(61_000, 62_000, 63_000), stopLoss: levelAt(59_000) }).emits(
    { type: 'StopPlaced', order: 3, stopPrice: 61_000 },
    { type: 'StopPlaced', order: 4, stopPrice: 62_000 },
    { type: 'StopPlaced', order: 5, stopPrice: 63_000 },
    { type: 'StopPlaced', order: 6, stopPrice: 59_000 },
  )
  comesBack(scene)
  tpsl(scene, { takeProfit: at(64_000), stopLoss: [] }).emits(
    { type: 'OrderCancelled', order: 3, reason: 'replaced' },
    { type: 'OrderCancelled', order: 4, reason: 'replaced' },
    { type: 'OrderCancelled', order: 5, reason: 'replaced' },
    { type: 'StopPlaced', order: 7, stopPrice: 64_000 },
    { type: 'OrderCancelled', order: 6, reason: 'owner' },
  )
  assert.deepEqual(levels(scene), [[7], []])
  tpsl(scene, { takeProfit: [] }).emits({ type: 'OrderCancelled', order: 7, reason: 'owner' })
  assert.equal(scene.state.tpsl.size, 0)
})

test('five of a kind and no more, take-profits first (TRIG-12)', () => {
  const scene = long()
  const some = (count: number, price: number) => Array(count).fill(levelAt(price))
  const full = { takeProfit: some(5, 61_000), stopLoss: some(5, 59_000) }
  tpsl(scene, full).accepted()
  comesBack(scene)
  const many = { takeProfit: some(6, 61_000), stopLoss: some(7, 59_000) }
  tpsl(scene, many).refused('POSITION_TPSL_LIMIT_EXCEEDED', 6, 5)
  tpsl(scene, { stopLoss: some(7, 59_000) }).refused('POSITION_TPSL_LIMIT_EXCEEDED', 7, 5)
  scene.bid('A', 10, 60_000, many).refused('POSITION_TPSL_LIMIT_EXCEEDED', 6, 5)
  scene.bid('A', 10, 60_000, full).accepted()
})

test('every level is checked, and the levels they replace do not count (TRIG-2, TRIG-12)', () => {
  const scene = long()
  const named = (price: number, clientOrderId: string) => levelAt(price, { clientOrderId })
  const two = [named(61_000, 'one'), named(62_000, 'two')]
  tpsl(scene, { takeProfit: two }).accepted()
  tpsl(scene, { takeProfit: [...two].reverse() }).accepted()
  tpsl(scene, { takeProfit: [two[0], two[0]] }).refused('DUPLICATE_CLIENT_ORDER_ID')
  tpsl(scene, { stopLoss: [named(59_000, 'two')] }).refused('DUPLICATE_CLIENT_ORDER_ID')
  const reached = { takeProfit: [...two, levelAt(60_000)] }
  tpsl(scene, reached).refused('INVALID_STOP_TICK', 60_000, 60_000)
  const large = { takeProfit: [levelAt(61_000), levelAt(61_000, { size: 1_001 })] }
  tpsl(scene, large).refused('INVALID_STOP_ORDER_AMOUNT', 1_001, 1_000)
  scene
    .bid('A', 100, 59_000, { takeProfit: [levelAt(61_000), levelAt(59_000)] })
    .refused('INVALID_STOP_TICK', 59_000, 59_000)
  scene
    .bid('A', 100, 59_000, { stopLoss: [levelAt(58_000), levelAt(58_000, { size: 101 })] })
    .refused('INVALID_STOP_ORDER_AMOUNT', 101, 100)
  const { ordersPerAccount } = firstRules.limits
  setLimits({ ordersPerAccount: 3 })
  tpsl(scene, { takeProfit: [...two, levelAt(63_000)] }).accepted()
  tpsl(scene, { takeProfit: two, stopLoss: levelAt(59_000) }).accepted()
  tpsl(scene, { stopLoss: [levelAt(59_000), levelAt(58_000)] }).refused(
    'OPEN_ORDER_LIMIT_REACHED',
    3,
    3,
  )
  setLimits({ ordersPerAccount })
})

test('those that trail count together, without the ones they replace (TRIG-11, TRIG-12)', () => {
  const scene = long()
  const trail = { distance: 500, ppm: null, activation: null }
  const trailing = (count: number) => Array(count).fill(levelAt(0, { trail }))
  const { trailingPerAccount } = firstRules.limits
  setLimits({ trailingPerAccount: 2 })
  tpsl(scene, { stopLoss: trailing(3) }).refused('OPEN_ORDER_LIMIT_REACHED', 0, 2)
  tpsl(scene, { stopLoss: trailing(2) }).accepted()
  tpsl(scene, { stopLoss: trailing(2) }).accepted()
  scene.bid('A', 10, 59_000, { stopLoss: trailing(1) }).refused('OPEN_ORDER_LIMIT_REACHED', 2, 2)
  setLimits({ trailingPerAccount })
})

test('the levels of an order are armed together, and grow with its fills (TRIG-5, TRIG-12)', () => {
  const scene = long()
  tpsl(scene, { takeProfit: [levelAt(63_000), levelAt(64_000)], stopLoss: levelAt(50_000) })
  const takeProfit = [levelAt(61_000, { size: 60 }), levelAt(62_000), levelAt(61_500, { size: 10 })]
  scene.bid('A', 100, 59_000, { takeProfit, clientOrderId: 'mine' })
  comesBack(scene)
  scene
    .ask('B', 20, 59_000)
    .includes(
      { type: 'OrderCancelled', order: 3, reason: 'replaced' },
      { type: 'OrderCancelled', order: 4, reason: 'replaced' },
      { type: 'StopArmed', order: 7, size: 20 },
      { type: 'StopArmed', order: 8, size: 0 },
      { type: 'StopArmed', order: 9, size: 10 },
    )
  assert.deepEqual(levels(scene), [[7, 8, 9], [5]])
  const edit = { market: BTC, order: 6, clientOrderId: null, price: 59_000, size: 50 }
  scene.own('A', 'EditOrder', edit).accepted()
  const armed = scene.ask('B', 30, 59_000).all('StopArmed')
  assert.deepEqual(
    armed.map(({ order, size }) => [order, size]),
    [[7, 30]],
  )
  comesBack(scene)
})

test('an order that ends unfilled takes all its levels along (TRIG-5, TRIG-12)', () => {
  const scene = given(free)
  const both = { takeProfit: [levelAt(61_000), levelAt(62_000)], stopLoss: [levelAt(58_000)] }
  scene.bid('A', 100, 59_000, both)
  scene
    .cancel('A', 1)
    .emits(
      { type: 'OrderCancelled', order: 1, reason: 'owner' },
      { type: 'OrderCancelled', order: 2, reason: 'parent_ended' },
      { type: 'OrderCancelled', order: 3, reason: 'parent_ended' },
      { type: 'OrderCancelled', order: 4, reason: 'parent_ended' },
    )
})
