// docs/rules/triggers.md through both engines: stops, levels, attached levels, TWAPs, scheduled
// cancels.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  codeOf,
  ETH,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  proofOf,
  type Scene,
  START,
} from '../support/scene.ts'

const funds = { A: 10 ** 11, B: 10 ** 11, C: 10 ** 11 }
const free = { tiers: freeTiers, funds }
/** A price that outlives the slices of half a minute. */
const patient = { staleAfterMs: 60_000 }

const tpsl = (scene: Scene, more: Record<string, unknown>) => {
  return scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', ...more })
}

test('a bid stop fires up and an ask stop down, at the price itself (TRIG-1)', () => {
  const scene = given(free)
  const [up, down] = ['bid', 'ask'] as const
  scene.stop('A', up, levelAt(60_500, { size: 100 }))
  scene.stop('A', down, levelAt(59_500, { size: 100 }))
  scene.mark(BTC, 60_499).lacks('StopTriggered')
  scene.mark(BTC, 60_500).includes({ type: 'StopTriggered', order: 1, price: 60_500 })
  scene.mark(BTC, 59_501).lacks('StopTriggered')
  scene.mark(BTC, 59_500).includes({ type: 'StopTriggered', order: 2, price: 59_500 })
})

test('take-profit and stop-loss of a short are the other way round (TRIG-1)', () => {
  const scene = given(free)
  scene.sells('A', 'B', 100, 60_000)
  const levels = { side: 'ask', takeProfit: levelAt(59_000), stopLoss: levelAt(61_000) }
  tpsl(scene, levels).emits(
    { type: 'StopPlaced', side: 'bid', orderType: 'take_profit_market' },
    { type: 'StopPlaced', side: 'bid', orderType: 'stop_loss_market' },
  )
  scene.bid('B', 200, 55_000)
  scene.ask('B', 200, 59_000)
  scene
    .mark(BTC, 59_000)
    .includes({ type: 'StopTriggered', order: 3 }, { type: 'Traded', lots: 100 })
})

test('a stop by last price knows trades only, and none before the first (TRIG-1)', () => {
  const scene = given(free)
  const byLast = { triggerBy: 'last', size: 100 }
  scene.stop('A', 'bid', levelAt(1, byLast)).accepted()
  scene.mark(BTC, 61_000).lacks('StopTriggered')
  scene.mark(BTC, 60_000)
  scene.buys('B', 'C', 100, 60_000).lacks('StopTriggered')
  scene.mark(BTC, 60_000).includes({ type: 'StopTriggered', order: 1, price: 60_000 })
  scene.stop('A', 'bid', levelAt(60_000, byLast)).refused('INVALID_STOP_TICK', 60_000, 60_000)
})

test('a stop whose condition is true, or whose prices are invalid, is refused (TRIG-2)', () => {
  const scene = given(free)
  const size = { size: 100 }
  scene.stop('A', 'bid', levelAt(60_000, size)).refused('INVALID_STOP_TICK', 60_000, 60_000)
  scene.stop('A', 'ask', levelAt(60_001, size)).refused('INVALID_STOP_TICK', 60_001, 60_000)
  scene.stop('A', 'bid', levelAt(0, size)).refused('INVALID_STOP_TICK', 0, 0)
  const limited = levelAt(61_000, { ...size, limitPrice: 1_000_001 })
  scene.stop('A', 'bid', limited).refused('INVALID_STOP_TICK', 0, 0)
  scene.stop('A', 'bid', levelAt(61_000, { size: 0 })).refused('INVALID_STOP_ORDER_AMOUNT', 0, 0)
  scene.stop('A', 'bid', levelAt(61_000, { size: -7 })).refused('INVALID_STOP_ORDER_AMOUNT', -7, 0)
  scene.stop('A', 'bid', levelAt(61_000)).refused('INVALID_STOP_ORDER_AMOUNT', 0, 0)
  const never = levelAt(61_000, { ...size, triggerBy: 'index' })
  scene.stop('A', 'bid', never).refused('INVALID_ORDER_TYPE')
  scene.stop('A', 'bid', levelAt(61_000), { reduceOnly: true }).emits({
    ...{ type: 'StopPlaced', orderType: 'stop_market', size: 0, limitPrice: 0, parent: 0 },
    ...{ armed: true, reduceOnly: true, triggerBy: 'mark' },
  })
  assert.equal(scene.position('A'), undefined)
})

