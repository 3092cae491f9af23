import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { given } from '../../../test/support/scene.ts'
import { ConfigError, readConfig } from '../../config.ts'
import { leverageFault } from '../../protocol/admin/leverage-limits.ts'
import { LatencyWatch, watchEveryMs } from './latency-watch.ts'
import { requireLeverage } from './require-leverage.ts'

function logging() {
  const lines: string[] = []
  const write = (line: string) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    lines.push(`${level === 50 ? 'error' : 'warn'} ${msg}`)
  }
  return { lines, log: pino({ level: 'warn' }, { write }) }
}

const settings = (...more: readonly string[]) =>
  readConfig(['--mode', 'venue', '--admin-tokens', 'a:0123456789abcdef:prices', ...more], {}, '/')

const overrides = { leverageOverrides: { BTC: 'hedged' } }

test('with one source the maximum is 5, with slow prices 20', () => {
  const fault = (leverageMax: number, minSources: number, latencyMs: number | null) =>
    leverageFault({ symbol: 'BTC', leverageMax, minSources }, latencyMs)
  assert.equal(fault(5, 1, null), null)
  assert.match(fault(6, 1, null) ?? '', /^max_leverage of BTC is 6, .* the maximum is 5 unless/)
  assert.equal(fault(50, 2, null), null)
  assert.equal(fault(50, 2, 1_000), null)
  assert.equal(fault(20, 2, 9_000), null)
  assert.match(fault(21, 2, 1_001) ?? '', /latency of its prices is 1001 ms: the maximum is 20/)
})

test('a venue does not start with leverage on one source, unless it is overridden', () => {
  const { view } = given({ markets: ['BTC'], market: { minSources: 1, leverageMax: 50 } })
  const { lines, log } = logging()
  assert.throws(() => requireLeverage(settings(), view, log), ConfigError)
  requireLeverage({ mode: 'sandbox', leverageOverrides: {} }, view, log)
  assert.deepEqual(lines, [])
  requireLeverage({ ...settings(), ...overrides }, view, log)
  const allowed = '(allowed by leverageOverrides)'
  assert.deepEqual(lines, [`warn BTC exceeds the leverage limit of its price sources ${allowed}`])
})

test('slow prices are logged once, as an error where the leverage is too high', async () => {
  const { view } = given({ markets: ['BTC'], market: { leverageMax: 50 } })
  const time = new ManualTime(0)
  const { lines, log } = logging()
  let latency: number | null = null
  const watchOf = (config: ReturnType<typeof settings>) =>
    new LatencyWatch({
      ...{ config, log, timers: time.timers, view: () => view },
      feed: { latencyOf: () => latency },
    })
  const watch = watchOf(settings())
  watch.start()
  for (const ms of [null, 250, 251, 300, 250, 1_001]) {
    latency = ms
    await time.pass(watchEveryMs)
  }
  watch.close()
  assert.equal(time.armed, 0)
  const slow = 'prices of BTC are slow: median latency'
  assert.deepEqual(
    lines.map((line) => line.slice(0, 58)),
    [`warn ${slow} 251 ms in the `, `error ${slow} 1001 ms in the`].map((each) =>
      each.slice(0, 58),
    ),
  )
  const overridden = watchOf({ ...settings(), ...overrides })
  overridden.start()
  await time.pass(watchEveryMs)
  overridden.close()
  assert.match(lines[2] ?? '', /^warn .* 1001 ms .*, maximum 250 ms$/)
})

test('a start says which markets have no time of their prices', () => {
  const sources = [{ kind: 'http', url: 'https://x', symbols: { BTC: '/b' } }]
  const config = settings('--price-sources', JSON.stringify(sources))
  const { view } = given({ markets: ['BTC'] })
  const { lines, log } = logging()
  const { timers } = new ManualTime(0)
  const feed = { latencyOf: () => null }
  const watch = new LatencyWatch({ config, view: () => view, feed, log, timers })
  watch.start()
  watch.close()
  assert.match(lines.join(), /^warn most sources of BTC give no time of their prices/)
})

test('overrides need a reason', () => {
  const read = (text: string) => settings('--leverage-overrides', text).leverageOverrides
  assert.deepEqual(read('{"BTC":"hedged"}'), { BTC: 'hedged' })
  assert.deepEqual(read(''), {})
  for (const wrong of ['[]', '7', '{', '{"BTC":""}', '{"BTC":7}'])
    assert.throws(() => read(wrong), ConfigError, wrong)
})
