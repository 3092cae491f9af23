// docs/rules/core.md, CORE-5, through both engines: a match pays for the reduce-only orders and
// levels that it makes ORDER-7 cut or end, and risk has separate units.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, freeTiers, given, levelAt, type Outcome, type Scene } from '../../support/scene.ts'
import { boundFor } from '../../support/trial-rules.ts'

const rich = 10 ** 12
const tick = { type: 'Tick' } as const

function counted(
  outcome: Outcome,
  ...types: readonly Parameters<Outcome['all']>[0][]
): readonly number[] {
  return types.map((type) => outcome.all(type).length)
}

/** Longs of 1,000 lots with four reduce-only asks and two levels for all of it, and a reduce-only
 *  ask of this many lots at 60,000. */
function guarded(names: readonly string[], lots = 100): Scene {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: rich, B: rich } })
  for (const name of names) {
    scene.deposit(name, rich)
    scene.buys(name, 'B', 1_000, 60_000)
    const size = { size: 1_000 }
    const levels = { takeProfit: levelAt(65_000, size), stopLoss: levelAt(55_000, size) }
    scene.own(name, 'SetPositionTpsl', { market: BTC, side: 'bid', ...levels }).accepted()
  }
  const more = { tif: 'ALO', reduceOnly: true }
  for (const name of names) {
    for (let n = 0; n < 4; n++) scene.ask(name, 1_000, 61_000, more).accepted()
    scene.ask(name, lots, 60_000, more).accepted()
  }
  return scene
}

test('fills against many reduce-only orders stop the match, and cut in portions (CORE-5)', (t) => {
  const scene = guarded(['L1', 'L2', 'L3'])
  // Each fill takes one unit, and one for each of the five asks and two levels: 8, then 16.
  boundFor(t, { commandUnits: 9 })
  const types = ['Traded', 'OrderReduced', 'StopReduced'] as const
  assert.deepEqual(counted(scene.bid('A', 300, 60_000), ...types), [2, 8, 4])
  assert.deepEqual(counted(scene.run(tick), ...types), [1, 4, 2])
  scene.run(tick).emits()
})

test('a match stops at the last unit, and not one before it (CORE-5)', (t) => {
  const scene = guarded(['L1', 'L2'])
  boundFor(t, { commandUnits: 8 })
  assert.equal(scene.bid('A', 200, 60_000).all('Traded').length, 1)
  const again = guarded(['L1', 'L2'])
  boundFor(t, { commandUnits: 9 })
  assert.equal(again.bid('A', 200, 60_000).all('Traded').length, 2)
})

test('only the first fill that makes a position smaller pays for the cuts (CORE-5)', (t) => {
  const scene = guarded(['L1'])
  const more = { tif: 'ALO', reduceOnly: true }
  for (let n = 0; n < 3; n++) scene.ask('L1', 100, 60_000, more).accepted()
  scene.ask('B', 100, 60_000)
  // One fill with ten orders and levels, then one for each fill.
  boundFor(t, { commandUnits: 13 })
  assert.equal(scene.bid('A', 500, 60_000).all('Traded').length, 3)
  assert.equal(scene.run(tick).all('Traded').length, 2)
})

test('the fill that closes a position pays for the cancels it causes (CORE-5)', (t) => {
  const scene = guarded(['L1', 'L2'], 1_000)
  boundFor(t, { commandUnits: 8 })
  const outcome = scene.bid('A', 1_100, 60_000)
  assert.deepEqual(counted(outcome, 'Traded', 'OrderCancelled'), [1, 6])
  assert.deepEqual(counted(scene.run(tick), 'Traded', 'OrderReduced'), [1, 4])
})

test('a reduce-only taker is cut, and counts itself (CORE-5, ORDER-7)', (t) => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: rich, B: rich } })
  scene.buys('A', 'B', 1_000, 60_000)
  for (let n = 0; n < 5; n++) scene.bid('B', 100, 60_000, { tif: 'ALO' })
  boundFor(t, { commandUnits: 3 })
  const sold = scene.ask('A', 500, 60_000, { reduceOnly: true })
  assert.deepEqual(counted(sold, 'Traded'), [2])
  assert.deepEqual(counted(scene.run(tick), 'Traded'), [2])
  scene.run(tick).emits({ type: 'Traded', takerRemaining: 0 })
})

/** A is long 5,000 lots with little money, and others bid for them, 40 lots each. */
function weak(bids: number, price: number): Scene {
  const funds = { A: 70_000_000, B: rich, insurance: 10 ** 9 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds })
  scene.buys('A', 'B', 5_000, 60_000)
  for (let n = 0; n < bids; n++) scene.bid('B', 40, price, { tif: 'ALO' })
  return scene
}

