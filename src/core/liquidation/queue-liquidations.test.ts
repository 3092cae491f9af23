import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BTC, ETH, freeTiers, given, type Scene } from '../../../test/support/scene.ts'
import { ratioFloor } from '../../units/wide.ts'
import { EventLog } from '../events/event-log.ts'
import { findRow } from '../margin/position-row.ts'
import { scopeNumber } from '../solvency/scope.ts'
import { touch } from '../solvency/update-index.ts'
import { queueLiquidations, ratioPpb, reindexReached } from './queue-liquidations.ts'
import { takeoverTurn } from './takeover.ts'

// Equity up to a thousand times the maintenance below zero, where the fund would long have paid,
// and maintenance on both sides of the limit above which the division is a wide one.
test('the health ratio by long division is that of one wide division', () => {
  const maintenance = fc.oneof(
    fc.integer({ min: 1, max: 1_000 }),
    fc.integer({ min: 1, max: 2 ** 40 }),
    fc.integer({ min: 2 ** 43 - 5, max: 2 ** 43 + 5 }),
    fc.integer({ min: 2 ** 43, max: 2 ** 52 }),
  )
  const share = fc.double({ min: -1_000, max: 1, noNaN: true })
  fc.assert(
    fc.property(maintenance, share, (needed, part) => {
      const equity = Math.floor(Math.max(-(2 ** 52), needed * part))
      assert.equal(ratioPpb(equity, needed), ratioFloor([equity, 1_000_000_000], [needed]))
    }),
    { numRuns: 2_000 },
  )
})

// The counter by which a bench divides its time.
test('a deposit gives each position of the account one new trigger', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 100, 30_000, ETH)
  scene.mark(BTC, 60_000)
  const before = scene.state.counters.indexUpdates
  scene.deposit('A', 1)
  scene.mark(BTC, 60_000)
  assert.equal(scene.state.counters.indexUpdates - before, 2)
})

/** A is long 1,000 BTC lots, with no balance left. */
function ruined(): Scene {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.state.accounts.balance[scene.id('A')] = 0
  touch(scene.state, scene.id('A'))
  return scene
}

test('a scope that waits for its takeover or deleveraging keeps its place', () => {
  for (const waits of ['takeoverQueue', 'deleverageQueue', null] as const) {
    const scene = ruined()
    const { state } = scene
    const number = scopeNumber({ account: scene.id('A'), market: 0 })
    if (waits !== null) state[waits].add(number)
    const market = state.markets[BTC]!
    queueLiquidations(state, market, reindexReached(state, market))
    assert.equal(state.liquidationQueue.has(number), waits === null, `${waits}`)
  }
})

test('funding is settled before a takeover is decided', () => {
  const scene = ruined()
  const { state } = scene
  const market = state.markets[BTC]!
  const row = findRow(market, scene.id('A'))
  Object.assign(market, {
    poolOpen: true,
    poolEpoch: market.epoch + 1,
    fundingRate: 1,
    fundingOracle: 60_000,
  })
  state.openPools = 1
  takeoverTurn(state, new EventLog(), scopeNumber({ account: scene.id('A'), market: 0 }))
  assert.equal(state.positions.fundingEpoch[row], market.epoch + 1)
})
