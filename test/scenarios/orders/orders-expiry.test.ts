// docs/rules/orders.md, ORDER-14, through both engines: an expired order does not trade, whichever
// command comes first, and however many expire together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../../src/core/engine.ts'
import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { firstRules } from '../../../src/core/rules/first-rules.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import {
  BTC,
  freeTiers,
  given,
  levelAt,
  Outcome,
  type Scene,
  type Setting,
  START,
} from '../../support/scene.ts'
import { setLimits } from '../../support/trial-rules.ts'

const funds = { A: 10 ** 12, B: 10 ** 12, C: 10 ** 12 }
const free = { tiers: freeTiers, funds, markets: ['BTC'] }
const bumped = { ...free, market: { speedBumpMs: 200 } }
const tick = { type: 'Tick' } as const

const at = (ms: number) => ({ expireTime: START + ms })
type Reason = EventOf<'OrderCancelled'>['reason']
const ended = (order: number, reason: Reason = 'expired') => {
  return { type: 'OrderCancelled', order, reason } as const
}

/** This many bids of A that expire at the same time. */
function crowd(scene: Scene, ms: number, count: number): void {
  scene.quietly(() => {
    for (let n = 0; n < count; n++) scene.bid('A', 10, 59_000, { tif: 'ALO', ...at(ms) })
  })
}

/** Where a command ends two, of which these are the first: whatever comes later is left over. */
function scarce(setting: Setting, work: (scene: Scene) => void): void {
  const { expiriesPerCommand } = firstRules.limits
  setLimits({ expiriesPerCommand: 2 })
  const scene = given(setting)
  crowd(scene, 10_000, 2)
  work(scene)
  setLimits({ expiriesPerCommand })
}

/** That much later than the start, with a price that is young enough. */
function later(scene: Scene, ms: number): void {
  scene.now = START + ms - 1
  scene.mark(BTC, 60_000)
  scene.now = START + ms
}

test('case 230: a bid ends before the ask that waited for its moment (ORDER-11, ORDER-14)', () => {
  const row = worked('orders', 230)
  const [size = 0, price = 0, time = 0, release = 0] = row.given()
  const scene = given(bumped)
  scene
    .bid('A', size, price, { tif: 'ALO', ...at(time) })
    .emits(
      { type: 'ExpirySet', order: 1, account: scene.id('A'), market: BTC, time: START + time },
      { type: 'OrderPlaced', order: 1 },
      { type: 'OrderRested' },
    )
  later(scene, release - 200)
  scene.ask('B', size, price, { tif: 'IOC' }).accepted()
  scene.wait(199).lacks('OrderCancelled')
  const outcome = scene.wait(1).includes(ended(1), ended(2))
  row.names(...outcome.all('OrderCancelled').map(({ reason }) => reason))
  row.says(scene.now - START, outcome.all('Traded').length)
})

test('case 231: of orders that expire together none trades (ORDER-11, ORDER-14, CORE-3)', () => {
  const row = worked('orders', 231)
  const [count = 0, price = 0, time = 0, now = 0] = row.given()
  const scene = given(free)
  crowd(scene, time, count)
  later(scene, now)
  const outcome = scene.ask('B', 10 * count, price)
  const types = outcome.types()
  const before = types.slice(0, types.indexOf('OrderPlaced'))
  const due = before.filter((type) => type === 'OrderCancelled').length
  const ends = outcome.all('OrderCancelled')
  row.names(...new Set(ends.map(({ reason }) => reason)))
  row.says(due, ends.length - due, outcome.all('Traded').length)
})

