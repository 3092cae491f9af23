// docs/rules/fees.md through both engines: fees, rebates, tiers by volume.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feeOf } from '../../src/units/fee.ts'
import type { Ppm, Quote } from '../../src/units/units.ts'
import { worked } from '../support/rule-table.ts'
import { BTC, ETH, given, type Scene } from '../support/scene.ts'
import { feeAt } from '../twin/fees/fees.ts'

const day = 86_400_000
const hour = 3_600_000
const tier = (volumeDollars: number, makerPpm: number, takerPpm: number) => {
  return { volumeDollars, makerPpm, takerPpm }
}

test('a fee is rounded up, for each part of a fill, and goes to the fee account (FEE-1)', () => {
  const scene = given({ funds: { A: 10 ** 11, B: 10 ** 11 } })
  const [taker, maker] = scene.buys('A', 'B', 1, 30_001, ETH).fills()
  // 3,000,100 × 400 ppm = 1,200.04; × 150 ppm = 450.015
  assert.deepEqual([taker?.fee, maker?.fee], [1_201, 451])
  assert.equal(scene.balance('fees'), 1_652)
})

test('a rebate is rounded down and paid by the fee account (FEE-1)', () => {
  const scene = given({ tiers: [tier(0, -300, 300)], funds: { A: 10 ** 11, B: 10 ** 11 } })
  const [taker, maker] = scene.buys('A', 'B', 3, 60_001).fills()
  // The taker pays ⌈540.009⌉ first, and then the maker gets ⌊540.009⌋.
  assert.deepEqual([taker?.fee, maker?.fee], [541, -540])
  assert.equal(scene.balance('fees'), 1)
})

test('a rebate is never more than the fee account holds at that moment (FEE-1)', () => {
  const tiers = [tier(0, -300, 300)]
  const scene = given({ tiers, funds: { A: 65_000_000, B: 10 ** 11 } })
  scene.buys('A', 'B', 4_997, 60_001)
  assert.equal(scene.balance('fees'), 1)
  // The fee of a liquidation is the fund's, so the fee account has that 1 for the maker's rebate.
  scene.bid('B', 10_000, 59_300)
  const [taker, maker] = scene.mark(BTC, 59_300).fills()
  assert.deepEqual([taker?.cause, maker?.role, maker?.fee], ['market_liquidation', 'maker', -1])
  assert.equal(scene.balance('fees'), 0)
  assert.equal(scene.balance('insurance'), taker?.fee)
})

test('case 52: volume of today counts from tomorrow on (FEE-2)', () => {
  const row = worked('fees', 52)
  const [first = 0, taker = 0, maker = 0, second = 0, less = 0, least = 0, lots = 0, price = 0] =
    row.given()
  const tiers = [tier(first, maker, taker), tier(second, least, less)]
  const scene = given({ tiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  const fees = () => {
    const filled = scene.buys('A', 'B', lots, price).fills()
    return filled.map(({ fee }) => fee)
  }
  const today = [...fees(), ...fees()]
  scene.wait(day)
  scene.revive(BTC)
  row.says(...today, ...fees())
})

test('an owner has the highest tier that its volume of 14 full days reaches (FEE-2)', () => {
  const tiers = [tier(0, 100, 400), tier(60, 50, 200)]
  const scene = given({ tiers, market: { tickMax: 100_000 }, funds: { A: 10 ** 11, B: 10 ** 11 } })
  const fees = () =>
    scene
      .buys('A', 'B', 100, 60_000)
      .fills()
      .map(({ fee }) => fee)
  assert.deepEqual(fees(), [24_000, 6_000])
  // 60 dollars today; the tier of today is fixed.
  assert.deepEqual(fees(), [24_000, 6_000])
  const nextDay = (days: number) => {
    scene.wait(days * day)
    scene.revive(BTC)
  }
  nextDay(1)
  assert.deepEqual(fees(), [12_000, 3_000])
  nextDay(14)
  assert.deepEqual(fees(), [12_000, 3_000])
  nextDay(15)
  assert.deepEqual(fees(), [24_000, 6_000])
})

test('the volume of a subaccount is its main account’s, and so is the tier (FEE-2)', () => {
  const tiers = [tier(0, 100, 400), tier(60, 50, 200)]
  const scene = given({ tiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  scene.own('A', 'CreateSubaccount', { address: 'A2' })
  scene.own('A', 'Transfer', { to: scene.id('A2'), amount: 10 ** 10 })
  scene.buys('A2', 'B', 100, 60_000)
  scene.wait(day)
  scene.revive(BTC)
  assert.equal(scene.buys('A', 'B', 100, 60_000).fills()[0]?.fee, 12_000)
})

test('forced transfers and reserved accounts make no volume (FEE-2)', () => {
  const tiers = [tier(0, 0, 0), tier(1_000, 50, 200)]
  const scene = given({ tiers, funds: { A: 60_000_000, B: 10 ** 11 } })
  // 600 dollars of volume each; the settlement of as much again does not count.
  scene.buys('A', 'B', 1_000, 60_000)
  scene.run({ type: 'SettleMarket', market: BTC, price: 60_000 })
  scene.wait(day)
  scene.revive(ETH)
  assert.equal(scene.buys('A', 'B', 100, 30_000, ETH).fills()[0]?.fee, 0)
})

function setTiers(scene: Scene, ...tiers: readonly ReturnType<typeof tier>[]) {
  return scene.run({ type: 'SetFeeTiers', tiers })
}

test('tiers rise from 0, and no rebate is above the lowest taker rate (FEE-2)', () => {
  const scene = given({ markets: [] })
  setTiers(scene).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(1, 0, 0)).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(0, 0, 0), tier(0, 0, 0)).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(0, 10_001, 0)).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(0, 0, -1)).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(0, -2, 2), tier(5, -2, 1)).refused('INVALID_PARAMETER', 0)
  const twelve = Array.from({ length: 12 }, (_, at) => tier(at, 1, 2))
  setTiers(scene, ...twelve).emits({ type: 'FeeTiersSet', count: 12 })
  setTiers(scene, ...twelve, tier(12, 1, 2)).refused('INVALID_PARAMETER', 0)
  setTiers(scene, tier(0, -1, 2), tier(5, -1, 1)).emits({ type: 'FeeTiersSet', count: 2 })
})

