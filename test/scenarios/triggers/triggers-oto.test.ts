// docs/rules/triggers.md, TRIG-13, through both engines: a stop brings the levels of the position
// that its order will open.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { anything } from '../../support/key-scene.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, codeOf, freeTiers, given, levelAt, proofOf, type Scene } from '../../support/scene.ts'

type More = Readonly<Record<string, unknown>>

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'], market: { speedBumpMs: 0 } }
const bumped = { ...free, market: { speedBumpMs: 200 } }

const exits = { takeProfit: levelAt(63_000), stopLoss: levelAt(60_000, { size: 200 }) }
const brings = (scene: Scene, more: More = {}, level: More = {}) =>
  scene.stop('A', 'bid', levelAt(61_000, { size: 300, ...level }), { ...exits, ...more })

/** Stop 1 with take-profit 2 and stop-loss 3. */
function standing(setting = free, more: More = {}, level: More = {}): Scene {
  const scene = given(setting)
  const from = scene.state.nextOrderId
  brings(scene, more, level).includes(
    { type: 'StopPlaced', order: from, armed: true, parent: 0 },
    { type: 'StopPlaced', order: from + 1, orderType: 'take_profit_market', parent: from },
    { type: 'StopPlaced', order: from + 2, orderType: 'stop_loss_market', parent: from },
  )
  comesBack(scene)
  return scene
}

function comesBack(scene: Scene): void {
  const back = decodeState(encodeState(scene.state))
  assert.equal(stateHash(back), stateHash(scene.state))
  assert.deepEqual(back.attached, scene.state.attached)
}

const bothEnd = [
  { type: 'OrderCancelled', order: 2, reason: 'parent_ended' },
  { type: 'OrderCancelled', order: 3, reason: 'parent_ended' },
] as const

test('case 265: the levels of a stop are armed by the fills of its order (TRIG-8, TRIG-13)', () => {
  const row = worked('triggers', 265)
  const [size = 0, stop = 0, profit = 0, part = 0, loss = 0, mark = 0, filled = 0] = row.given()
  const scene = given(free)
  const takeProfit = levelAt(profit)
  const stopLoss = levelAt(loss, { size: part })
  scene
    .stop('A', 'bid', levelAt(stop, { size }), { takeProfit, stopLoss })
    .emits(
      { type: 'StopPlaced', order: 1, armed: true, parent: 0 },
      { type: 'StopPlaced', order: 2, side: 'ask', armed: false, parent: 1, reduceOnly: true },
      { type: 'StopPlaced', order: 3, side: 'ask', armed: false, parent: 1, reduceOnly: true },
    )
  scene.ask('B', filled, stop)
  const outcome = scene
    .mark(BTC, mark)
    .includes(
      { type: 'StopTriggered', order: 1 },
      { type: 'OrderPlaced', parent: 1, size },
      { type: 'Traded', lots: filled },
    )
  const [all, some] = outcome.all('StopArmed')
  assert.deepEqual([all?.order, all?.size, some?.order], [2, 0, 3])
  row.says(some?.size)
  assert.deepEqual(scene.position('A')?.lots, filled)
  comesBack(scene)
})

test('case 266: an order that fills nothing ends them (TRIG-8, TRIG-13)', () => {
  const row = worked('triggers', 266)
  const outcome = standing()
    .mark(BTC, 61_000)
    .includes(
      { type: 'OrderPlaced', parent: 1 },
      { type: 'OrderCancelled', reason: 'expired' },
      ...bothEnd,
    )
  const [, one, other] = outcome.all('OrderCancelled')
  assert.equal(one?.reason, other?.reason)
  row.names(one?.reason)
})

