import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BTC, ETH, freeTiers, given, type Scene } from '../../../test/support/scene.ts'
import { feeOf } from '../../units/fee.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import type { Market } from '../state/market.ts'
import { Health } from './equity.ts'
import { Fill } from './fill.ts'
import { AccountSums, maintenanceOf } from './margin.ts'
import { Change, Close, mayClose, walletShare } from './margin-checks.ts'
import { findRow } from './position-row.ts'

const closing = new Close()

function floorDiv(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((-a + b - 1n) / b)
}

// Small numbers, so that many divide without remainder, and large ones whose product exceeds a
// float.
test('a share of a wallet is rounded down, also below zero', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2 ** 40 }))
  const wallet = fc.oneof(
    fc.integer({ min: -100, max: 100 }),
    fc.integer({ min: -(2 ** 51), max: 2 ** 51 }),
  )
  const check = (wallet: number, one: number, other: number) => {
    const part = Math.min(one, other)
    const whole = Math.max(one, other)
    const share = floorDiv(BigInt(wallet) * BigInt(part), BigInt(whole))
    assert.equal(BigInt(walletShare(wallet, part, whole)), share)
  }
  fc.assert(fc.property(wallet, size, size, check), { numRuns: 5_000 })
})

/** Tiers start within the range of the sizes; a second table is one that the market keeps. */
const starts = fc.constantFrom([], [700], [2_000], [1_000, 3_000])
const close = fc.record({
  tables: fc.array(starts, { minLength: 1, maxLength: 2 }),
  held: fc.integer({ min: 1, max: 400 }),
  part: fc.integer({ min: 1, max: 400 }),
  sign: fc.constantFrom(-1, 1),
  /** Maintenance of the other positions of the scope. */
  others: fc.constantFrom(0, 1, 17, 950),
  feePpm: fc.constantFrom(-100, 0, 453),
  equity: fc.oneof(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -9_000, max: 9_000 })),
})
type Drawn = typeof close extends fc.Arbitrary<infer D> ? D : never

/** Lots of eleven micro-dollars: margins are a few hundred, so that rounding decides. */
function smallMarket(scene: Scene, tables: Drawn['tables']): Market {
  const market = scene.state.markets[BTC]!
  const [own, ...kept] = tables.map((starts) => ({
    leverageMax: 50,
    riskTiers: starts.map((fromValue, at) => ({
      fromValue: fromValue as Quote,
      maxLeverage: [7, 2][at]!,
    })),
  }))
  market.changes = kept.map((kept) => ({ id: 0, at: 0, change: {}, kept }))
  market.setParams({ ...market.params, ...own })
  market.lotValue = market.longValue = market.shortValue = 11
  market.longUngapped = market.shortUngapped = 11
  return market
}

// Equity is drawn below zero, below maintenance and above it. The value of the close is the worst
// that leaves its lots their part of the position's share, and may be any number.
test('a close no worse than the bankruptcy price is allowed (MARGIN-5)', () => {
  const seen = { negative: 0, thin: 0, sound: 0 }
  const scene = given({ markets: ['BTC'], tiers: freeTiers, funds: { A: 10 ** 9, B: 10 ** 9 } })
  scene.buys('A', 'B', 1_000, 60_000)
  const row = findRow(scene.state.markets[BTC]!, scene.id('A'))
  const check = ({ tables, held, part, sign, others, feePpm, equity }: Drawn) => {
    const market = smallMarket(scene, tables)
    const lots = Math.min(held, part)
    scene.state.positions.lots[row] = -sign * held
    const own = maintenanceOf(market, held * 11)
    const { scope } = closing
    scope.equity = scope.ungapped = equity
    scope.maintenance = own + others
    // ⌊E × MM_i ÷ MM × n ÷ h⌋ may be lost, including the fee.
    const whole = BigInt(scope.maintenance) * BigInt(held)
    const share = Number(floorDiv(BigInt(equity) * BigInt(own) * BigInt(lots), whole))
    const paidFor = (lost: number) => lots * 11 + sign * lost
    // A price is positive.
    if (paidFor(share - 20) < 0 || paidFor(share + 20) < 0) return
    seen[equity < 0 ? 'negative' : equity < scope.maintenance ? 'thin' : 'sound'] += 1
    const feeFor = (lost: number) => feeOf(paidFor(lost) as Quote, feePpm as Ppm)
    /** The maximum loss against the mark such that loss and fee together do not exceed it. */
    const withoutFee = (total: number) => {
      let lost = total + 2
      while (lost + feeFor(lost) > total) lost -= 1
      return lost
    }
    const allows = (lost: number) => {
      Object.assign(closing, { lots, value: paidFor(lost), feePpm })
      return mayClose(scene.state, market, row, sign, closing)
    }
    const worst = withoutFee(share)
    assert.ok(allows(worst), `loses ${worst} of ${share}`)
    // A close allowed to an account below zero does not increase its debt.
    if (equity < 0) assert.ok(!allows(withoutFee(0) + 1), 'the debt grows')
  }
  fc.assert(fc.property(close, check), { numRuns: 5_000 })
  for (const [name, count] of Object.entries(seen)) assert.ok(count > 500, `${name}: ${count}`)
})

// The counter by which a bench divides its time.
test('an account with two positions is checked once for an order, and for a reducing one', () => {
  const scene = given({ tiers: freeTiers, funds: { A: 10 ** 10, B: 10 ** 12 } })
  scene.buys('A', 'B', 1_000, 60_000)
  scene.buys('A', 'B', 100, 30_000, ETH)
  const { counters } = scene.state
  const checksOf = (order: () => unknown) => {
    const before = counters.marginChecks
    order()
    return counters.marginChecks - before
  }
  assert.deepEqual(
    [
      checksOf(() => scene.bid('A', 10, 59_000)),
      checksOf(() => scene.ask('A', 10, 61_000, { reduceOnly: true })),
    ],
    [1, 1],
  )
})

// A forced transfer has no fee because none is set, and an aggressive order frees nothing.
test('reused records start empty', () => {
  for (const begun of [new Fill(), new Change(), new AccountSums(), new Health()])
    for (const [name, value] of Object.entries(begun)) assert.equal(Number(value), 0, name)
})