test('case 5: fees and rebates (FEE-3)', () => {
  const row = worked('fees', 5)
  const found = row.results().map(Number)
  const results = found.flatMap((_, at) => {
    if (at % 3 !== 0) return []
    const [value = 0, ppm = 0] = found.slice(at, at + 2)
    const fee = feeOf(value as Quote, ppm as Ppm)
    assert.equal(BigInt(fee), feeAt(BigInt(value), BigInt(ppm)))
    return [value, ppm, fee]
  })
  row.says(...results)
})

test('case 92: at each full hour a part of the fees goes to the fund (FEE-4)', () => {
  const row = worked('fees', 92)
  const [share = 0, lots = 0, price = 0, taker = 0, maker = 0, moved = 0, larger = 0] = row.given()
  const tiers = [tier(0, maker, taker)]
  const scene = given({ tiers, funds: { A: 10 ** 11, B: 10 ** 11 } })
  const setShare = (sharePpm: number) => scene.run({ type: 'SetInsuranceShare', sharePpm })
  setShare(1_000_001).refused('INVALID_PARAMETER', 1_000_001)
  setShare(-1).refused('INVALID_PARAMETER', -1)
  setShare(share).emits({ type: 'InsuranceShareSet', sharePpm: share })
  scene.buys('A', 'B', lots, price)
  const earned = scene.balance('fees')
  scene.run({
    type: 'MoveReserve',
    from: scene.id('fees'),
    to: scene.id('insurance'),
    amount: moved,
  })
  scene.wait(hour - 1).lacks('FeesShared')
  const first = scene.wait(1).one('FeesShared')
  scene.revive(BTC)
  setShare(larger).accepted()
  scene.buys('A', 'B', lots, price)
  const second = scene.wait(hour).one('FeesShared')
  const numbers = [first, second].flatMap(({ amount, fund, fees }) => [amount, fund, fees])
  row.says(earned, ...numbers)
  scene.wait(hour).lacks('FeesShared')
})

test('the fund gets no more of the fees than an operator has left there (FEE-4)', () => {
  const scene = given({ tiers: [tier(0, 150, 400)], funds: { A: 10 ** 11, B: 10 ** 11 } })
  scene.run({ type: 'SetInsuranceShare', sharePpm: 1_000_000 }).accepted()
  scene.buys('A', 'B', 1_000, 60_000)
  const earned = scene.balance('fees')
  const move = { type: 'MoveReserve', from: scene.id('fees'), to: scene.id('A') } as const
  scene.run({ ...move, amount: 100_000 }).accepted()
  scene.wait(hour).includes({ type: 'FeesShared', amount: earned - 100_000, fees: 0 })
})

test('the part of the fees is income of the fund: it fills the deficit first (FEE-4)', () => {
  const scene = given({ tiers: [tier(0, 0, 0)], funds: { A: 15_000_000, B: 10 ** 11 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.run({ type: 'SettleMarket', market: BTC, price: 58_000 }).one('DeficitBooked')
  scene.run({ type: 'SetFeeTiers', tiers: [tier(0, 150, 400)] })
  scene.deposit('A', 10 ** 11)
  scene.buys('A', 'B', 100, 30_000, ETH)
  const fees = scene.balance('fees')
  const amount = Math.floor(fees / 10)
  scene
    .wait(hour)
    .includes({ type: 'FeesShared', amount, fees: fees - amount, deficit: amount - 5_000_000 })
  assert.equal(scene.balance('insurance'), 0)
})