const stepped = ['LiquidationStarted', 'LiquidationStepped', 'Traded'] as const

test('a liquidation step that stops ends, and its scope has another turn (CORE-5)', (t) => {
  // The units of the command are not those of risk.
  boundFor(t, { riskMatchUnits: 4, commandUnits: 1 })
  const scene = weak(20, 59_100)
  // A unit for each of three bids, and one for the order itself.
  const outcome = scene.mark(BTC, 59_150)
  assert.deepEqual(counted(outcome, ...stepped), [1, 1, 3])
  const { lots } = outcome.one('LiquidationStepped')
  outcome.includes({ type: 'OrderCancelled', reason: 'expired', remaining: lots - 120 })
  assert.ok(scene.view.hasWorkLeft)
  // Two runs of one command: what is left over, and the reactions.
  assert.deepEqual(counted(scene.run(tick), ...stepped), [2, 2, 6])
  // Three for a command of the account.
  const own = scene.own('A', 'CancelAllOrders', { market: null, excludeReduceOnly: false })
  assert.deepEqual(counted(own, ...stepped), [3, 3, 9])
})

test('once the units of risk are used no other turn of the run begins (CORE-5)', (t) => {
  const scene = weak(20, 59_100)
  scene.deposit('C', 70_000_000)
  scene.buys('C', 'B', 5_000, 60_000)
  boundFor(t, { riskMatchUnits: 4 })
  const turns = (outcome: Outcome) =>
    outcome.all('LiquidationStarted').map(({ account }) => account)
  const [a, c] = [scene.id('A'), scene.id('C')]
  assert.deepEqual(turns(scene.mark(BTC, 59_150)), [a])
  // A has joined its queue again, behind C.
  assert.deepEqual(turns(scene.run(tick)), [c, a])
})

test('a step that used its units with its last lot has no other turn (CORE-5)', (t) => {
  boundFor(t, { riskMatchUnits: 4 })
  const scene = weak(3, 59_100)
  assert.deepEqual(counted(scene.mark(BTC, 59_150), ...stepped), [1, 1, 3])
  assert.ok(!scene.view.hasWorkLeft)
  scene.run(tick).emits()
})

test('orders that came after the price are nothing that a step would meet (CORE-5)', (t) => {
  boundFor(t, { riskMatchUnits: 4 })
  for (const young of [59_100, 59_090]) {
    const scene = weak(3, 59_100)
    scene.later(1_000).bid('B', 40, young, { tif: 'ALO' }).accepted()
    const step = scene.later(100).seen(BTC, 59_150, 101)
    assert.deepEqual(counted(step, ...stepped), [1, 1, 3])
    assert.ok(!scene.view.hasWorkLeft)
    assert.deepEqual(scene.run(tick).events, [])
  }
})

test('a step that stopped without a fill counts as one with a fill (LIQ-2)', (t) => {
  const unfilled = (bids: number) => {
    const scene = weak(0, 0)
    scene.own('A', 'CreateSubaccount', { address: 'S' }).accepted()
    scene.deposit('S', rich)
    for (let n = 0; n < bids; n++) scene.bid('S', 100, 59_100, { tif: 'ALO' }).accepted()
    const outcome = scene.mark(BTC, 59_150)
    assert.deepEqual(counted(outcome, 'LiquidationStepped', 'Traded'), [1, 0])
    return scene.account('A').unfilledSteps
  }
  boundFor(t, { riskMatchUnits: 3 })
  assert.deepEqual([unfilled(3), unfilled(4)], [1, 0])
})

test('a sale of the backstop that stops ends, and the backstop has another turn (CORE-5)', (t) => {
  const scene = weak(0, 0)
  scene.mark(BTC, 58_800).includes({ type: 'BackstopTookOver', lots: 5_000 })
  for (let n = 0; n < 8; n++) scene.bid('B', 100, 58_700, { tif: 'ALO' })
  boundFor(t, { riskMatchUnits: 4, commandUnits: 1 })
  const sold = (outcome: Outcome) => [
    outcome.all('OrderPlaced').map(({ origin }) => origin),
    outcome.all('Traded').length,
    outcome.all('OrderCancelled').map(({ reason }) => reason),
  ]
  assert.deepEqual(sold(scene.mark(BTC, 58_800)), [['backstop'], 3, ['expired']])
  const twice = [['backstop', 'backstop'], 5, ['expired', 'expired']]
  assert.deepEqual(sold(scene.run(tick)), twice)
  scene.run(tick).emits()
  assert.equal(scene.held('backstop-BTC')[0], 4_200)
})
