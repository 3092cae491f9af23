// docs/rules/core.md, commands that leave work undone: how much one command does, what comes first
// in the next, and that one account cannot use up the turns of others. The attacks were found by
// traders.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, EventLog } from '../../src/core/engine.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { encodeState } from '../../src/core/snapshot/encode.ts'
import { tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../support/rule-table.ts'
import {
  BTC,
  freeTiers,
  given,
  levelAt,
  type Outcome,
  orderOf,
  type Scene,
  START,
} from '../support/scene.ts'
import { boundFor } from '../support/trial-rules.ts'

const rich = 10 ** 12

/** The number of events of each type. */
function counted(
  outcome: Outcome,
  ...types: readonly Parameters<Outcome['all']>[0][]
): readonly number[] {
  return types.map((type) => outcome.all(type).length)
}

test('case 200: a command releases a limited number, the next one the rest first (CORE-3)', () => {
  const row = worked('core', 200)
  const [bump = 0, cancelAt = 0, bids = 0, placedAt = 0, first = 0, second = 0] = row.given()
  const scene = given({ market: { speedBumpMs: bump }, markets: ['BTC'], funds: { A: rich } })
  const time = START + cancelAt
  scene.own('A', 'ScheduleCancel', { time, keepProtective: false }).accepted()
  scene.quietly(() => {
    scene.later(placedAt)
    for (let n = 0; n < bids; n++) scene.bid('A', 100, 59_000)
  })
  scene.now = START + first
  const outcome = scene.run({ type: 'Tick' })
  assert.equal(scene.view.hasWorkLeft, true)
  scene.now = START + second
  const next = scene.run({ type: 'Tick' })
  const types = next.types()
  assert.ok(types.lastIndexOf('OrderRested') < types.indexOf('OrderCancelled'), `${next}`)
  row.says(...counted(outcome, 'OrderRested'), ...counted(next, 'OrderRested', 'OrderCancelled'))
  assert.equal(scene.view.hasWorkLeft, false)
})

test('leftover releases run at the time of the next command (CORE-3)', () => {
  const scene = given({ market: { speedBumpMs: 200 }, markets: ['BTC'], funds: { A: rich } })
  scene.quietly(() => {
    for (let n = 0; n < 257; n++) scene.bid('A', 100, 59_000)
  })
  // When it got its place in the book.
  const restedAt = (id: number) => scene.state.orders.stageAt(scene.state.orders.slotOf(id)) - START
  assert.equal(scene.wait(1_000).all('OrderRested').length, 256)
  assert.equal(restedAt(256), 200)
  scene.wait(50)
  assert.equal(restedAt(257), 1_050)
})

test('a snapshot in between does not change the leftover work (CORE-3)', () => {
  const scene = given({ market: { speedBumpMs: 200 }, markets: ['BTC'], funds: { A: rich } })
  scene.quietly(() => {
    for (let n = 0; n < 300; n++) scene.bid('A', 100, 59_000 - n)
  })
  scene.wait(200)
  const again = decodeState(encodeState(scene.state))
  const log = new EventLog()
  const sequenced = { seq: again.seq + 1, atMs: (scene.now + 9) as never, command: tick }
  apply(again, sequenced, log)
  scene.wait(9)
  assert.equal(tradingHash(again), tradingHash(scene.state))
})

const tick = { type: 'Tick' } as const

/** This many longs of 500 lots that the backstop takes over at 58,500. */
function longs(count: number, funds: Readonly<Record<string, number>> = {}): Scene {
  const money = { A: rich, B: rich, insurance: 10 ** 9, ...funds }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: money })
  scene.quietly(() => {
    for (let n = 1; n <= count; n++) {
      scene.deposit(`L${n}`, 8_000_000)
      scene.buys(`L${n}`, 'B', 500, 60_000)
    }
  })
  return scene
}

test('case 201: each kind of reaction has a budget of its own (CORE-5)', () => {
  const row = worked('core', 201)
  const [stops = 0, scopes = 0] = row.given()
  const scene = longs(scopes)
  scene.quietly(() => {
    for (let n = 0; n < stops; n++) scene.stop('A', 'ask', levelAt(59_000, { size: 100 }))
  })
  const types = ['LiquidationStarted', 'BackstopTookOver', 'StopTriggered'] as const
  const first = scene.mark(BTC, 58_500)
  row.says(...counted(first, ...types), ...counted(scene.run(tick), ...types))
  assert.equal(scene.view.hasWorkLeft, false)
})

