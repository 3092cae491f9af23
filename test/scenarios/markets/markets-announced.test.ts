// Announced market changes that are withdrawn, through both engines: they have no effect, and the
// notice period of other changes does not get shorter.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { stateHash } from '../../../src/sequencer/snapshots/state-hash.ts'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene, START } from '../../support/scene.ts'

const free = { tiers: freeTiers, markets: ['BTC'], funds: { A: 10 ** 15, B: 10 ** 15 } }
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const change = (scene: Scene, fields: Record<string, unknown>, immediate = false) =>
  scene.run({ type: 'ChangeMarket', market: BTC, change: fields, immediate })
const cancel = (scene: Scene, id: unknown, market = BTC) =>
  scene.run({ type: 'CancelMarketChange', market, change: id })
const numberOf = (cancelled: ReturnType<typeof change>) => cancelled.one('MarketChanged').change
const refusalOf = (cancelled: ReturnType<typeof change>) => {
  const { rejection, first } = cancelled.one('CommandRejected')
  return [rejection, first] as const
}

test('case 48: a change that is announced again waits a whole day (MARKET-5)', () => {
  const row = worked('markets', 48)
  const [leverageMax, low, pause = 0, high, more = 0, last = 0, first = 0, , , again] = row.given()
  const scene = given({ ...free, market: { leverageMax } })
  const one = numberOf(change(scene, { leverageMax: low }))
  scene.later(pause * minuteMs)
  const two = numberOf(change(scene, { leverageMax: high }))
  scene.later(more * minuteMs)
  const hidden = refusalOf(cancel(scene, last))
  const cancelled = { type: 'MarketChangeCancelled', market: BTC } as const
  cancel(scene, first).emits({ ...cancelled, change: first, effectiveAt: START + dayMs })
  cancel(scene, last).emits({
    ...{ ...cancelled, change: last, effectiveAt: START + pause * minuteMs + dayMs },
  })
  const gone = refusalOf(cancel(scene, last))
  const final = change(scene, { leverageMax: again }).one('MarketChanged')
  row.names(hidden[0], gone[0])
  row.says(one, two, hidden[1], gone[1], final.change, final.effectiveAt - START)
  scene.wait(final.effectiveAt - scene.now - 1).lacks('MarketChanged')
  scene.wait(1).includes({ type: 'MarketChanged', change: final.change })
})

test('a change that was cancelled never comes (MARKET-2)', () => {
  const scene = given(free)
  scene.buys('A', 'B', 1_000, 60_000)
  const before = scene.account('A').maintenance
  change(scene, { leverageMax: 25 }).accepted()
  cancel(scene, 1).accepted()
  scene.wait(dayMs).lacks('MarketChanged')
  assert.equal(scene.account('A').maintenance, before)
  assert.equal(scene.view.markets.get(BTC)?.params.leverageMax, 50)
})

test('when two are due together, the remaining one takes effect, once (MARKET-2)', () => {
  const scene = given(free)
  change(scene, { leverageMax: 25 }).accepted()
  change(scene, { openInterestLower: 1, openInterestUpper: 2 }).accepted()
  cancel(scene, 1).accepted()
  const cancelled = scene.wait(dayMs).all('MarketChanged')
  assert.deepEqual([cancelled.length, cancelled[0]?.change], [1, 2])
  assert.equal(scene.view.markets.get(BTC)?.params.leverageMax, 50)
})

test('only an announced change that waits can be cancelled (MARKET-2)', () => {
  const scene = given(free)
  cancel(scene, 1, 9).refused('BOOK_NOT_FOUND', 9)
  cancel(scene, 1).refused('CHANGE_NOT_FOUND', 1)
  // Neither what is in force nor the tiers that it keeps are announced changes.
  change(scene, { orderValueMin: 5 }).emits({ type: 'MarketChanged', change: 0 })
  change(scene, { leverageMax: 40 }, true).emits({ type: 'MarketChanged', change: 0 })
  for (const id of [0, 1, -1]) cancel(scene, id).refused('CHANGE_NOT_FOUND', id)
  for (const id of ['1', null, 0.5]) cancel(scene, id).refused('CHANGE_NOT_FOUND', 0)
  change(scene, { leverageMax: 25 }).emits({ type: 'MarketChanged', change: 1 })
  scene.wait(dayMs).includes({ type: 'MarketChanged', change: 1 })
  cancel(scene, 1).refused('CHANGE_NOT_FOUND', 1)
  change(scene, { leverageMax: 20 }).emits({ type: 'MarketChanged', change: 2 })
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 }).accepted()
  cancel(scene, 2).refused('UNSUPPORTED_OPERATION')
})

test('a change that overrides an earlier pending one is cancelled after it (MARKET-2)', () => {
  const scene = given(free)
  change(scene, { leverageMax: 10 }).accepted()
  change(scene, { riskTiers: [{ fromValue: 1, maxLeverage: 2 }] }).accepted()
  change(scene, { leverageMax: 40, riskTiers: [] }).accepted()
  change(scene, { openInterestLower: 1, openInterestUpper: 2, orderValueMin: 5 }).accepted()
  change(scene, { openInterestUpper: 3, orderValueMin: 6 }).refused('INVALID_PARAMETER', 0)
  change(scene, { openInterestLower: 0, openInterestUpper: 0 }).accepted()
  cancel(scene, 3).refused('INVALID_PARAMETER', 1)
  cancel(scene, 5).refused('INVALID_PARAMETER', 4)
  cancel(scene, 1).accepted()
  cancel(scene, 3).refused('INVALID_PARAMETER', 2)
  cancel(scene, 2).accepted()
  cancel(scene, 3).accepted()
  // One before it that is in force by then hides nothing.
  scene.later(1)
  change(scene, { openInterestLower: 5, openInterestUpper: 6 }).accepted()
  scene.wait(dayMs - 1)
  cancel(scene, 6).accepted()
})

test('a cancelled change leaves room for another (MARKET-2)', () => {
  const scene = given(free)
  for (let n = 1; n <= 8; n++) change(scene, { leverageMax: 50 - n }).accepted()
  change(scene, { leverageMax: 30 }).refused('LIMIT_REACHED', 8)
  cancel(scene, 1).accepted()
  change(scene, { leverageMax: 30 }).emits({ type: 'MarketChanged', change: 9 })
  change(scene, { leverageMax: 20 }).refused('LIMIT_REACHED', 8)
})

test('announced again and again at one moment, a change costs no memory (MARKET-2)', () => {
  const scene = given(free)
  scene.quietly(() => {
    for (let n = 1; n <= 1_300; n++) {
      change(scene, { leverageMax: 25 })
      cancel(scene, n)
    }
  })
  change(scene, { leverageMax: 25 }).accepted()
  assert.ok(scene.state.due.entries.length < 1_100)
  assert.equal(scene.wait(dayMs).all('MarketChanged').length, 1)
})

test('numbers of announced changes are in snapshots and in the hash (MARKET-2)', () => {
  const scene = given(free)
  for (const leverageMax of [40, 30]) change(scene, { leverageMax }).accepted()
  cancel(scene, 1).accepted()
  const loaded = decodeState(encodeState(scene.state))
  assert.deepEqual(loaded.markets[BTC]?.changes, scene.state.markets[BTC]?.changes)
  assert.equal(loaded.markets[BTC]?.announced, 2)
  assert.equal(stateHash(loaded), stateHash(scene.state))
  loaded.markets[BTC]!.announced = 3
  assert.notEqual(stateHash(loaded), stateHash(scene.state))
})
