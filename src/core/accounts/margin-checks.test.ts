import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ETH, freeTiers, given } from '../../../test/support/scene.ts'
import { Fill } from '../matching/fill.ts'
import { Health } from './equity.ts'
import { AccountSums } from './margin.ts'
import { Change, walletShare } from './margin-checks.ts'

function floorDiv(a: bigint, b: bigint): bigint {
  return a >= 0n ? a / b : -((-a + b - 1n) / b)
}

// Small numbers, so that many divide without a rest, and large ones whose product no float holds.
test('a share of a wallet is rounded down, of one in debt too', () => {
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

// What a bench divides its time by.
test('whoever has two positions is asked once for an order, and for one that reduces', () => {
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

// A forced transfer has no fee because nobody sets one, and an order that takes frees nothing.
test('what is used again and again begins with nothing in it', () => {
  for (const begun of [new Fill(), new Change(), new AccountSums(), new Health()])
    for (const [name, value] of Object.entries(begun)) assert.equal(Number(value), 0, name)
})