test('only resting orders have an expiry, at least a second ahead (ORDER-14)', () => {
  const scene = given(free)
  for (const tif of ['IOC', 'FOK'])
    scene.bid('A', 100, 59_000, { tif, ...at(5_000) }).refused('INVALID_ORDER_TYPE')
  scene.bid('A', 100, 59_000, { tif: 'FOK', ...at(0) }).refused('INVALID_ORDER_TYPE')
  const bid = (expireTime: unknown) => scene.bid('A', 100, 59_000, { expireTime })
  bid(START + 999).refused('INVALID_TIME', START + 999, START + 1_000)
  bid(START + 1_000.5).refused('INVALID_TIME', 0, START + 1_000)
  bid(0).refused('INVALID_TIME', 0, START + 1_000)
  bid(START + 1_000).accepted()
  bid(null).lacks('ExpirySet')
  scene.bid('A', 0, 59_000, at(0)).refused('INVALID_AMOUNT', 0)
  scene.bid('A', 1, 59_000, at(0)).refused('INVALID_TIME', START, START + 1_000)
  const level = levelAt(70_000, { size: 100 })
  scene.stop('A', 'bid', level, at(999)).refused('INVALID_TIME', START + 999, START + 1_000)
  scene.stop('A', 'bid', { ...level, triggerBy: 'x' as never }, at(0)).refused('INVALID_ORDER_TYPE')
  for (const tif of ['GTC', 'ALO', 'TOB']) scene.bid('B', 100, 58_000, { tif, ...at(1_000) })
  scene.wait(1_000).includes(ended(1), ended(3), ended(4), ended(5))
})

test('it ends in every mode of its market, and one that was cancelled not again (ORDER-14)', () => {
  const scene = given(free)
  scene.bid('A', 100, 59_000, at(2_000))
  scene.bid('A', 100, 59_000, at(2_000))
  scene.stop('B', 'ask', levelAt(50_000, { size: 100 }), at(3_000)).includes({ type: 'ExpirySet' })
  scene.cancel('A', 1)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'halted' })
  scene.wait(1_999).lacks('OrderCancelled')
  scene.wait(1).emits({ ...ended(2), levelLots: 0 })
  scene.wait(1_000).emits(ended(3))
  assert.equal(scene.state.expiries.size, 0)
})

test('scheduled cancels come before it at the same moment, changes after it (CORE-3)', () => {
  const scene = given({ ...free, market: { speedBumpMs: 5_000 } })
  const change = { type: 'ChangeMarket', market: BTC, change: { leverageMax: 20 } } as const
  scene.own('A', 'ScheduleCancel', { time: START + 5_000, keepProtective: false })
  scene.bid('A', 100, 59_000, { tif: 'ALO', ...at(5_000) })
  scene.bid('B', 100, 59_000, { tif: 'ALO', ...at(5_000) })
  scene.bid('C', 100, 59_000)
  scene.wait(5_000).includes(ended(1, 'scheduled'), ended(2), { type: 'OrderRested', order: 3 })
  scene.run(change)
  scene.bid('A', 100, 59_000, { tif: 'ALO', expireTime: scene.now + 86_400_000 })
  scene.wait(86_400_000).includes(ended(4), { type: 'MarketChanged' })
})

test('leftover expiries come first in the next command (CORE-3, CORE-5)', () => {
  const scene = given(free)
  crowd(scene, 10_000, 600)
  scene.own('A', 'ScheduleCancel', { time: START + 10_001, keepProtective: false })
  scene.now = START + 10_000
  const first = scene.run(tick).all('OrderCancelled')
  assert.deepEqual([first.length, first.at(-1)?.order], [512, 512])
  assert.equal(scene.view.hasWorkLeft, true)
  const encoded = encodeState(scene.state)
  const outcome = scene.wait(1)
  assert.equal(outcome.all('OrderCancelled').length, 88)
  assert.ok(outcome.all('OrderCancelled').every(({ reason }) => reason === 'expired'))
  assert.equal(outcome.one('AllOrdersCancelled').count, 0)
  assert.equal(scene.view.hasWorkLeft, false)
  // A snapshot in between changes nothing of that.
  const again = decodeState(encoded)
  apply(again, { seq: again.seq + 1, atMs: scene.now as never, command: tick }, new EventLog())
  assert.equal(tradingHash(again), tradingHash(scene.state))
})

test('leftover expiries come before leftover releases (CORE-3)', () => {
  const { releasesPerCommand } = firstRules.limits
  setLimits({ releasesPerCommand: 1 })
  scarce({ ...free, market: { speedBumpMs: 2_000 } }, (scene) => {
    later(scene, 7_000)
    // Due before the bids end, and still behind them.
    scene.bid('B', 10, 59_000).accepted()
    scene.bid('B', 10, 58_000).accepted()
    scene.bid('C', 10, 59_000, { tif: 'ALO', ...at(10_000) }).accepted()
    scene.now = START + 10_000
    scene.run(tick).includes({ type: 'OrderRested', order: 3 }, ended(1), ended(2))
    scene.wait(1).includes(ended(5), { type: 'OrderRested', order: 4 })
  })
  setLimits({ releasesPerCommand })
})

