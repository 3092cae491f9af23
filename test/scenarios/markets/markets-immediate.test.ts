// Changes of a market that do not wait a day, through both engines: initial margin follows them at
// once, maintenance an hour later, and meanwhile the mildest of the tiers counts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene, START } from '../../support/scene.ts'

const rich = { A: 10 ** 15, B: 10 ** 15 }
const open = { orderValueMax: 2 ** 52 }
const free = { tiers: freeTiers, markets: ['BTC'], funds: rich, market: open }
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const change = (scene: Scene, fields: Record<string, unknown>, immediate: unknown = true) =>
  scene.run({ type: 'ChangeMarket', market: BTC, change: fields, immediate })

const maintenanceOf = (scene: Scene) => scene.account('A').maintenance
const requirementOf = (scene: Scene) => scene.position('A')?.requirement
const shownIn = (scene: Scene) => scene.view.markets.get(BTC)!
const outcome = (effectiveAt: number, maintenanceAt: number) => {
  return { type: 'MarketChanged', market: BTC, effectiveAt, maintenanceAt } as const
}

/** A holds these lots, and the market's largest leverage was lowered immediately. */
function lowered(lots: number, price: number, from?: number, to = 25): Scene {
  const scene = given({ ...free, market: { ...open, leverageMax: from ?? 50 } })
  scene.buys('A', 'B', lots, price)
  change(scene, { leverageMax: to }).emits(outcome(START, START + hourMs))
  return scene
}

test('case 46: an immediate change, and another within its hour (MARKET-5)', () => {
  const row = worked('markets', 46)
  const [from, to, lots = 0, price = 0, pause = 0, again, left = 0, last = 0] = row.given()
  const before = given({ ...free, market: { ...open, leverageMax: from } })
  before.buys('A', 'B', lots, price)
  const scene = lowered(lots, price, from, to)
  const requirements = [before, scene].map(requirementOf)
  const needs = [before, scene].map(maintenanceOf)
  const bounds = [shownIn(scene)].map(({ premiumPpmMax, fundingRateMax }) => [
    premiumPpmMax,
    fundingRateMax,
  ])
  scene.wait(hourMs - 1).lacks('MarketChanged')
  assert.equal(maintenanceOf(scene), needs[0])
  scene.wait(1).includes(outcome(START + hourMs, START + hourMs))
  bounds.push([shownIn(scene).premiumPpmMax, shownIn(scene).fundingRateMax])
  const two = lowered(lots, price, from, to).later(pause * minuteMs)
  change(two, { leverageMax: again }).accepted()
  two.wait(left * minuteMs - 1)
  assert.equal(maintenanceOf(two), needs[0])
  two.wait(1)
  const seconds = [maintenanceOf(two)]
  two.wait((last - left) * minuteMs - 1)
  assert.equal(maintenanceOf(two), seconds[0])
  two.wait(1)
  seconds.push(maintenanceOf(two))
  row.says(...requirements, ...needs, maintenanceOf(scene), hourMs, ...bounds.flat(), ...seconds)
})

test('case 64: maintenance is that of the milder table, notional by notional (MARGIN-9)', () => {
  const row = worked('margin', 64)
  const [leverageMax, fromValue, maxLeverage, lower, small = 0, price = 0, large = 0] = row.given()
  const market = { ...open, leverageMax, riskTiers: [{ fromValue, maxLeverage }] }
  const results = [small, large].flatMap((lots) => {
    const scene = given({ ...free, market })
    scene.buys('A', 'B', lots, price)
    const old = maintenanceOf(scene)
    change(scene, { leverageMax: lower, riskTiers: [] }).accepted()
    const now = [requirementOf(scene), maintenanceOf(scene)]
    scene.wait(hourMs)
    return [[...now, maintenanceOf(scene)], [old]]
  })
  const [one, , other, old] = results
  row.says(...one!, ...other!, ...old!)
})

test('the hour is for existing positions: adding needs the new initial margin (MARGIN-1)', () => {
  const scene = given({ ...free, funds: { A: 12_000_000, B: 10 ** 12 } })
  scene.buys('A', 'B', 500, 60_000)
  change(scene, { leverageMax: 25 }).accepted()
  scene.ask('B', 500, 60_000)
  // 600,000,000 at 25x instead of 50x.
  scene.bid('A', 500, 60_000).refused('INSUFFICIENT_BALANCE', 24_000_000, 12_000_000)
  // What it holds is kept: 300,000,000 need 3,000,000, an hour later 6,000,000.
  scene.mark(BTC, 58_300).lacks('LiquidationStarted')
  scene.wait(hourMs)
  assert.equal(scene.account('A').equity, 3_500_000)
  assert.equal(maintenanceOf(scene), 5_830_000)
  for (let good = 0; good < 4; good++) scene.mark(BTC, 58_300).lacks('LiquidationStarted')
  scene.mark(BTC, 58_300).includes({ type: 'LiquidationStarted', maintenance: 5_830_000 })
})

test('a step takes the maintenance in force and its fee (LIQ-3)', () => {
  const poor = { ...free, funds: { A: 12_000_000, B: 10 ** 12, C: 10 ** 12 } }
  const kept = given(poor)
  const plain = given(poor)
  for (const scene of [kept, plain]) scene.buys('A', 'B', 1_000, 60_000)
  change(kept, { leverageMax: 10 }).accepted()
  for (const scene of [kept, plain]) scene.bid('C', 5_000, 59_300)
  const steps = [kept, plain].map((scene) => scene.mark(BTC, 59_350))
  assert.deepEqual(steps[0]?.fills(), steps[1]?.fills())
  assert.ok(steps[0]!.fills().length > 0)
})

