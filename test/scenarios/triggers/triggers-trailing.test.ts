// docs/rules/triggers.md, TRIG-10 and TRIG-11, through both engines: a stop that fires the other
// way, and stops that follow the mark.

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

/** A level that follows the mark, for 100 lots. */
function trailBy(trail: More, change: More = {}) {
  const none = { distance: null, ppm: null, activation: null }
  return levelAt(0, { size: 100, trail: { ...none, ...trail }, ...change })
}

function stopOf(scene: Scene): number | undefined {
  return trails(scene)[0]?.[1]
}

/** The best mark that each trailing stop has seen, and where it would fire. */
function trails(scene: Scene): readonly (readonly [extreme: number, stop: number])[] {
  return [...scene.state.triggers.values()].flatMap(({ trail }) =>
    trail === null ? [] : [[trail.extreme, trail.stop] as const],
  )
}

/** One after the other; gives the stop price after each. */
function marks(scene: Scene, ...prices: readonly number[]): readonly number[] {
  return prices.flatMap((price) => {
    scene.mark(BTC, price)
    return trails(scene).map(([, stop]) => stop)
  })
}

test('case 260: an ask stop one percent behind the mark (TRIG-8, TRIG-11)', () => {
  const row = worked('triggers', 260)
  const [percent = 0, first = 0, ...later] = row.given()
  const scene = given(free)
  scene.bid('B', 1_000, 59_000)
  scene.mark(BTC, first)
  const outcome = scene.stop('A', 'ask', trailBy({ ppm: percent * 10_000 }))
  outcome.includes({ type: 'TrailSet', ppm: 10_000, distance: 0, activation: 0 })
  const { order } = outcome
    .includes({ type: 'StopPlaced', extreme: first, up: false })
    .one('StopPlaced')
  const stops = new Set([stopOf(scene), ...marks(scene, ...later.slice(0, -1))])
  const fired = scene.mark(BTC, later.at(-1)!).one('StopTriggered')
  row.says(...stops, fired.price)
  assert.deepEqual([fired.order, fired.extreme], [order, Math.max(...later)])
  assert.equal(scene.state.triggers.size, 0)
})

test('case 261: a bid stop a number of ticks behind, from a price on (TRIG-8, TRIG-11)', () => {
  const row = worked('triggers', 261)
  const [distance = 0, activation = 0, ...prices] = row.given()
  const scene = given(free)
  const placed = scene.stop('A', 'bid', trailBy({ distance, activation })).one('StopPlaced')
  assert.deepEqual([placed.extreme, placed.up], [0, true])
  const [waiting = 0, active = 0, ...later] = prices
  scene.mark(BTC, waiting)
  assert.equal(stopOf(scene), 0)
  const stops = new Set([...marks(scene, active), ...marks(scene, ...later.slice(0, -1))])
  const fired = scene.mark(BTC, later.at(-1)!).one('StopTriggered')
  row.says(active, ...stops, fired.price)
  assert.equal(fired.extreme, Math.min(...later))
})

test('an activation that is already reached counts immediately, on either side (TRIG-11)', () => {
  const scene = given(free)
  scene.stop('A', 'ask', trailBy({ distance: 10, activation: 60_000 })).includes({
    type: 'StopPlaced',
    extreme: 60_000,
  })
  scene.stop('A', 'ask', trailBy({ distance: 10, activation: 60_001 })).includes({
    type: 'StopPlaced',
    extreme: 0,
  })
  scene.stop('A', 'bid', trailBy({ distance: 10, activation: 60_000 })).includes({
    type: 'StopPlaced',
    extreme: 60_000,
  })
  scene.stop('A', 'bid', trailBy({ distance: 10, activation: 59_999 })).includes({
    type: 'StopPlaced',
    extreme: 0,
  })
})

test('a share is rounded away from the mark (TRIG-11)', () => {
  const scene = given(free)
  scene.mark(BTC, 60_001)
  scene.stop('A', 'ask', trailBy({ ppm: 1_000 }))
  scene.stop('A', 'bid', trailBy({ ppm: 1_000 }))
  // 60,001 × 0.999 = 59,940.999; 60,001 × 1.001 = 60,061.001.
  assert.deepEqual(trails(scene), [
    [60_001, 59_940],
    [60_001, 60_062],
  ])
})