test('a FOK order skips expired orders (ORDER-2, ORDER-4, ORDER-14)', () => {
  const outcome = (size: number) => {
    let found = new Outcome([])
    scarce(free, (scene) => {
      scene.ask('B', 50, 60_010, at(10_000))
      scene.ask('A', 70, 60_010, at(10_000))
      scene.ask('C', 100, 60_010)
      later(scene, 10_000)
      found = scene.bid('A', size, 60_010, { tif: 'FOK' })
    })
    return found
  }
  outcome(101).includes(ended(1), ended(2), { type: 'OrderPlaced' }, ended(6)).lacks('Traded')
  // Nothing else has changed: those past their time are still there.
  assert.equal(outcome(101).all('OrderCancelled').length, 3)
  outcome(100).includes(ended(3), ended(4), { type: 'Traded', makerOrder: 5, lots: 100 })
})

test('expired orders reserve no margin when a FOK order is tried (ORDER-4, ORDER-14)', () => {
  // P has the margin for one of its asks at the present mark, and not for both.
  const outcome = (price: number) => {
    let found!: Outcome
    scarce({ ...free, funds: { ...funds, P: 12_000_000 } }, (scene) => {
      scene.ask('P', 400, price, { tif: 'ALO', ...at(10_000) })
      scene.ask('P', 400, 60_020, { tif: 'ALO' })
      scene.now = START + 9_999
      scene.mark(BTC, 61_000)
      scene.now = START + 10_000
      found = scene.bid('A', 400, 60_030, { tif: 'FOK' })
    })
    return found
  }
  outcome(60_010).includes(ended(3), { type: 'Traded', makerOrder: 4, lots: 400 })
  // One that is not met on the way is in the book until its turn.
  outcome(60_040).includes(ended(1), ended(2), ended(5)).lacks('Traded')
})

test('an expired maker is cancelled before any other check (ORDER-5, ORDER-14)', () => {
  scarce(free, (scene) => {
    scene.ask('B', 50, 60_010, at(10_000))
    scene.ask('A', 70, 60_010, at(10_000))
    scene.ask('C', 100, 60_010)
    later(scene, 10_000)
    const outcome = scene.bid('A', 100, 60_010)
    outcome.includes({ type: 'OrderPlaced' }, ended(3), ended(4), { type: 'Traded', makerOrder: 5 })
    assert.deepEqual([outcome.all('OrderCancelled').length, outcome.one('Traded').lots], [4, 100])
  })
})

test('a market order finds nothing where all is past its time (ORDER-1, ORDER-14)', () => {
  scarce(free, (scene) => {
    scene.ask('B', 50, 60_010, at(10_000))
    later(scene, 10_000)
    scene.take('C', 'bid', 10).refused('NO_REASONABLE_PRICE', 60_600)
  })
  // To a command that does not match it, the order still has its place.
  scarce(free, (scene) => {
    scene.ask('B', 50, 60_010, at(10_000))
    later(scene, 10_000)
    const outcome = scene.bid('C', 10, 60_010, { tif: 'ALO' })
    outcome.includes({ type: 'OrderPlaced', order: 4 }, ended(4, 'post_only_rejected'))
  })
  scarce(free, (scene) => {
    scene.ask('B', 50, 60_010, at(10_000))
    later(scene, 10_000)
    scene.cancel('B', 3).includes(ended(2), ended(3, 'owner'))
  })
})

test('an order that waits past its time ends at its release (ORDER-3, ORDER-14)', () => {
  scarce({ ...free, market: { speedBumpMs: 2_000 } }, (scene) => {
    later(scene, 8_500)
    scene.bid('C', 10, 59_000, { tif: 'ALO' }).accepted()
    scene.ask('B', 50, 59_000, at(10_000)).includes({ type: 'ExpirySet' }, { type: 'OrderPlaced' })
    scene.now = START + 10_500
    scene
      .run(tick)
      .includes(ended(1), ended(2), { ...ended(4), rejection: 0 })
      .lacks('Traded')
  })
})