test('levels of a position are checked both before either is set (TRIG-2)', () => {
  const scene = given(free)
  const takeProfit = levelAt(61_000, { clientOrderId: 'tp' })
  tpsl(scene, { takeProfit }).refused('POSITION_NOT_FOUND')
  scene.buys('A', 'B', 100, 60_000)
  tpsl(scene, { takeProfit, stopLoss: levelAt(60_000) }).refused(
    'INVALID_STOP_TICK',
    60_000,
    60_000,
  )
  tpsl(scene, { takeProfit, side: 'ask' }).refused('INVALID_STOP_ORDER_SIDE')
  const much = { takeProfit, stopLoss: levelAt(59_000, { size: 101 }) }
  tpsl(scene, much).refused('INVALID_STOP_ORDER_AMOUNT', 101, 100)
  const twice = { takeProfit, stopLoss: levelAt(59_000, { clientOrderId: 'tp' }) }
  tpsl(scene, twice).refused('DUPLICATE_CLIENT_ORDER_ID')
  assert.deepEqual(scene.account('A').orders, [])
})

test('each stop and level reports its type, and so does its order (TRIG-2, TRIG-3)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const limited = (stopPrice: number) => levelAt(stopPrice, { size: 10, limitPrice: stopPrice })
  scene.stop('A', 'bid', limited(61_000)).emits({ type: 'StopPlaced', orderType: 'stop_limit' })
  const levels = { takeProfit: limited(60_500), stopLoss: limited(59_000) }
  tpsl(scene, levels).emits(
    { type: 'StopPlaced', orderType: 'take_profit_limit' },
    { type: 'StopPlaced', orderType: 'stop_loss_limit' },
  )
  scene.mark(BTC, 60_600).includes({ type: 'OrderPlaced', orderType: 'limit', origin: 'trigger' })
  scene.bid('B', 10, 60_400, { tif: 'ALO' })
  scene.take('A', 'ask', 10).includes({ type: 'OrderPlaced', orderType: 'market' })
})

test('a level given replaces, null removes, absent stays (TRIG-2)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const takeProfit = levelAt(61_000, { clientOrderId: 'tp' })
  tpsl(scene, { takeProfit, stopLoss: levelAt(59_000) }).emits(
    {
      type: 'StopPlaced',
      order: 3,
      orderType: 'take_profit_market',
      side: 'ask',
      reduceOnly: true,
      armed: true,
    },
    { type: 'StopPlaced', order: 4, orderType: 'stop_loss_market' },
  )
  // Its client id may be that of the very level it replaces.
  tpsl(scene, { takeProfit: { ...takeProfit, stopPrice: 62_000 } }).emits(
    { type: 'OrderCancelled', order: 3, reason: 'replaced' },
    { type: 'StopPlaced', order: 5, clientOrderId: 'tp' },
  )
  tpsl(scene, { stopLoss: null }).emits({ type: 'OrderCancelled', order: 4, reason: 'owner' })
  tpsl(scene, {}).emits()
  assert.deepEqual(scene.position('A')?.takeProfit, [5])
})

test('a fired stop becomes an order with a new id, its own as parent (TRIG-3)', () => {
  const scene = given(free)
  const limited = { size: 100, limitPrice: 60_400, clientOrderId: 'mine' }
  scene.stop('A', 'bid', levelAt(60_500, limited))
  scene.mark(BTC, 60_500).emits(
    { type: 'MarkUpdated' },
    { type: 'StopTriggered', order: 1, account: scene.id('A'), market: BTC, price: 60_500 },
    {
      ...{ type: 'OrderPlaced', order: 2, parent: 1, origin: 'trigger', tif: 'GTC' },
      ...{ price: 60_400, clientOrderId: 'mine' },
    },
    { type: 'OrderRested', order: 2 },
  )
})

