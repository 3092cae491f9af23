// When each kind of source had the price that it says: its own time of the trade or quote, as its
// documentation has it, over a real socket.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceSourceKindNames, timeUnits } from '../../src/protocol/admin/price-source-kinds.ts'
import { tickers } from '../../src/sources/tickers/adapters/all-tickers.ts'
import { httpJsonWith } from '../../src/sources/tickers/adapters/http-json.ts'
import { exactJson } from '../../src/sources/tickers/exact-json.ts'
import type { Ticker } from '../../src/sources/tickers/ticker.ts'
import { PriceScene } from '../support/price-sources/price-scene.ts'

/** Pyth has whole seconds. */
const roundedMs = (kind: string, ms: number) =>
  kind === 'pyth' ? Math.floor(ms / 1_000) * 1_000 : ms

for (const kind of priceSourceKindNames)
  test(`${kind}: a price is as old as its own time says, also when sent again`, async () => {
    const scene = new PriceScene(kind)
    await scene.open()
    try {
      await scene.becomesLive(20)
      const words = scene.words(undefined, -400)
      const saidAt = roundedMs(kind, scene.now - 400)
      for (let second = 0; second < 3; second++) {
        await scene.second(() => scene.server.say(...words))
        await scene.until(() => (scene.wordOf(1)?.observedAgeMs ?? 0) >= 500)
        const word = scene.wordOf(1)!
        assert.equal(word.isTimed, true)
        assert.equal(word.observedAgeMs, scene.now - saidAt + 100)
        assert.equal(word.isFresh, true)
      }
      await scene.second(() => scene.server.say(...scene.words(undefined, 60_000)))
      const ahead = scene.wordOf(1)!
      assert.deepEqual([ahead.isTimed, ahead.observedAgeMs - ahead.ageMs], [false, 500])
    } finally {
      await scene.close()
    }
  })

const read = (ticker: Ticker, text: string, ...symbols: readonly string[]) => {
  const heard = ticker.read(exactJson(text)!, symbols)
  assert.equal(heard?.kind, 'prices')
  return heard.quotes
}

test('a quote is the exact middle of the best bid and ask', () => {
  const kraken = (bid: string, ask: string) =>
    read(
      tickers.kraken,
      `{"channel":"ticker","data":[{"symbol":"A/B","bid":${bid},"ask":${ask},"last":7}]}`,
    )[0]!.price
  assert.equal(kraken('100.1', '100.25'), '100.175')
  assert.equal(kraken('0.00000001', '0.00000002'), '0.000000015')
  assert.equal(kraken('1e2', '101'), '100.5')
  for (const [bid, ask] of [
    ['100.2', '100.1'],
    ['-1', '100'],
    ['null', '100'],
    ['100', 'null'],
  ] as const)
    assert.equal(kraken(bid, ask), '', `${bid} ${ask}`)
  const okx =
    '{"arg":{"channel":"tickers","instId":"A-B"},"data":[{"bidPx":"4","askPx":"","ts":"1"}]}'
  assert.equal(read(tickers.okx, okx)[0]!.price, '')
  const bybit = '{"topic":"orderbook.1.AB","ts":9,"data":{"s":"AB","b":[["4","1"]],"a":[]},"cts":7}'
  assert.deepEqual(read(tickers.bybit, bybit)[0], { symbol: 'AB', price: '', atMs: 7 })
  const bbo = '{"channel":"bbo","data":{"coin":"A","time":5,"bbo":[{"px":"4"},{"px":"5"}]}}'
  assert.deepEqual(read(tickers.hyperliquid, bbo)[0], { symbol: 'A', price: '4.5', atMs: 5 })
})

test('an http source has its times in any usual unit, rounded down, or for each market', () => {
  const texts = {
    ms: '1750000000123.9',
    s: '1750000000.1239',
    us: '"1750000000123999"',
    ns: '1750000000123999999',
    iso: '"2025-06-15T15:06:40.123Z"',
  }
  for (const unit of timeUnits) {
    const ticker = httpJsonWith({ paths: { '/p': '/t/0' }, unit })
    const [quote] = read(ticker, `{"p":5,"t":[${texts[unit]}]}`, '/p')
    assert.equal(quote!.atMs, 1_750_000_000_123, unit)
    for (const wrong of ['"soon"', '-5', 'null', '{}', '1e40'])
      assert.equal(read(ticker, `{"p":5,"t":[${wrong}]}`, '/p')[0]!.atMs, null, `${unit} ${wrong}`)
  }
  const two = httpJsonWith({ paths: { '/b': '/bt' }, unit: 's' })
  const quotes = read(two, '{"a":1,"b":2,"at":3,"bt":4}', '/a', '/b')
  assert.deepEqual(
    quotes.map(({ atMs }) => atMs),
    [null, 4_000],
  )
})