test('while it waits for its turn its best mark stands still (TRIG-11)', (t) => {
  const { triggerUnits } = firstRules.limits
  setLimits({ triggerUnits: 1 })
  t.after(() => setLimits({ triggerUnits }))
  const scene = given(free)
  scene.mark(BTC, 60_200)
  const { order } = scene.stop('A', 'ask', trailBy({ distance: 100 })).one('StopPlaced')
  // Nearer to the old price, so that its turn comes after theirs.
  for (let n = 0; n < 4; n++) scene.stop('B', 'ask', levelAt(60_150, { size: 1 }))
  scene.mark(BTC, 60_100)
  scene.mark(BTC, 60_500)
  assert.deepEqual(trails(scene), [[60_200, 60_100]])
  const fired = scene.run({ type: 'Tick' }).all('StopTriggered')
  assert.deepEqual(fired.at(-1)?.order, order)
  assert.deepEqual(fired.at(-1)?.extreme, 60_200)
})

test('a stop whose market sleeps at its turn keeps its best mark (TRIG-3, TRIG-11)', (t) => {
  const { triggerUnits } = firstRules.limits
  setLimits({ triggerUnits: 1 })
  t.after(() => setLimits({ triggerUnits }))
  const scene = given(free)
  scene.mark(BTC, 60_200)
  scene.stop('A', 'ask', trailBy({ distance: 100 }))
  scene.stop('A', 'bid', trailBy({ distance: 200 }))
  for (let n = 0; n < 4; n++) scene.stop('B', 'ask', levelAt(60_150, { size: 1 }))
  scene.mark(BTC, 60_100)
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  for (let n = 0; n < 8; n++) scene.run({ type: 'Tick' }).lacks('StopTriggered')
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  assert.deepEqual(trails(scene), [
    [60_200, 60_100],
    [60_100, 60_300],
  ])
  scene.mark(BTC, 60_250)
  assert.deepEqual(trails(scene)[0], [60_250, 60_150])
})

test('in a market that is not lively it does not follow (CORE-7, TRIG-11)', () => {
  const scene = given(free)
  scene.stop('A', 'ask', trailBy({ distance: 100 }))
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'cancel_only' })
  scene.mark(BTC, 60_500)
  assert.deepEqual(trails(scene), [[60_000, 59_900]])
  scene.run({ type: 'SetMarketMode', market: BTC, mode: 'open' })
  scene.mark(BTC, 60_400)
  assert.deepEqual(trails(scene), [[60_400, 60_300]])
})

test('the stop-loss of a position follows, from when it is set (TRIG-4, TRIG-11)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 100, 60_000)
  const set = { market: BTC, side: 'bid', stopLoss: trailBy({ distance: 500 }) }
  scene.own('A', 'SetPositionTpsl', set).includes({ type: 'StopPlaced', extreme: 60_000 })
  assert.deepEqual(marks(scene, 60_600, 60_300), [60_100, 60_100])
  scene.bid('C', 100, 60_000)
  scene
    .mark(BTC, 60_100)
    .includes({ type: 'StopTriggered', price: 60_100 })
    .includes({ type: 'Traded', lots: 100 })
})

test('one that came with an order follows from when it is armed (TRIG-5, TRIG-11)', () => {
  const scene = given(free)
  scene.bid('A', 100, 60_000, { stopLoss: trailBy({ distance: 500 }) }).includes({
    type: 'StopPlaced',
    armed: false,
    extreme: 0,
  })
  assert.deepEqual(marks(scene, 60_600, 60_400), [0, 0])
  scene.ask('B', 100, 60_000).includes({ type: 'StopArmed', extreme: 60_400 })
  assert.deepEqual(marks(scene, 60_300, 60_700), [59_900, 60_200])
})