test('a scope that waits for its takeover or deleveraging is not queued again (LIQ-1)', (t) => {
  // With the fund empty every one of them goes on to its deleveraging, here one for a run.
  const scene = longs(10, { insurance: 1 })
  boundFor(t, { commandUnits: 1 })
  scene.mark(BTC, 58_000)
  const [turns, waiting] = [scene.state.liquidationQueue.size, scene.state.deleverageQueue.size]
  assert.deepEqual([turns, waiting], [0, 9])
  const outcome = scene.mark(BTC, 57_990)
  assert.deepEqual(counted(outcome, 'LiquidationStarted', 'Deleveraged'), [0, 2])
})

test('an account has at most 200 stops, and levels are not among them (TRIG-2)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: rich, B: rich } })
  const level = levelAt(70_000, { size: 100 })
  scene.quietly(() => {
    for (let n = 0; n < 199; n++) scene.stop('A', 'bid', level).accepted()
    scene.buys('A', 'B', 100, 60_000)
    const levels = { takeProfit: levelAt(65_000), stopLoss: levelAt(55_000) }
    scene.own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', ...levels }).accepted()
    scene.bid('A', 100, 59_000, levels).accepted()
  })
  scene.stop('A', 'bid', level).accepted()
  scene.stop('A', 'bid', level).refused('OPEN_ORDER_LIMIT_REACHED', 200, 200)
  scene.stop('B', 'bid', level).accepted()
  scene.cancel('A', 1)
  scene.stop('A', 'bid', level).accepted()
})

test('attack: many bankrupt scopes are all resolved, with or without ticks (CORE-5)', () => {
  const scene = longs(150)
  // Every three seconds a price, as a feed sends it: it must not delay pending scopes.
  const turns = new Set<number>()
  let commands = 0
  for (; scene.view.hasWorkLeft || commands === 0; commands++) {
    const outcome = scene.later(3_000).mark(BTC, 58_000)
    for (const { account } of outcome.all('LiquidationStarted')) {
      assert.ok(!turns.has(account), `a second turn of ${account}`)
      turns.add(account)
    }
  }
  assert.equal(turns.size, 150)
  assert.ok(commands <= Math.ceil(150 / 64) + 2, `${commands} commands`)
})

test('attack: a storm of stops delays no liquidation (CORE-5)', () => {
  const scene = longs(3)
  scene.quietly(() => {
    for (const name of ['S1', 'S2', 'S3']) {
      scene.deposit(name, 1_000_000)
      for (let n = 0; n < 200; n++)
        scene.stop(name, 'ask', levelAt(59_500, { size: 100 })).accepted()
    }
  })
  scene.mark(BTC, 59_400)
  assert.equal(scene.state.triggerQueue.size, 600 - 64)
  const outcome = scene.mark(BTC, 58_500)
  assert.deepEqual(counted(outcome, 'LiquidationStarted', 'BackstopTookOver'), [3, 3])
  assert.ok(scene.state.triggerQueue.size > 0)
})

test('a batch of leftover releases delays no liquidation that waits for its turn (CORE-3)', () => {
  const scene = given({
    market: { speedBumpMs: 200 },
    markets: ['BTC'],
    tiers: freeTiers,
    funds: { A: rich, B: rich, L: 8_000_000, insurance: 10 ** 9 },
  })
  scene.ask('B', 500, 60_000, { tif: 'ALO' })
  scene.bid('L', 500, 60_000)
  scene.wait(200).includes({ type: 'Traded' })
  scene.quietly(() => {
    for (let n = 0; n < 300; n++) scene.own('A', 'PlaceOrder', orderOf('bid', 100, 50_000 - n))
  })
  const outcome = scene.later(200).mark(BTC, 58_500)
  assert.equal(outcome.all('OrderRested').length, 256)
  assert.ok(scene.view.hasWorkLeft)
  outcome.includes({ type: 'LiquidationStarted', account: scene.id('L') })
})
