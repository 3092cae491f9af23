// docs/rules/margin.md, MARGIN-5, through both engines: a ring is long in one market and equally
// short in another, both prices fall, and one market's sources are slower. The ring tries to give
// the gain of the fast market to a friend before the price of the slow one arrives.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BTC, ETH, freeTiers, given, type Scene, SOL } from '../../support/scene.ts'

const bitcoins = 666_666
const ethers = 133_333
const far = 32_000
const closing = { tif: 'IOC', reduceOnly: true, market: ETH }

/** A is hedged, with a leverage of 10 on each side. ETH has fallen; the price of BTC has not
 *  arrived yet. */
function hedged(dust = 0): Scene {
  const funds = { insurance: 10 ** 11, A: 40_000_000_000, B: 10 ** 13 }
  const market = { bandNearPpm: 300_000, bandFarPpm: 900_000 }
  const scene = given({ tiers: freeTiers, funds, market })
  scene.buys('A', 'B', bitcoins, 60_000)
  scene.sells('A', 'B', ethers, 30_000, ETH)
  if (dust > 0) scene.buys('A', 'B', dust, 30_000, SOL)
  scene.mark(ETH, 28_500)
  return scene
}

/** A buys this many lots back from its friend, as far from the mark as allowed. */
function give(scene: Scene, lots: number): number {
  const { price } = scene.bid('A', lots, far, closing).accepted().one('OrderPlaced')
  scene.buys('A', 'B', lots, price, ETH).includes({ type: 'Traded', lots, price })
  return price
}

test('attack: the gain of a fast market is not given away before a slow one (MARGIN-5)', () => {
  const scene = hedged()
  scene.ask('B', ethers, far, { tif: 'ALO', market: ETH }).accepted()
  scene.bid('A', ethers, far, closing).accepted().lacks('Traded')
  // At 32,000 the close would take 46,666,550,000 of 59,999,950,000, and BTC loses 19,999,980,000.
  // The share of ETH is 3,799,990,500 of 7,799,986,500 maintenance.
  assert.equal(give(scene, ethers), 30_692)
  scene.mark(BTC, 57_000).lacks('LiquidationStarted').lacks('InsurancePaid')
  const { equity, maintenance } = scene.account('A')
  assert.ok(equity > 2 * maintenance)
})

test('nor by a flip, whose closing part is a close (MARGIN-4)', () => {
  const scene = hedged()
  scene.ask('B', ethers + 100, far, { tif: 'ALO', market: ETH }).accepted()
  const { equity } = scene.account('A')
  const flip = { tif: 'IOC', market: ETH }
  scene.bid('A', ethers + 100, far, flip).refused('INSUFFICIENT_BALANCE', 0, equity)
  // Alone it is its owner's own loss.
  scene.sells('A', 'B', bitcoins, 60_000)
  scene.bid('A', ethers + 100, far, flip).includes({ type: 'Traded', market: ETH })
})

test('nor in parts, nor all but one lot, nor next to a position of one lot (MARGIN-5)', () => {
  const half = Math.floor(ethers / 2)
  const ways = [[half, ethers - half], [ethers - 1, 1], [1, ethers - 1], [ethers - 1]]
  for (const dust of [0, 1])
    for (const parts of ways) {
      const scene = hedged(dust)
      const before = scene.account('A')
      for (const lots of parts) give(scene, lots)
      const after = scene.account('A')
      const [kept, due] = [
        BigInt(after.equity) * BigInt(before.maintenance),
        BigInt(before.equity) * BigInt(after.maintenance),
      ]
      assert.ok(kept >= due, `${parts} next to ${dust}`)
    }
})

// Two accounts of one owner hedge each other at a leverage of 50. Each would give a friend what it
// has above its maintenance margin, for a few lots far from the mark, and be bankrupt after half of
// the move that its leverage allows for.
test('attack: an account with one position gives no equity away for a few lots (MARGIN-5)', () => {
  const money = 15_000_000_000
  const scene = given({
    tiers: freeTiers,
    funds: { insurance: 10 ** 11, L: money, S: money, F: 10 ** 12 },
    market: { bandNearPpm: 300_000, bandFarPpm: 900_000 },
  })
  const lots = 1_000_000
  scene.buys('L', 'S', lots, 60_000)
  const few = { lots: 10_000, away: 12_000 }
  scene.bid('F', few.lots, 60_000 - few.away, { tif: 'ALO' }).accepted()
  scene.ask('F', few.lots, 60_000 + few.away, { tif: 'ALO' }).accepted()
  // 2.5 % of 60,000 is what each has for a lot.
  const order = { tif: 'IOC', reduceOnly: true } as const
  for (const flag of [true, false]) {
    const close = { ...order, reduceOnly: flag }
    const sold = scene
      .ask('L', few.lots, 60_000 - few.away, close)
      .accepted()
      .lacks('Traded')
    assert.equal(sold.one('OrderPlaced').price, 58_500)
    const bought = scene
      .bid('S', few.lots, 60_000 + few.away, close)
      .accepted()
      .lacks('Traded')
    assert.equal(bought.one('OrderPlaced').price, 61_500)
  }
  // A jump of 1.3 % bankrupts neither.
  scene.later(3_000).mark(BTC, 60_780).lacks('InsurancePaid')
  assert.ok(scene.account('S').equity > 0)
})

test('nor as a maker: its share is what it is when it is met (MARGIN-5)', () => {
  const scene = given({
    tiers: freeTiers,
    funds: { L: 15_000_000_000, F: 10 ** 12 },
    market: { bandNearPpm: 300_000, bandFarPpm: 900_000 },
  })
  scene.own('L', 'SetMarginMode', { market: BTC, isolated: true })
  scene.buys('L', 'F', 1_000_000, 60_000)
  const move = (amount: number) =>
    scene.own('L', 'MoveIsolatedMargin', { market: BTC, amount }).accepted()
  move(3_000_000_000)
  const order = { tif: 'ALO', reduceOnly: true } as const
  assert.equal(scene.ask('L', 10_000, 48_000, order).one('OrderPlaced').price, 58_500)
  move(-3_000_000_000)
  scene
    .bid('F', 10_000, 58_500, { tif: 'IOC' })
    .includes({ type: 'OrderCancelled', account: scene.id('L'), reason: 'margin' })
    .lacks('Traded')
})