test('a fired stop that is refused ends with the rejection (TRIG-3)', () => {
  const scene = given({ ...free, funds: { ...funds, D: 1_000_000 } })
  scene.stop('D', 'bid', levelAt(60_500, { size: 1_000, limitPrice: 60_500 }))
  scene.stop('A', 'ask', levelAt(59_500), { reduceOnly: true })
  const refused = (outcome: Outcome, order: number, rejection: number, remaining: number) => {
    outcome.includes(
      { type: 'StopTriggered', order },
      { type: 'OrderCancelled', order, remaining, reason: 'refused', rejection },
    )
  }
  refused(scene.mark(BTC, 60_500), 1, codeOf('INSUFFICIENT_BALANCE'), 1_000)
  refused(scene.mark(BTC, 59_500), 2, codeOf('NO_POSITION_FOR_REDUCE_ONLY_ORDER'), 0)
  scene.sells('A', 'B', 100, 60_000)
  scene.stop('A', 'ask', levelAt(59_000), { reduceOnly: true })
  refused(scene.mark(BTC, 59_000), 5, codeOf('INVALID_REDUCE_ONLY_ORDER_SIDE'), 0)
})

test('orders of triggers wait at the speed bump, whatever price woke them (TRIG-3)', () => {
  const scene = given({ ...free, market: { speedBumpMs: 200 } })
  scene.run({ type: 'SetClockFrozen', frozen: true })
  scene.stop('A', 'bid', levelAt(60_500, { size: 100, limitPrice: 60_000 }))
  scene.stop('A', 'bid', levelAt(60_100, { size: 100, limitPrice: 60_000, triggerBy: 'last' }))
  scene.ask('B', 100, 60_100)
  scene.run({ type: 'SetClockFrozen', frozen: false })
  scene.mark(BTC, 60_500).includes({ type: 'OrderPlaced', parent: 1, waiting: true })
  scene.bid('C', 100, 60_100)
  scene.wait(200).includes({ type: 'Traded', price: 60_100 })
  scene.mark(BTC, 60_100).includes({ type: 'OrderPlaced', parent: 2, waiting: true })
})

test('a trigger of a market that is not lively waits for it (TRIG-3)', () => {
  const scene = given(free)
  scene.stop('A', 'bid', levelAt(60_500, { size: 100 }))
  scene.run({ type: 'EngineStarted' })
  for (let n = 0; n < 4; n++) scene.mark(BTC, 61_000).lacks('StopTriggered')
  scene.mark(BTC, 61_000).includes({ type: 'FeedHealthChanged' }, { type: 'StopTriggered' })
})

test('a position has one take-profit and one stop-loss; firing removes it (TRIG-4)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  tpsl(scene, { takeProfit: levelAt(61_000, { size: 40 }), stopLoss: levelAt(59_000) })
  scene.bid('B', 100, 61_000)
  scene
    .mark(BTC, 61_000)
    .includes(
      { type: 'StopTriggered', order: 3 },
      { type: 'OrderPlaced', size: 40, reduceOnly: true, side: 'ask' },
      { type: 'Traded', lots: 40, takerClosed: 40, takerLots: 60 },
    )
  const { takeProfit, stopLoss } = scene.position('A')!
  assert.deepEqual([takeProfit, stopLoss], [[], [4]])
  const exclude = { market: BTC, excludeReduceOnly: true }
  scene.own('A', 'CancelAllOrders', exclude).emits({ type: 'AllOrdersCancelled', count: 0 })
  scene.cancel('A', 4).emits({ type: 'OrderCancelled', order: 4, reason: 'owner' })
})

test('attached levels lie on their sides of the order’s price (TRIG-5)', () => {
  const scene = given(free)
  const bid = (more: Record<string, unknown>) => scene.bid('A', 100, 59_000, more)
  bid({ takeProfit: levelAt(59_000) }).refused('INVALID_STOP_TICK', 59_000, 59_000)
  bid({ stopLoss: levelAt(59_000) }).refused('INVALID_STOP_TICK', 59_000, 59_000)
  bid({ takeProfit: levelAt(0.5) }).refused('INVALID_STOP_TICK', 0, 0)
  bid({ takeProfit: levelAt(61_000, { size: 101 }) }).refused('INVALID_STOP_ORDER_AMOUNT', 101, 100)
  const index = levelAt(61_000, { triggerBy: 'index' })
  bid({ takeProfit: index }).refused('INVALID_ORDER_TYPE')
  scene.ask('A', 100, 61_000, { takeProfit: levelAt(60_999) }).accepted()
})

