import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candle } from '../wire.ts'
import { Candles } from './candles.ts'

const minute = 60_000
const startMs = 1_750_000_020_000

const candleAt = (t: number): Candle =>
  ({ t, T: t + minute, s: 'BTC', i: '1m', o: '1', c: '1', h: '1', l: '1', v: '0', n: 0 }) as Candle

/** A chart whose exchange knows `past` minutes before now; more can become known. */
function chart(past: number) {
  const known = { past, requests: 0, nowMs: startMs }
  const candles = new Candles(
    async ({ start, end }) => {
      known.requests += 1
      const all = Array.from({ length: known.past + 1 }, (_, back) =>
        candleAt(startMs - (known.past - back) * minute),
      )
      return all.filter(({ t }) => t + minute > start && t <= end)
    },
    () => known.nowMs,
  )
  return { known, candles }
}

const settled = () => new Promise((done) => setImmediate(done))

test('a nearly empty chart loads the past of a new sandbox when it arrives', async () => {
  const { known, candles } = chart(0)
  await candles.open('trade', 'BTC', '1m', startMs)
  await candles.older()
  assert.deepEqual([candles.rows.length, known.requests], [1, 2])
  known.past = 120
  candles.update(candleAt(startMs), 'trade')
  await settled()
  assert.equal(candles.rows.length, 1, 'not immediately')
  known.nowMs += 5_000
  candles.update(candleAt(startMs), 'trade')
  await settled()
  assert.equal(candles.rows.length, 121)
  assert.equal(candles.rows[0]!.t, startMs - 120 * minute)
})

test('a chart of a market without a past gives up asking, and a full one never does', async () => {
  for (const [past, most] of [
    [0, 7],
    [200, 1],
  ] as const) {
    const { known, candles } = chart(past)
    await candles.open('trade', 'BTC', '1m', startMs)
    for (let n = 0; n < 20; n++) {
      known.nowMs += 6_000
      candles.update(candleAt(startMs), 'trade')
      await settled()
    }
    assert.equal(known.requests, most)
  }
})