test('the largest premium is that of the maintenance in force (FUND-1)', () => {
  const scene = given({ ...free, market: { ...open, impactValue: 1_000_000 } })
  change(scene, { leverageMax: 10 }).accepted()
  const end = scene.now + hourMs
  scene.bid('B', 10_000, 64_000)
  const sampled = () => scene.later(5_000).mark(BTC, 60_000).one('PremiumSampled').premium
  // 1 % of the oracle for the hour, then 5 %.
  assert.equal(sampled(), 10_000_000)
  scene.quietly(() => {
    while (scene.now + 5_000 < end) assert.equal(sampled(), 10_000_000)
  })
  scene.now = end
  scene.mark(BTC, 60_000)
  assert.equal(sampled(), 50_000_000)
})

test('the immediate flag has no effect on a change that raises nothing (MARKET-2)', () => {
  const scene = given(free)
  change(scene, { orderValueMin: 5, leverageMax: 60 }).emits(outcome(START, START))
  // Interest bounds raise initial margin alone: nothing has to be kept.
  change(scene, { openInterestLower: 1, openInterestUpper: 2 }).emits(outcome(START, START))
  for (const no of [false, 'true', 1, null])
    change(scene, { leverageMax: 50 }, no).emits(outcome(START + dayMs, START + dayMs))
  scene.wait(hourMs).lacks('MarketChanged')
  assert.deepEqual(shownIn(scene).keptTiers, [])
})

test('the milder part of an immediate change applies to all immediately (MARKET-2)', () => {
  const tiers = [{ fromValue: 10 ** 9, maxLeverage: 10 }]
  const scene = given({ ...free, market: { ...open, riskTiers: tiers } })
  scene.buys('A', 'B', 10_000, 60_000)
  // 6,000,000,000: 1 % of the first 1,000,000,000 and 5 % of the rest.
  assert.equal(maintenanceOf(scene), 260_000_000)
  change(scene, { riskTiers: [] }).accepted()
  assert.deepEqual([requirementOf(scene), maintenanceOf(scene)], [120_000_000, 60_000_000])
  // And back within the hour: accounts under the milder tiers have an hour from then on.
  scene.later(minuteMs)
  change(scene, { riskTiers: tiers }).accepted()
  assert.equal(maintenanceOf(scene), 60_000_000)
  scene.wait(hourMs - 1)
  assert.equal(maintenanceOf(scene), 60_000_000)
  scene.wait(1)
  assert.equal(maintenanceOf(scene), 260_000_000)
})

test('a change that waits a day comes at its time, over an immediate one (MARKET-2)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_000)
  change(scene, { leverageMax: 25 }, false).emits(outcome(START + dayMs, START + dayMs))
  scene.later(dayMs - hourMs)
  change(scene, { leverageMax: 10 }).accepted()
  assert.deepEqual([requirementOf(scene), maintenanceOf(scene)], [60_000_000, 6_000_000])
  // Both are due together: the change, which was made first, then the end of the tiers of 50x.
  const at = START + dayMs
  scene.wait(hourMs).includes(outcome(at, at), outcome(at, at))
  assert.deepEqual([requirementOf(scene), maintenanceOf(scene)], [24_000_000, 12_000_000])
})

test('kept tiers outlast a change that comes in their hour (MARKET-2)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_000)
  change(scene, { leverageMax: 25 }, false).accepted()
  scene.later(dayMs - minuteMs)
  change(scene, { leverageMax: 40 }).accepted()
  scene.wait(minuteMs)
  assert.deepEqual([requirementOf(scene), maintenanceOf(scene)], [24_000_000, 6_000_000])
  scene.wait(hourMs - minuteMs)
  assert.deepEqual([requirementOf(scene), maintenanceOf(scene)], [24_000_000, 12_000_000])
})

test('kept tiers and announced changes have room for 8 each (MARKET-2)', () => {
  const scene = given(free)
  for (let n = 1; n <= 8; n++) change(scene, { leverageMax: 50 - n }, false).accepted()
  change(scene, { leverageMax: 41 }, false).refused('LIMIT_REACHED', 8)
  for (let n = 1; n <= 8; n++) change(scene, { leverageMax: 50 - n }).accepted()
  change(scene, { leverageMax: 20 }).refused('LIMIT_REACHED', 8)
  // What neither waits nor keeps anything needs no room.
  change(scene, { orderValueMin: 5, leverageMax: 43 }).accepted()
  change(scene, { openInterestLower: 1, openInterestUpper: 2 }).accepted()
  change(scene, { orderValueMin: 6 }, false).accepted()
  scene.wait(hourMs)
  change(scene, { leverageMax: 20 }, false).refused('LIMIT_REACHED', 8)
  change(scene, { leverageMax: 20 }).accepted()
  change(scene, { leverageMax: 0 }).refused('INVALID_PARAMETER', 0)
})

test('a settled market keeps no tiers, and their end emits no event (MARKET-4)', () => {
  const scene = lowered(1_000, 60_000)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 }).accepted()
  assert.deepEqual(shownIn(scene).keptTiers, [])
  assert.equal(shownIn(scene).premiumPpmMax, 20_000)
  scene.wait(hourMs).lacks('MarketChanged')
})

test('kept tiers are in snapshots and in the hash of the state (MARKET-2)', () => {
  const scene = lowered(1_000, 60_000)
  const before = encodeState(scene.state)
  const loaded = decodeState(before)
  const [live, read] = [scene.state, loaded].map((state) => state.markets[BTC]!)
  assert.deepEqual(read?.tables, live?.tables)
  assert.deepEqual([read?.premiumPpmMax, read?.maintenanceFrom], [10_000, 0])
  assert.equal(stateHash(loaded), stateHash(scene.state))
  live!.changes = []
  assert.notEqual(stateHash(loaded), stateHash(scene.state))
})
