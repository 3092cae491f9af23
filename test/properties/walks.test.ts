// How far an order looks into the book before it is refused: an account that cannot pay for it must
// not make others wait while all of the book is read (ORDER-12).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '../support/scene.ts'

/** Levels that are looked at for an order which its account cannot pay. */
function looked(levels: number, kind: 'limit' | 'market'): number {
  const funds = { poor: 10_000_000, maker: 10 ** 12 }
  const scene = given({ markets: ['BTC'], market: { speedBumpMs: 200 }, funds })
  for (let at = 0; at < levels; at++) scene.ask('maker', 10, 60_010 + at, { tif: 'ALO' }).accepted()
  const { levels: pool } = scene.state
  const { worse } = pool
  let count = 0
  const counting = new Proxy(worse, {
    get: (array, at) => {
      if (typeof at === 'string' && /^\d+$/.test(at)) count += 1
      return array[at as never]
    },
  })
  // The twin is compared afterwards, with the book as it was.
  scene.quietly(() => {
    Object.assign(pool, { worse: counting })
    const { events } =
      kind === 'market'
        ? scene.take('poor', 'bid', 1_000_000, { slippagePpm: 50_000 })
        : scene.bid('poor', 1_000_000, 60_100, { tif: 'IOC' })
    Object.assign(pool, { worse })
    assert.match(JSON.stringify(events), /INSUFFICIENT_BALANCE/)
  })
  return count
}

test('an order that cannot be paid for reads no more of a deep book than of a thin one', () => {
  for (const kind of ['limit', 'market'] as const)
    assert.equal(looked(60, kind), looked(3, kind), kind)
})
