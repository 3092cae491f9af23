// docs/rules/margin.md where an isolated position is opened at a price away from the mark: what it
// lost by that comes with it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { worked } from '../../support/rule-table.ts'
import { BTC, freeTiers, given, type Scene } from '../../support/scene.ts'

const rich = { A: 10 ** 11, B: 10 ** 12 }
const isolate = (scene: Scene) => {
  scene.own('A', 'SetMarginMode', { market: BTC, isolated: true }).accepted()
}

test('case 68: opening isolated beyond the mark brings the premium, too (MARGIN-6)', () => {
  const row = worked('margin', 68)
  const [leverageMax, leverage, mark, lots = 0, high = 0, same, low = 0] = row.given()
  assert.deepEqual([mark, same], [60_000, lots])
  const opened = (side: 'buys' | 'sells', price: number) => {
    const scene = given({ market: { leverageMax }, tiers: freeTiers, funds: rich })
    isolate(scene)
    scene.own('A', 'SetLeverage', { market: BTC, leverage }).accepted()
    const { amount } = scene[side]('A', 'B', lots, price).one('IsolatedMarginMoved')
    const premium = Math.abs(price - 60_000) * lots * 10
    return [amount - premium, premium, scene.position('A')?.wallet]
  }
  row.says(...opened('buys', high), ...opened('sells', low))
})

test('an isolated position is opened with its whole distance to liquidation (MARGIN-6)', () => {
  for (const [side, price] of [
    ['buys', 60_900],
    ['sells', 59_100],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: rich })
    isolate(scene)
    scene[side]('A', 'B', 1_000, price)
    const { wallet = 0, lots = 0, cost = 0 } = scene.position('A') ?? {}
    // The margin of what was paid, with no loss at the mark.
    assert.equal(wallet + lots * 600_000 - cost, (price * 10_000) / 50)
  }
  // A better price than the mark brings nothing back.
  const cheap = given({ tiers: freeTiers, funds: rich })
  isolate(cheap)
  cheap.buys('A', 'B', 1_000, 59_100)
  assert.equal(cheap.position('A')?.wallet, 11_820_000)
})

test('a position that opens in several fills has the premium of each (MARGIN-6)', () => {
  const scene = given({ tiers: freeTiers, funds: rich })
  isolate(scene)
  scene.ask('B', 1_000, 59_900)
  scene.ask('B', 1_000, 60_300)
  const outcome = scene.bid('A', 2_000, 60_300)
  assert.deepEqual(
    outcome.all('IsolatedMarginMoved').map(({ amount }) => amount),
    // 2 % of 599,000,000; then of 603,000,000 in addition to what is held at mark, and 300 ticks.
    [11_980_000, 12_060_000 + 3_000_000],
  )
})

test('the premium must be covered by the withdrawable amount (MARGIN-4)', () => {
  const needs = 12_060_000 + 3_000_000
  for (const [money, lacks] of [
    [needs, false],
    [needs - 1, true],
  ] as const) {
    const scene = given({ tiers: freeTiers, funds: { A: money, B: 10 ** 12 } })
    isolate(scene)
    scene.ask('B', 1_000, 60_300)
    const order = scene.bid('A', 1_000, 60_300, { tif: 'IOC' })
    if (lacks) order.refused('INSUFFICIENT_BALANCE', 0, -1)
    else assert.deepEqual([scene.balance('A'), scene.position('A')?.wallet], [0, needs])
  }
})
