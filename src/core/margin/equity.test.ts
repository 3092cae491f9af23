import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, freeTiers, given } from '../../../test/support/scene.ts'
import { Health, sumGuardedScope } from './equity.ts'
import { findRow } from './position-row.ts'

test('a single lot is also valued at the pending price on its side (MARGIN-3)', () => {
  const market = { orderValueMin: 1 }
  const scene = given({ markets: ['BTC'], market, tiers: freeTiers, funds: { A: 1e9, B: 1e9 } })
  scene.buys('A', 'B', 1, 60_000)
  const health = new Health()
  const ungapped = (name: string) => {
    sumGuardedScope(scene.state, findRow(scene.state.markets[BTC]!, scene.id(name)), health)
    return health.ungapped
  }
  // The mark is 58,800.
  scene.later(1_000).tick(BTC, 48_000)
  assert.deepEqual([ungapped('A'), ungapped('B')], [1e9 - 120_000, 1e9 + 12_000])
})