test('an invalid trail is refused (TRIG-11)', () => {
  const scene = given(free)
  const stop = (trail: More, change: More = {}, more: More = {}) =>
    scene.stop('A', 'ask', trailBy(trail, change), more)
  for (const trail of [
    {},
    { distance: 10, ppm: 10_000 },
    { distance: 0 },
    { distance: 1_000_001 },
    { distance: 1.5 },
    { ppm: 999 },
    { ppm: 500_001 },
    { ppm: 10_000, activation: 0 },
    { ppm: 10_000, activation: 1_000_001 },
  ])
    stop(trail).refused('INVALID_STOP_TICK', 0, 0)
  stop({ ppm: 10_000 }, { stopPrice: 59_000 }).refused('INVALID_STOP_TICK', 0, 0)
  const good = { ppm: 10_000 }
  stop(good, { limitPrice: 59_000 }).refused('INVALID_ORDER_TYPE')
  stop(good, { triggerBy: 'last' }).refused('INVALID_ORDER_TYPE')
  stop(good, {}, { up: true }).refused('INVALID_ORDER_TYPE')
  scene.buys('A', 'B', 100, 60_000)
  const takeProfit = trailBy(good)
  scene
    .own('A', 'SetPositionTpsl', { market: BTC, side: 'bid', takeProfit })
    .refused('INVALID_ORDER_TYPE')
  scene.bid('A', 100, 59_000, { takeProfit }).refused('INVALID_ORDER_TYPE')
  for (const limits of [{ ppm: 1_000 }, { ppm: 500_000 }, { distance: 1 }, { distance: 59_999 }])
    stop(limits).accepted()
  scene.stop('A', 'bid', trailBy({ distance: 1_000_000 })).accepted()
})

test('an account has at most twenty that trail, levels among them (TRIG-11)', () => {
  const scene = given(free)
  const trail = trailBy({ distance: 500 })
  scene.buys('A', 'B', 100, 60_000)
  const set = { market: BTC, side: 'bid', stopLoss: trail }
  scene.own('A', 'SetPositionTpsl', set).accepted()
  scene.bid('A', 100, 59_000, { stopLoss: trail }).accepted()
  for (let n = 2; n < 20; n++) scene.stop('A', 'ask', trail).accepted()
  scene.stop('A', 'ask', trail).refused('OPEN_ORDER_LIMIT_REACHED', 20, 20)
  scene.bid('A', 100, 59_000, { stopLoss: trail }).refused('OPEN_ORDER_LIMIT_REACHED', 20, 20)
  // It takes the place of the one that is there.
  scene.own('A', 'SetPositionTpsl', set).accepted()
  scene.stop('A', 'ask', levelAt(59_000, { size: 1 })).accepted()
  scene.stop('B', 'ask', trail).accepted()
})

test('of twenty each follows and fires by itself, the nearest first (TRIG-3, TRIG-11)', () => {
  const scene = given(free)
  scene.bid('B', 5_000, 59_000)
  for (let n = 1; n <= 20; n++) scene.stop('A', 'ask', trailBy({ distance: 10 * n }))
  const fired = (price: number) =>
    scene
      .mark(BTC, price)
      .events.flatMap((event) => (event.type === 'StopTriggered' ? [event.order - 1] : []))
  assert.deepEqual(fired(60_500), [])
  assert.deepEqual(fired(60_450), [1, 2, 3, 4, 5])
  assert.deepEqual(fired(60_301), [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  assert.deepEqual(fired(60_300), [20])
})

test('a stop may fire the other way: buy when it falls, sell when it rises (TRIG-10)', () => {
  const scene = given(free)
  const at = (price: number) => levelAt(price, { size: 100 })
  scene.stop('A', 'bid', at(59_000), { up: false }).includes({ type: 'StopPlaced', up: false })
  scene.stop('A', 'ask', at(61_000), { up: true }).includes({ type: 'StopPlaced', up: true })
  scene.stop('A', 'bid', at(61_000), { up: false }).refused('INVALID_STOP_TICK', 61_000, 60_000)
  scene.stop('A', 'ask', at(59_000), { up: true }).refused('INVALID_STOP_TICK', 59_000, 60_000)
  scene.stop('A', 'bid', at(61_500), { up: true }).accepted()
  scene.mark(BTC, 59_001)
  scene.mark(BTC, 59_000).includes({ type: 'StopTriggered', order: 1 })
  scene.mark(BTC, 60_999)
  scene.mark(BTC, 61_000).includes({ type: 'StopTriggered', order: 2 })
})

test('a loaded state follows on (TRIG-11)', () => {
  const scene = given(free)
  scene.stop('A', 'ask', trailBy({ distance: 100 }))
  scene.stop('A', 'bid', trailBy({ ppm: 10_000, activation: 59_000 }))
  scene.mark(BTC, 60_500)
  const loaded = decodeState(encodeState(scene.state))
  assert.equal(stateHash(loaded), stateHash(scene.state))
  assert.equal(loaded.markets[BTC]!.trailing.size, 2)
})
