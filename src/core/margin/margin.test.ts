import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, freeTiers, given } from '../../../test/support/scene.ts'
import type { Quote } from '../../units/units.ts'
import { maintenanceTier } from './margin.ts'

// At one and a half times the start of the second tier, 0.5 % and then 2 % are 1 % in all.
test('of equal tables the own one applies, then the oldest (MARGIN-1)', () => {
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: {} })
  const market = scene.state.markets[BTC]!
  const flat = { leverageMax: 50, riskTiers: [] }
  const steps = {
    leverageMax: 100,
    riskTiers: [{ fromValue: 1_000_000 as Quote, maxLeverage: 25 }],
  }
  const fractionWith = (...[own, ...kept]: readonly (typeof flat | typeof steps)[]) => {
    market.changes = kept.map((kept) => ({ id: 0, at: 0, change: {}, kept }))
    market.setParams({ ...market.params, ...own })
    return maintenanceTier(market, 1_500_000).fractionPpm
  }
  assert.equal(fractionWith(flat, steps), 10_000)
  assert.equal(fractionWith(steps, flat), 20_000)
  const dear = { leverageMax: 2, riskTiers: [] }
  assert.equal(fractionWith(dear, flat, steps), 10_000)
  assert.equal(fractionWith(dear, steps, flat), 20_000)
})
