// No position opens below maintenance (MARGIN-1): after a fill that adds, at a mark that did not
// move, the account has at least the maintenance of that scope.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FillPart, fillsOf } from '../../src/core/events/fills-of.ts'
import { Health, sumScope } from '../../src/core/margin/equity.ts'
import { findRow } from '../../src/core/margin/position-row.ts'
import type { State } from '../../src/core/state/state.ts'
import { Random } from '../programs/differential/random.ts'
import { throughWorld } from '../support/random-world.ts'
import { BTC, given, paidTiers, type Scene } from '../support/scene.ts'

const health = new Health()

/** Requires the scope of a fill that added to be sound. Returns whether it is beyond tier 0. */
function isBornInTier(state: State, { account, market: id, kind }: FillPart, about: string) {
  const market = state.markets[id]!
  const row = findRow(market, account)
  sumScope(state, row, health)
  const { equity, maintenance } = health
  const text = `${about}: account ${account} ${kind} with ${equity} of ${maintenance}`
  assert.ok(equity >= maintenance, text)
  return Math.abs(state.positions.lots[row]!) * market.lotValue >= market.tierFrom
}

const adds = ({ kind }: FillPart) => kind === 'open_long' || kind === 'open_short'

test('after a fill that adds, equity is at least maintenance: random histories', () => {
  let seen = 0
  for (let seed = 1; seed <= 20; seed++)
    throughWorld(seed, 200, ({ state }) => (events) => {
      const last = new Map<number, FillPart>()
      for (const event of events)
        if (event.type === 'Traded') for (const fill of fillsOf(event)) last.set(fill.account, fill)
        else if (event.type === 'FundingPaid') last.delete(event.account)
      for (const fill of [...last.values()].filter(adds)) {
        isBornInTier(state, fill, `seed ${seed}`)
        seen += 1
      }
    })
  assert.ok(seen > 30, `${seen}`)
})

/** The largest order that would be accepted now. */
function most(scene: Scene, side: 'bid' | 'ask', price: number, name = 'A'): number {
  const fields = { account: scene.id(name), market: BTC, side, price, size: 1, tif: 'GTC' }
  const rest = { reduceOnly: false, clientOrderId: null, takeProfit: null, stopLoss: null }
  const wish = { type: 'PlaceOrder', proof: null, ...fields, ...rest }
  return scene.view.orders.preview(wish as never, 0).most
}

function tiersOf(random: Random) {
  const leverageMax = random.pick([100, 50, 20, 7])
  const above = [0.6, 0.3, 0.1].map((share) => Math.ceil(leverageMax * share))
  const riskTiers = above.map((maxLeverage, at) => ({
    fromValue: 10 ** 9 * [1, 4, 30][at]! * random.between(1, 3),
    maxLeverage,
  }))
  return { leverageMax, riskTiers }
}

// Always the largest order that is accepted, at prices around the mark, as taker and as maker, for
// accounts of any leverage and markets of any tiers: with the margin of the first tier alone, most
// of these would open below maintenance.
test('the largest order that is accepted leaves equity at maintenance or above', () => {
  const seen = { cross: 0, isolated: 0, tiered: 0 }
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed)
    const { leverageMax, riskTiers } = tiersOf(random)
    const grows = random.chance(0.3)
    const bounds = {
      openInterestLower: grows ? 10 ** 9 : 0,
      openInterestUpper: grows ? 10 ** 12 : 0,
    }
    const scene = given({
      market: { leverageMax, riskTiers, ...bounds, orderValueMax: 2 ** 52 },
      tiers: paidTiers,
      funds: { A: random.between(10 ** 7, 3 * 10 ** 9), B: 10 ** 14 },
    })
    const isolated = random.chance(0.5)
    scene.own('A', 'SetMarginMode', { market: BTC, isolated }).accepted()
    const leverage = random.between(1, leverageMax)
    scene.own('A', 'SetLeverage', { market: BTC, leverage }).accepted()
    for (let turn = 0; turn < 4; turn++) {
      const side = random.pick(['bid', 'ask'] as const)
      const price = 60_000 + random.between(-600, 600)
      const takes = random.chance(0.5)
      const other = side === 'bid' ? 'ask' : 'bid'
      if (takes) scene.place('B', other, 10 ** 7, price, { tif: 'ALO' })
      const size = most(scene, side, price)
      if (size === 0) continue
      const placed = scene.place('A', side, size, price).accepted()
      const outcome = takes ? placed : scene.place('B', other, size, price, { tif: 'IOC' })
      for (const fill of outcome
        .fills()
        .filter((one) => one.account === scene.id('A') && adds(one))) {
        seen[isolated ? 'isolated' : 'cross'] += 1
        if (isBornInTier(scene.state, fill, `seed ${seed}`)) seen.tiered += 1
      }
      scene.own('B', 'CancelAllOrders', { market: BTC, excludeReduceOnly: false })
      if (grows) scene.mark(BTC, 60_000)
    }
  }
  for (const count of Object.values(seen)) assert.ok(count > 30, JSON.stringify(seen))
})

// Tables that cross each other, so that some notionals require more and others less. With the old
// table alone in force, or with initial margin of the old one, positions open below maintenance in
// the hour; without the hour, older positions are below it immediately.
test('a fill after an immediate change is sound then, and when its hour ends', () => {
  const seen = { held: 0, raised: 0, lowered: 0 }
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed)
    const funds = { A: random.between(10 ** 7, 3 * 10 ** 9), B: 10 ** 14 }
    const market = { ...tiersOf(random), orderValueMax: 2 ** 52 }
    const scene = given({ market, markets: ['BTC'], tiers: paidTiers, funds: { ...funds } })
    const needs = () => scene.account('A').maintenance
    const fillMost = (name: string): void => {
      const size = most(scene, 'bid', 60_000, name)
      const outcome = scene.buys(name, 'B', size, 60_000)
      for (const fill of outcome
        .fills()
        .filter((one) => one.account === scene.id(name) && adds(one)))
        isBornInTier(scene.state, fill, `seed ${seed} ${name}`)
    }
    fillMost('A')
    for (const name of ['C', 'D', 'E']) {
      const before = needs()
      const change = tiersOf(random)
      scene.later(random.between(0, 1_800_000))
      scene.run({ type: 'ChangeMarket', market: BTC, change, immediate: true }).accepted()
      assert.ok(needs() <= before, `seed ${seed}: what is held needs no more yet`)
      seen[needs() < before ? 'lowered' : 'held'] += 1
      scene.revive(BTC)
      scene.deposit(name, random.between(10 ** 7, 3 * 10 ** 9)).accepted()
      const isolated = random.chance(0.5)
      scene.own(name, 'SetMarginMode', { market: BTC, isolated }).accepted()
      fillMost(name)
    }
    const before = needs()
    scene.wait(3_600_000)
    seen.raised += needs() > before ? 1 : 0
    const row = findRow(scene.state.markets[BTC]!, scene.id('E'))
    sumScope(scene.state, row, health)
    assert.ok(health.equity >= health.maintenance, `seed ${seed}: ${JSON.stringify(health)}`)
  }
  for (const count of Object.values(seen)) assert.ok(count > 15, JSON.stringify(seen))
})
