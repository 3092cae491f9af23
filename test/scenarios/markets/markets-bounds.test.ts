// docs/rules/markets.md where one word of a change decides when it counts.

import { test } from 'node:test'
import { BTC, given, START } from '../../support/scene.ts'

test('either bound of open interest alone is announced a day before (MARKET-2)', () => {
  const market = { openInterestLower: 10, openInterestUpper: 20 }
  for (const change of [{ openInterestLower: 11 }, { openInterestUpper: 19 }]) {
    const scene = given({ market, markets: ['BTC'] })
    const effectiveAt = START + 86_400_000
    scene
      .run({ type: 'ChangeMarket', market: BTC, change })
      .emits({ type: 'MarketChanged', effectiveAt })
  }
})
