import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BTC, given } from '../../../test/support/scene.ts'
import { maintenanceOf } from '../margin/margin.ts'
import { maintenanceInForce } from './maintenance-in-force.ts'

const row = fc.record({
  fromValue: fc.integer({ min: 1, max: 40 }).map((n) => n * 1_000_000 + (n % 3)),
  maxLeverage: fc.integer({ min: 1, max: 49 }),
})
/** Few tier starts, so that tables often share one and cross between them. */
const table = fc.array(row, { maxLength: 4 }).map((rows) => {
  const values = [...new Set(rows.map(({ fromValue }) => fromValue))].sort((a, b) => a - b)
  const most = [...new Set(rows.map(({ maxLeverage }) => maxLeverage))].sort((a, b) => b - a)
  return values
    .slice(0, most.length)
    .map((fromValue, at) => ({ fromValue, maxLeverage: most[at]! }))
})

test('one table gives the highest maintenance of several, at every notional', () => {
  fc.assert(
    fc.property(fc.array(table, { minLength: 1, maxLength: 4 }), (tables) => {
      const scene = given({ markets: ['BTC'] })
      scene.quietly(() => {
        for (const riskTiers of tables)
          scene.run({ type: 'ChangeMarket', market: BTC, change: { riskTiers }, immediate: true })
      })
      const market = scene.state.markets[BTC]!
      const rows = maintenanceInForce(market.tables)
      const around = rows.flatMap(({ fromValue }) => [-1, 0, 1, 999_999].map((n) => fromValue + n))
      for (const value of [...around, 37, 123_456_789, 10 ** 12].filter((each) => each > 0)) {
        const { fractionPpm, deduction } = rows
          .filter(({ fromValue }) => fromValue <= value)
          .at(-1)!
        const inForce = Math.ceil((value * fractionPpm) / 1_000_000) - deduction
        assert.equal(inForce, maintenanceOf(market, value), `at ${value}`)
      }
    }),
    { numRuns: 60 },
  )
})

test('a market without kept tiers returns its own', () => {
  const riskTiers = [{ fromValue: 1_000_000, maxLeverage: 10 }] as never
  const { tables, tiers } = given({ markets: ['BTC'], market: { riskTiers } }).state.markets[BTC]!
  const own = tiers.map(({ fromValue, fractionPpm, deduction }) => {
    return { fromValue, fractionPpm, deduction }
  })
  assert.deepEqual(maintenanceInForce(tables), own)
})