test('attached levels are armed by fills and replace the position’s own (TRIG-5)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  tpsl(scene, { takeProfit: levelAt(63_000) })
  scene.bid('A', 100, 59_000, { takeProfit: levelAt(62_000), stopLoss: levelAt(58_000) })
  // Unarmed ones are live orders, but nothing is evaluated.
  assert.deepEqual(scene.account('A').orders, [3, 4, 5, 6])
  scene
    .ask('B', 100, 59_000)
    .includes(
      { type: 'OrderCancelled', order: 3, reason: 'replaced' },
      { type: 'StopArmed', order: 5, size: 0 },
      { type: 'StopArmed', order: 6, size: 0 },
    )
  assert.deepEqual([scene.position('A')?.takeProfit, scene.position('A')?.stopLoss], [[5], [6]])
})

test('levels of an order that ends without a fill end with it (TRIG-5)', () => {
  const scene = given(free)
  scene.bid('A', 100, 59_000, { takeProfit: levelAt(62_000), stopLoss: levelAt(58_000) })
  scene
    .cancel('A', 1)
    .emits(
      { type: 'OrderCancelled', order: 1, reason: 'owner' },
      { type: 'OrderCancelled', order: 2, reason: 'parent_ended' },
      { type: 'OrderCancelled', order: 3, reason: 'parent_ended' },
    )
})

const plan = { market: BTC, side: 'bid', size: 1_000, slippagePpm: 10_000, durationSeconds: 60 }
const twap = (scene: Scene, more: Record<string, unknown> = {}) => {
  return scene.own('A', 'PlaceTwap', { ...plan, reduceOnly: false, clientOrderId: null, ...more })
}

test('a TWAP is checked as a whole (TRIG-6)', () => {
  const scene = given(free)
  twap(scene, { size: 0 }).refused('INVALID_AMOUNT', 0)
  twap(scene, { slippagePpm: -1 }).refused('INVALID_AMOUNT', -1)
  twap(scene, { side: 'long' }).refused('INVALID_ORDER_TYPE')
  twap(scene, { reduceOnly: true }).refused('NO_POSITION_FOR_REDUCE_ONLY_ORDER')
  // ⌊5 ÷ 3⌋ lots of 600,000
  twap(scene, { size: 5 }).refused('TWAP_SUB_ORDER_AMOUNT', 600_000, 1_000_000)
  twap(scene, { durationSeconds: 59 }).refused('TWAP_DURATION', 59, 60, 86_400)
  twap(scene, { durationSeconds: 86_401 }).refused('TWAP_DURATION', 86_401, 60, 86_400)
  twap(scene, { durationSeconds: 60.5 }).refused('TWAP_DURATION', 0, 60, 86_400)
  twap(scene, { clientOrderId: 'slow' }).emits({
    ...{ type: 'AlgoPlaced', kind: 'twap', order: 1, slices: 3 },
  })
  twap(scene, { clientOrderId: 'slow' }).refused('TWAP_CLIENT_ORDER_ID_IN_USE')
  for (let n = 0; n < 4; n++) twap(scene).accepted()
  twap(scene).refused('TWAP_LIMIT_REACHED', 5)
  twap(scene, { market: ETH, size: 1_000 }).accepted()
})

test('a TWAP is cancelled by its owner, by id or client id (TRIG-6)', () => {
  const scene = given(free)
  twap(scene, { clientOrderId: 'slow' })
  const cancel = (order: number | null, clientOrderId: string | null) => {
    return scene.own('A', 'CancelTwap', { market: BTC, order, clientOrderId })
  }
  cancel(9, null).refused('TWAP_NOT_FOUND', 9)
  cancel(null, null).refused('TWAP_NOT_FOUND', 0)
  const ended = { algo: 1, filled: 0, reason: 'owner' } as const
  cancel(null, 'slow').emits({ type: 'AlgoEnded', ...ended })
})

