import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MarketRisk } from '../wire.ts'
import { closingNote, maintenanceNow } from './standing.ts'

const risk = (fields: Partial<MarketRisk>) => {
  const guarded_price = { long: '1', short: '1' }
  return { symbol: 'BTC', status: 'live', guarded_price, kept_tiers: [], ...fields } as MarketRisk
}
const kept = (until: number, maintenance_fraction: string) => ({
  until,
  tiers: [{ from_value: '0', max_leverage: 50, maintenance_fraction }],
})

test('a position is closed and reversed as the market allows', () => {
  const note = (status: MarketRisk['status']) => closingNote(risk({ status }))
  assert.deepEqual([note('live'), note('catching_up'), closingNote(undefined)], [null, null, null])
  assert.equal(note('reduce_only'), 'Reverse: Market orders must only reduce your position.')
  assert.match(note('stale')!, /^Close and Reverse: Market orders are refused/)
  assert.equal(note('post_only'), note('stale'))
  assert.equal(note('halted'), 'Close and Reverse: No orders are accepted now.')
})

test('while tiers are kept maintenance is the lowest of any, until the last expires', () => {
  assert.deepEqual(maintenanceNow(risk({}), 50), { fraction: 0.01, afterwards: 0.01, until: null })
  const kept_tiers = [kept(7_000, '0.01'), kept(9_000, '0.025')]
  assert.deepEqual(maintenanceNow(risk({ kept_tiers }), 10), {
    ...{ fraction: 0.01, afterwards: 0.05, until: 9_000 },
  })
})