test('case 267: a trail as far as the mark is high would fire nowhere (TRIG-8, TRIG-11)', () => {
  const row = worked('triggers', 267)
  const [far = 0, mark = 0, near = 0] = row.given()
  const scene = given(free)
  scene.mark(BTC, mark)
  const by = (distance: number) =>
    levelAt(0, { size: 100, trail: { distance, ppm: null, activation: null } })
  const refusal = scene.stop('A', 'ask', by(far)).one('CommandRejected')
  row.names(refusal.rejection)
  scene.stop('A', 'ask', by(near)).accepted()
  row.says(refusal.first, refusal.second, scene.state.triggers.get(1)?.trail?.stop)
  scene.stop('A', 'bid', by(far)).accepted()
  scene.bid('A', 100, 59_000, { stopLoss: by(59_000) }).refused('INVALID_STOP_TICK', 59_000, 59_000)
  scene.bid('A', 100, 59_000, { stopLoss: by(58_999) }).accepted()
  scene.buys('A', 'B', 100, mark)
  const levels = { market: BTC, side: 'bid', stopLoss: by(far) }
  scene.own('A', 'SetPositionTpsl', levels).refused('INVALID_STOP_TICK', far, mark)
  const stopLoss = by(61_000)
  brings(scene, { stopLoss }).refused('INVALID_STOP_TICK', 61_000, 61_000)
  const trail = { distance: null, ppm: 10_000, activation: null }
  const trailing = { stopPrice: 0, trail }
  brings(scene, { stopLoss }, trailing).refused('INVALID_STOP_TICK', 61_000, mark)
})

test('a stop that ends otherwise ends its levels (TRIG-13)', () => {
  standing()
    .cancel('A', 1)
    .emits({ type: 'OrderCancelled', order: 1, reason: 'owner' }, ...bothEnd)
  const all = { market: null, excludeReduceOnly: true }
  standing()
    .own('A', 'CancelAllOrders', all)
    .emits({ type: 'OrderCancelled', order: 1, reason: 'owner' }, ...bothEnd, {
      type: 'AllOrdersCancelled',
      count: 3,
    })
  const timed = given(free)
  const expireTime = timed.now + 5_000
  brings(timed, { expireTime }).accepted()
  timed.wait(5_000).includes({ type: 'OrderCancelled', order: 1, reason: 'expired' }, ...bothEnd)
})

test('a level is cancelled by itself, and the others stay (TRIG-13)', () => {
  const scene = standing()
  scene.cancel('A', 2).emits({ type: 'OrderCancelled', order: 2, reason: 'owner' })
  scene.ask('B', 300, 61_000)
  const outcome = scene.mark(BTC, 61_000)
  assert.deepEqual(
    outcome.all('StopArmed').map(({ order }) => order),
    [3],
  )
})

test('the order of a stop is refused, and its levels end (TRIG-13)', () => {
  const scene = given({ ...free, funds: { ...funds, A: 10 ** 6 } })
  brings(scene, {}, { limitPrice: 61_500 }).accepted()
  const refused = { type: 'OrderCancelled', order: 1, reason: 'refused' } as const
  const rejection = codeOf('INSUFFICIENT_BALANCE')
  scene.mark(BTC, 61_000).includes({ ...refused, rejection }, ...bothEnd)
})

test('levels wait with the order of their stop, and follow its edit (TRIG-13)', () => {
  const scene = standing(bumped, {}, { limitPrice: 61_500 })
  const placed = scene.mark(BTC, 61_000).one('OrderPlaced')
  assert.equal(scene.state.triggers.get(2)?.parent, placed.order)
  comesBack(scene)
  scene.wait(200).includes({ type: 'OrderRested', order: placed.order })
  const change = { market: BTC, order: placed.order, clientOrderId: null, price: 61_400, size: 300 }
  const edited = scene.own('A', 'EditOrder', change).one('OrderPlaced')
  assert.equal(scene.state.triggers.get(2)?.parent, edited.order)
  scene.cancel('A', edited.order).includes(...bothEnd)
})

test('levels that replace those of the position (TRIG-5, TRIG-13)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const old = { market: BTC, side: 'bid', takeProfit: levelAt(64_000) }
  const { order } = scene.own('A', 'SetPositionTpsl', old).one('StopPlaced')
  brings(scene).accepted()
  scene.ask('B', 300, 61_000)
  scene
    .mark(BTC, 61_000)
    .includes(
      { type: 'OrderCancelled', order, reason: 'replaced' },
      { type: 'StopArmed', order: order + 2 },
    )
})

test('a stop that trails brings levels of any price (TRIG-11, TRIG-13)', () => {
  const scene = given(free)
  const trail = { distance: 500, ppm: null, activation: null }
  const more = { takeProfit: [levelAt(40_000), levelAt(70_000)], stopLoss: levelAt(80_000) }
  brings(scene, more, { stopPrice: 0, trail }).accepted()
  brings(scene, { takeProfit: levelAt(1_000_001) }, { stopPrice: 0, trail }).refused(
    'INVALID_STOP_TICK',
    0,
    0,
  )
})