test('a slice is a market order of the TWAP, and its fills count (TRIG-6)', () => {
  const scene = given({ ...free, market: patient })
  scene.ask('B', 400, 60_000)
  twap(scene)
  scene
    .run({ type: 'Tick' })
    .emits(
      { type: 'AlgoStepped', algo: 2, step: 1, lots: 333, rejection: 0 },
      { type: 'OrderPlaced', origin: 'algo', parent: 2, tif: 'IOC', size: 333, price: 60_600 },
      { type: 'Traded', lots: 333 },
      { type: 'AlgoFilled', algo: 2, lots: 333, filled: 333, filledValue: 333 * 60_000 * 10 },
    )
  scene
    .wait(30_000)
    .includes({ type: 'AlgoStepped', step: 2, lots: 333 }, { type: 'Traded', lots: 67 })
  const rejection = codeOf('NO_REASONABLE_PRICE')
  scene.revive(BTC)
  scene
    .wait(30_000)
    .includes(
      { type: 'AlgoStepped', step: 3, lots: 600, rejection },
      { type: 'AlgoEnded', filled: 400, reason: 'finished' },
    )
})

test('a reduce-only TWAP orders no more than the opposing position (TRIG-6)', () => {
  const scene = given({ ...free, market: patient })
  scene.sells('A', 'B', 1_000, 60_000)
  twap(scene, { reduceOnly: true })
  scene.buys('A', 'B', 900, 60_000)
  scene.wait(30_000).includes({ type: 'AlgoStepped', step: 2, lots: 100 })
  scene.buys('A', 'B', 100, 60_000)
  scene.wait(30_000).includes({ type: 'AlgoStepped', step: 3, lots: 0, rejection: 0 })
})

test('a cancel is scheduled at least 5 seconds ahead; a new one replaces it (TRIG-7)', () => {
  const scene = given(free)
  const at = (time: number | null, keepProtective = false) => {
    return scene.own('A', 'ScheduleCancel', { time, keepProtective })
  }
  at(START + 4_999).refused('INVALID_TIME', START + 4_999, START + 5_000)
  at(0.5).refused('INVALID_TIME', 0, START + 5_000)
  at(START + 5_000).emits({ type: 'CancelScheduled', time: START + 5_000, keepProtective: false })
  at(START + 6_000, true).accepted()
  scene.bid('A', 100, 59_000)
  scene.wait(5_000).lacks('OrderCancelled')
  at(null).emits({ type: 'CancelScheduled', time: 0 })
  scene.wait(1_000).lacks('OrderCancelled')
})

test('at its time orders end, protective ones stay if wished, and TWAPs end (TRIG-7)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  scene.bid('A', 100, 59_000, { takeProfit: levelAt(61_000) })
  scene.ask('A', 50, 62_000, { reduceOnly: true })
  const stop = scene.stop('A', 'ask', levelAt(58_000), { reduceOnly: true }).one('StopPlaced').order
  const id = twap(scene).one('AlgoPlaced').order
  scene.own('A', 'ScheduleCancel', { time: START + 5_000, keepProtective: true })
  const outcome = scene.wait(5_000)
  outcome.includes(
    { type: 'OrderCancelled', order: 3, reason: 'scheduled' },
    // Its attached level is spared, but not without its order.
    { type: 'OrderCancelled', order: 4, reason: 'parent_ended' },
    { type: 'OrderCancelled', order: 5, reason: 'scheduled' },
    { type: 'AllOrdersCancelled', count: 3 },
    { type: 'AlgoEnded', algo: id, reason: 'owner' },
  )
  assert.deepEqual(scene.account('A').orders, [stop])
})

test('a scheduled cancel moved to and fro leaves a bounded queue, and comes once (TRIG-7)', () => {
  const scene = given({ funds })
  scene.bid('A', 1_000, 50_000)
  const at = (time: number) =>
    scene.own('A', 'ScheduleCancel', { time: scene.now + time, keepProtective: false })
  scene.quietly(() => {
    for (let n = 0; n < 3_000; n++) at(n % 2 === 0 ? 60_000 : 100_000 + n)
  })
  assert.ok(scene.state.due.entries.length < 1_200, `${scene.state.due.entries.length}`)
  at(60_000)
  const outcome = scene.wait(60_000)
  assert.equal(outcome.all('AllOrdersCancelled').length, 1)
  assert.equal(scene.wait(60_000).all('AllOrdersCancelled').length, 0)
})

