import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { priceSourceKindNames, priceSourceKinds } from '../protocol/admin/price-source-kinds.ts'
import { ConfigError } from './config-error.ts'

const token = (name: string, weight = '') => `${name}:0123456789abc-${name}:prices${weight}`
const venue = ['--mode', 'venue', '--admin-tokens', `ops:0123456789abcdef:read,${token('door')}`]

const read = (...sources: readonly object[]) =>
  readConfig([...venue, '--price-sources', JSON.stringify(sources)], {}, '/').priceSources

const refused = (source: unknown, words: RegExp) =>
  assert.throws(
    () => readConfig([...venue, '--price-sources', JSON.stringify([source])], {}, '/'),
    (error: Error) => error instanceof ConfigError && words.test(error.message),
    `${JSON.stringify(source)} ${words}`,
  )

test('by default there is no source, and most settings of a source have a default', () => {
  assert.deepEqual(readConfig(venue, {}, '/').priceSources, [])
  assert.deepEqual(read({ kind: 'binance', symbols: { BTC: 'BTCUSDT' } }), [
    {
      kind: 'binance',
      name: 'binance',
      symbols: { BTC: 'BTCUSDT' },
      weight: 1,
      url: null,
      token: null,
      everyMs: 250,
      time: null,
    },
  ])
})

test('each kind accepts its documented example', () => {
  for (const kind of priceSourceKindNames) {
    const { example, schemes } = priceSourceKinds[kind]
    const [source] = read({ kind, symbols: { BTC: example }, url: `${schemes[0]}//example.org` })
    assert.equal(source!.symbols.BTC, example)
  }
})

test('an invalid setting is named with what is accepted', () => {
  const good = { kind: 'binance', symbols: { BTC: 'BTCUSDT' } }
  refused(7, /--price-sources\[0\] must be an object such as/)
  refused({ ...good, kind: 'binanse' }, /\[0\]\.kind must be one of binance, bybit, .* "binanse"/)
  refused({ ...good, colour: 1 }, /\[0\] has no field colour; there are kind, name, symbols/)
  refused({ ...good, symbols: {} }, /symbols must name 1 to 64 markets, .* \{"BTC":"BTCUSDT"\}/)
  refused({ ...good, symbols: { BTC: 'btc-usdt' } }, /symbols\.BTC must be .* BTCUSDT, not "btc-/)
  refused({ ...good, symbols: { 'B C': 'X' } }, /"B C" is not a market symbol/)
  refused({ ...good, weight: 0 }, /weight must be a whole number from 1 to 1000, not 0/)
  refused({ ...good, name: 'a b' }, /name must be 1 to 64 letters/)
  refused({ ...good, url: 'https://x' }, /url must be an address that begins with wss:\/\/ or ws/)
  refused({ ...good, token: 'x' }, /token is for pyth and http; binance needs none/)
  refused({ ...good, everyMs: 500 }, /everyMs is for http; binance streams its prices/)
  const http = { kind: 'http', symbols: { BTC: '/price' } }
  refused(http, /url must be an address that begins with https:\/\/ or http:\/\/ \(required\)/)
  const polled = { ...http, url: 'https://x' }
  refused(
    { ...good, timePath: '/time' },
    /timePath and \.timeUnit are for http; binance has its own/,
  )
  refused({ ...polled, timeUnit: 's' }, /\[0\]\.timeUnit needs --price-sources\[0\]\.timePath/)
  refused({ ...polled, timePath: 'time' }, /timePath must be the JSON pointer .* not "time"/)
  refused({ ...polled, timePath: { ETH: '/t' } }, /timePath must be .* such as \{"BTC":/)
  refused({ ...polled, timePath: {} }, /timePath must be the JSON pointer/)
  refused(
    { ...polled, timePath: '/t', timeUnit: 'h' },
    /timeUnit must be one of ms, s, us, ns, iso/,
  )
  refused({ ...polled, everyMs: 5_000 }, /everyMs must be a whole number from 250 to 2000/)
  refused({ ...polled, symbols: { BTC: 'price' } }, /such as \/data\/0\/price, not "price"/)
})

test('an address and a token may be secret, and no message contains them', () => {
  for (const source of [
    { kind: 'http', symbols: { BTC: '/p' }, url: 'ftp://user:hidden@x' },
    { kind: 'http', symbols: { BTC: '/p' }, url: 'https://x', token: 'hidden hidden' },
  ])
    assert.throws(
      () => read(source),
      (error: Error) => !error.message.includes('hidden'),
    )
})

test('names are unique, and a sandbox has no sources', () => {
  const symbols = { BTC: 'BTCUSDT' }
  const binance = { kind: 'binance', symbols }
  assert.throws(() => read(binance, binance), /two sources of prices are called binance/)
  assert.throws(() => read({ ...binance, name: 'door' }), /two sources of prices are called door/)
  assert.equal(read(binance, { ...binance, name: 'other' }).length, 2)
  const flags = ['--price-sources', JSON.stringify([binance])]
  assert.throws(() => readConfig(flags, {}, '/'), /priceSources need mode venue/)
  assert.throws(
    () => readConfig([...venue, '--price-sources', '[{'], {}, '/'),
    /--price-sources must be JSON: /,
  )
})

test('with three sources no weight reaches half', () => {
  const of = (name: string, weight: number, ...markets: readonly string[]) => ({
    ...{ kind: 'binance', name, weight },
    symbols: Object.fromEntries(markets.map((market) => [market, 'XUSDT'])),
  })
  assert.throws(
    () => read(of('a', 1, 'BTC'), of('b', 2, 'BTC')),
    /the price source b has the weight 2 of 4 of BTC; with three .*: maximum 1 with these other/,
  )
  // Each market has two sources: the token source, which has any market, and one of the others.
  assert.equal(read(of('a', 1, 'BTC'), of('b', 2, 'ETH')).length, 2)
})

test('an http price has its time at one place for all markets, or one for each', () => {
  const http = { kind: 'http', symbols: { BTC: '/b', ETH: '/e' }, url: 'https://x' }
  const times = read(
    { ...http, timePath: '/time' },
    { ...http, name: 'two', timePath: { ETH: '/t' } },
  )
  assert.deepEqual(
    times.map(({ time }) => time),
    [
      { paths: { BTC: '/time', ETH: '/time' }, unit: 'ms' },
      { paths: { ETH: '/t' }, unit: 'ms' },
    ],
  )
  assert.equal(read({ ...http, timePath: '', timeUnit: 'iso' })[0]!.time?.unit, 'iso')
})