test('levels of a stop that are refused (TRIG-13)', () => {
  const scene = given(free)
  const twice = { clientOrderId: 'twice' }
  const many = Array.from({ length: 6 }, () => levelAt(63_000))
  const trailing = { trail: { distance: 500, ppm: null, activation: null } }
  brings(scene, { takeProfit: levelAt(63_000, { triggerBy: 'moon' }) }).refused(
    'INVALID_ORDER_TYPE',
  )
  brings(scene, { takeProfit: levelAt(0, trailing) }).refused('INVALID_ORDER_TYPE')
  brings(scene, { stopLoss: levelAt(60_000, twice) }, twice).refused('DUPLICATE_CLIENT_ORDER_ID')
  brings(scene, { takeProfit: many }).refused('POSITION_TPSL_LIMIT_EXCEEDED', 6, 5)
  brings(scene, { takeProfit: levelAt(61_000) }).refused('INVALID_STOP_TICK', 61_000, 61_000)
  brings(scene, { stopLoss: levelAt(61_001) }).refused('INVALID_STOP_TICK', 61_001, 61_000)
  brings(scene, { stopLoss: levelAt(61_200) }, { limitPrice: 61_100 }).refused(
    'INVALID_STOP_TICK',
    61_200,
    61_100,
  )
  brings(scene, { takeProfit: levelAt(63_000, { size: 301 }) }).refused(
    'INVALID_STOP_ORDER_AMOUNT',
    301,
    300,
  )
  brings(scene, { reduceOnly: true }).refused('INVALID_STOP_ORDER_REDUCE_ONLY')
  brings(scene, { reduceOnly: true }, { size: null }).refused('INVALID_STOP_ORDER_REDUCE_ONLY')
  brings(scene, { takeProfit: [], stopLoss: null, reduceOnly: true }).accepted()
  for (let n = 0; n < 15; n++)
    scene.stop('B', 'ask', levelAt(0, { size: 10, ...trailing })).accepted()
  const five = Array.from({ length: 5 }, () => levelAt(0, trailing))
  const own = { stopLoss: five, takeProfit: null }
  scene
    .stop('B', 'bid', levelAt(0, { size: 10, ...trailing }), own)
    .refused('OPEN_ORDER_LIMIT_REACHED', 15, 20)
  scene.stop('B', 'bid', levelAt(61_000, { size: 10 }), own).accepted()
})

test('a key with a policy that is revoked takes stop and levels with it (ACCT-9, TRIG-13)', () => {
  const scene = given(free)
  const policy = { ...anything, markets: [BTC] }
  scene.own('A', 'BindAgent', { agent: 'key', scopes: ['trade'], policy, ips: null }).accepted()
  brings(scene, { proof: proofOf('one', scene.now, { agent: 'key' }) }).accepted()
  scene
    .own('A', 'RevokeAgent', { agent: 'key' })
    .includes({ type: 'OrderCancelled', order: 1, reason: 'owner' }, ...bothEnd)
})

test('a batch that waits keeps a stop with its levels (ORDER-10, TRIG-13)', () => {
  const scene = given(bumped)
  const own = { account: scene.id('A'), proof: null, market: BTC }
  const stop = { type: 'PlaceStop', ...own, side: 'bid', reduceOnly: false, ...exits }
  const taker = { side: 'bid', size: 100, slippagePpm: 10_000, reduceOnly: false }
  const market = { type: 'PlaceMarketOrder', ...own, ...taker, clientOrderId: null }
  scene.ask('B', 100, 60_000)
  scene.wait(500)
  const actions = [
    { ...market, takeProfit: null, stopLoss: null },
    { ...stop, level: levelAt(61_000, { size: 300 }) },
  ]
  scene.own('A', 'Batch', { actions }).includes({ type: 'ActionDeferred' })
  comesBack(scene)
  const placed = scene.wait(200).all('StopPlaced')
  assert.equal(placed.length, 3)
  assert.deepEqual(
    placed.map(({ parent }) => parent === 0),
    [true, false, false],
  )
})