test('case 32: the worst price of a fired market stop (TRIG-8)', () => {
  const row = worked('triggers', 32)
  const [leverageMax, mark = 0, slippagePpm] = row.given()
  const worst = (side: 'bid' | 'ask', more = {}) => {
    const scene = given({ ...free, market: { leverageMax } })
    scene.mark(BTC, side === 'bid' ? mark - 1 : mark + 1)
    scene.stop('A', side, levelAt(mark, { size: 100, ...more })).accepted()
    return scene.mark(BTC, mark).one('OrderPlaced').price
  }
  row.says(
    worst('bid'),
    worst('ask'),
    ...[{ slippagePpm }].flatMap((own) => [worst('bid', own), worst('ask', own)]),
  )
})

test('case 33: a late TWAP catches up, three times its plan at most (TRIG-8)', () => {
  const row = worked('triggers', 33)
  const [size = 0, durationSeconds = 0, alone = 0] = row.given()
  const scene = given({ ...free, markets: ['BTC'] })
  const { slices } = twap(scene, { size, durationSeconds }).one('AlgoPlaced')
  const sizes: number[] = []
  const note = (outcome: Outcome) => {
    for (const { lots, rejection } of outcome.all('AlgoStepped')) {
      sizes.push(lots)
      const vain = sizes.length <= alone
      assert.equal(rejection, vain ? codeOf('NO_REASONABLE_PRICE') : 0)
    }
  }
  note(scene.run({ type: 'Tick' }))
  for (let slice = 2; slice <= slices; slice++) {
    if (slice === alone + 1) scene.ask('B', size, 60_000)
    for (let n = 0; n < 5; n++) note(scene.later(6_000).mark(BTC, 60_000))
  }
  row.says(slices, ...sizes)
  assert.equal(scene.held('A')[0], size)
})

test('case 34: triggers fire nearest to the old price first, then by id (TRIG-8)', () => {
  const row = worked('triggers', 34)
  const [before = 0, after = 0, ...stops] = row.given()
  const scene = given(free)
  scene.mark(BTC, before)
  for (const stop of stops) scene.stop('A', 'bid', levelAt(stop, { size: 100 })).accepted()
  const ids = scene
    .mark(BTC, after)
    .all('StopTriggered')
    .map(({ order }) => order)
  row.says(...ids.map((id) => stops[id - 1]), ...ids)
})

test('case 35: half ticks of the mid count (TRIG-8)', () => {
  const row = worked('triggers', 35)
  const [bid = 0, ask = 0, low = 0, high = 0] = row.given()
  const scene = given({ ...free, market: { impactValue: 10_000_000 } })
  scene.bid('B', 100, bid)
  const { order } = scene.ask('B', 100, ask).one('OrderPlaced')
  scene.later(1_000).mark(BTC, 60_000)
  const byMid = { triggerBy: 'mid', size: 100 }
  const refusal = scene.stop('A', 'bid', levelAt(low, byMid)).one('CommandRejected')
  scene.stop('A', 'bid', levelAt(high, byMid)).accepted()
  scene.ask('B', 100, 60_003)
  scene.cancel('B', order).lacks('StopTriggered')
  scene.mark(BTC, 60_000).lacks('StopTriggered')
  const { price } = scene.later(1_000).mark(BTC, 60_000).one('StopTriggered')
  row.names(refusal.rejection)
  row.says(refusal.first, refusal.second, 60_003, price)
})

test('case 36: an attached level grows with its order’s fills, up to its size (TRIG-8)', () => {
  const row = worked('triggers', 36)
  const [size = 0, wanted = 0, ...fills] = row.given()
  const scene = given(free)
  scene.bid('A', size, 59_000, { takeProfit: levelAt(62_000, { size: wanted }) })
  const armed = fills.flatMap((lots) => scene.ask('B', lots, 59_000).all('StopArmed'))
  row.says(...armed.map((each) => each.size))
})

const arm = (scene: Scene, connection: string, more = {}) => {
  return scene.own('A', 'ArmConnection', { connection, keepProtective: true, ...more })
}
const ends = (scene: Scene, connection: string, name = 'A') => {
  return scene.run({ type: 'EndConnection', account: scene.id(name), connection })
}