test('a stop past its time ends at its turn, and does not fire (TRIG-3, ORDER-14)', () => {
  scarce(free, (scene) => {
    scene.stop('B', 'bid', levelAt(60_100, { size: 100 }), at(10_000))
    scene.stop('B', 'bid', levelAt(60_200, { size: 100 }), at(20_000))
    scene.now = START + 10_000
    const outcome = scene.mark(BTC, 60_200).includes(ended(3), { type: 'StopTriggered', order: 4 })
    assert.equal(outcome.all('StopTriggered').length, 1)
  })
})

test('the order of a stop keeps its time, whatever its tif (TRIG-3, ORDER-14)', () => {
  const scene = given({ ...free, market: { speedBumpMs: 5_000 } })
  scene.stop('B', 'bid', levelAt(60_100, { size: 100 }), at(3_000))
  scene.stop('B', 'bid', levelAt(60_100, { size: 100, limitPrice: 60_000 as never }), at(9_000))
  scene.later(1_000)
  const times = scene.mark(BTC, 60_100).all('ExpirySet')
  assert.deepEqual(
    times.map(({ order, time }) => [order, time - START]),
    [
      [3, 3_000],
      [4, 9_000],
    ],
  )
  scene.wait(2_000).includes({ ...ended(3), remaining: 100 })
  scene.mark(BTC, 60_100)
  scene.wait(3_000).includes({ type: 'OrderRested', order: 4 })
  scene.wait(3_000).includes(ended(4))
})

test('an edit keeps the time, and so does one that would cross (ORDER-9, ORDER-14)', () => {
  const scene = given(free)
  scene.ask('B', 100, 60_010)
  scene.bid('A', 100, 59_000, { ...at(5_000), clientOrderId: 'mine' })
  const edit = (price: number) => {
    const ref = { order: null, clientOrderId: 'mine' }
    return scene.own('A', 'EditOrder', { market: BTC, ...ref, price, size: 50 })
  }
  const time = START + 5_000
  edit(60_010).emits(
    { type: 'ExpirySet', order: 3, time },
    { type: 'OrderPlaced' },
    ended(3, 'post_only_rejected'),
  )
  edit(59_000).emits(
    ended(2, 'replaced'),
    { type: 'ExpirySet', order: 4, time },
    { type: 'OrderPlaced', order: 4, parent: 2 },
    { type: 'OrderRested' },
  )
  scene.wait(4_999).lacks('OrderCancelled')
  scene.wait(1).includes(ended(4))
  assert.equal(scene.state.expiries.size, 0)
})

test('levels that never were armed end with their order (ORDER-4, ORDER-14)', () => {
  const scene = given(free)
  const takeProfit = levelAt(61_000, { size: 100 })
  scene
    .bid('A', 100, 59_000, { ...at(5_000), takeProfit })
    .emits(
      { type: 'ExpirySet' },
      { type: 'OrderPlaced' },
      { type: 'StopPlaced' },
      { type: 'OrderRested' },
    )
  scene.wait(5_000).includes(ended(1), ended(2, 'parent_ended'))
})

test('a delayed batch places orders with their times (ORDER-10, ORDER-14)', () => {
  const scene = given(bumped)
  const order = { market: BTC, side: 'bid', size: 100, reduceOnly: false, clientOrderId: null }
  const levels = { takeProfit: null, stopLoss: null }
  const place = { type: 'PlaceOrder', account: scene.id('A'), proof: null, ...order, ...levels }
  const actions = [
    { ...place, price: 59_000, tif: 'GTC', ...at(2_000) },
    { ...place, price: 59_000, tif: 'GTC', ...at(999) },
  ]
  const outcome = scene.run({ type: 'Batch', account: scene.id('A'), actions })
  outcome.includes(
    { type: 'ExpirySet', order: 1 },
    { type: 'CommandRejected', rejection: 'INVALID_TIME' },
  )
  scene.wait(200).includes({ type: 'OrderRested', order: 1 })
  scene.wait(1_800).includes(ended(1))
})