test('the end of an armed connection cancels once, except protective orders (TRIG-9)', () => {
  const scene = given({ funds })
  const account = scene.id('A')
  scene.bid('A', 100, 59_000)
  scene.stop('A', 'ask', levelAt(50_000), { reduceOnly: true })
  twap(scene)
  arm(scene, 'one').includes({ type: 'ConnectionArmed', account, connection: 'one' })
  ends(scene, 'two').refused('NOT_ARMED')
  ends(scene, 'one', 'B').refused('NOT_ARMED')
  ends(scene, 'one').emits(
    { type: 'ConnectionEnded', account, connection: 'one', cancels: true },
    { type: 'OrderCancelled', order: 1, reason: 'disconnected' },
    { type: 'AllOrdersCancelled', account, count: 1 },
    { type: 'AlgoEnded', account, reason: 'owner' },
  )
  ends(scene, 'one').refused('NOT_ARMED')
  arm(scene, 'one', { keepProtective: false })
  ends(scene, 'one').includes({ type: 'OrderCancelled', order: 2, reason: 'disconnected' })
  arm(scene, 'one')
  const disarm = { type: 'DisarmConnection', account, connection: 'one' } as const
  scene.run(disarm).emits({ type: 'ConnectionDisarmed', account, connection: 'one' })
  scene.run(disarm).refused('NOT_ARMED')
  ends(scene, 'one').refused('NOT_ARMED')
  scene.run({ ...disarm, account: 99 }).refused('ACCOUNT_NOT_FOUND', 99)
})

test('arming is checked like an order, and an agent’s again when it fires (TRIG-9)', () => {
  const scene = given({ funds })
  let texts = 0
  const by = (agent: string | null, ip = '10.0.0.1') => {
    texts += 1
    return { proof: proofOf(`text-${texts}`, scene.now, { agent, ip }) }
  }
  const allow = (enabled: boolean) => scene.own('A', 'SetAgentIpFilter', { agent: 'bot', enabled })
  arm(scene, 'one', by('bot')).refused('AGENT_NOT_ALLOWED', 1)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['margin'] })
  arm(scene, 'one', by('bot')).refused('AGENT_NOT_ALLOWED', 3)
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  const proof = by('bot')
  arm(scene, 'one', proof).includes({ type: 'ConnectionArmed' })
  arm(scene, 'one', proof).refused('REPLAYED')
  scene.bid('A', 100, 59_000)
  allow(true)
  arm(scene, 'two', by('bot')).refused('AGENT_NOT_ALLOWED', 5)
  ends(scene, 'one').emits({ type: 'ConnectionEnded', connection: 'one', cancels: false })
  scene.own('A', 'AllowAgentIp', { agent: 'bot', ip: '10.0.0.1' })
  arm(scene, 'one', by('bot')).accepted()
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['margin'] })
  ends(scene, 'one').emits({ type: 'ConnectionEnded', connection: 'one', cancels: false })
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  for (const connection of ['one', 'two']) arm(scene, connection, by('bot')).accepted()
  ends(scene, 'one').includes({ type: 'OrderCancelled', order: 1, reason: 'disconnected' })
  scene.own('A', 'RevokeAgent', { agent: 'bot' })
  scene.own('A', 'BindAgent', { agent: 'bot', scopes: ['trade'] })
  ends(scene, 'two').refused('NOT_ARMED')
})

test('the number of armed connections of a signer is limited (TRIG-9)', () => {
  const scene = given({ funds })
  const by = (agent: string, text: string) => ({ proof: proofOf(text, scene.now, { agent }) })
  for (const agent of ['bot', 'other']) scene.own('A', 'BindAgent', { agent, scopes: ['trade'] })
  for (let n = 1; n <= 4; n++) arm(scene, `bot-${n}`, by('bot', `text-${n}`)).accepted()
  arm(scene, 'bot-5', by('bot', 'text-5')).refused('LIMIT_REACHED', 4)
  arm(scene, 'bot-4', by('bot', 'text-6')).accepted()
  arm(scene, 'bot-5', by('other', 'text-7')).accepted()
  for (let n = 1; n <= 16; n++) arm(scene, `own-${n}`).accepted()
  arm(scene, 'own-17').refused('LIMIT_REACHED', 16)
  arm(scene, '').refused('LIMIT_REACHED', 16)
  ends(scene, 'own-1')
  arm(scene, '').refused('INVALID_PARAMETER', 0)
  arm(scene, 'own-17').accepted()
  scene
    .run({ type: 'ArmConnection', account: 2, proof: null, connection: 'x' })
    .refused('UNSUPPORTED_OPERATION')
})
