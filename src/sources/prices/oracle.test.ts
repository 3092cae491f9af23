import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemorySequencer } from '../../../test/support/memory-sequencer.ts'
import { openingCommands, standardGenesis } from '../sandbox-markets.ts'
import { Oracle, type OracleTick } from './oracle.ts'
import { stepMs } from './price-simulation.ts'
import { freezeMs, scenarioNames, scenarioPath } from './scenarios.ts'

const now = 1_750_000_000_000
const BTC = 1

async function feed() {
  const exchange = new MemorySequencer(standardGenesis, () => ({ now: () => now }))
  await Promise.all(openingCommands().map((command) => exchange.submit(command)))
  const oracle = new Oracle({ seed: 'test', volatilityOf: () => 500_000 })
  const { state, view } = exchange
  const market = view.markets.get(BTC)!
  const at = (ms: number) => oracle.ticksAt(view, now + ms).find((tick) => tick.market === BTC)
  const setPrice = (price: number) => {
    state.markets[BTC]!.oracle = price
  }
  return { oracle, view, market, at, setPrice }
}

test('every market has a tick, and none of the simulation jumps', async () => {
  const { oracle, view } = await feed()
  const ticks = oracle.ticksAt(view, now + 250)
  assert.deepEqual(
    ticks.map(({ market }) => market),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.ok(ticks.every(({ jump }) => !jump))
})

// The same seed twice: one computes the price of every step, the other only what is due. So wild
// that a move of 0.25 % is neither rare nor the rule.
test('while a clock is advanced a move of 0.25 % becomes a tick with its step', async () => {
  const { view } = await feed()
  const wild = () => new Oracle({ seed: 'wild', volatilityOf: () => 8_000_000 })
  const [every, due] = [wild(), wild()]
  const first = (ticks: readonly OracleTick[]) => ticks.find(({ market }) => market === BTC)?.price
  const start = now - (now % 3_000) + 3_000
  let said = first(every.ticksAt(view, start))!
  assert.equal(first(due.dueTicksAt(view, start)), said)
  const seen = { inTime: 0, immediate: 0, none: 0 }
  for (let at = start + stepMs; at < start + 600_000; at += stepMs) {
    const price = first(every.ticksAt(view, at))!
    const inTime = at % 3_000 === 0
    const immediate = Math.abs(price - said) * 400 >= said
    assert.equal(first(due.dueTicksAt(view, at)), inTime || immediate ? price : undefined)
    if (inTime || immediate) said = price
    seen[inTime ? 'inTime' : immediate ? 'immediate' : 'none'] += 1
  }
  for (const count of Object.values(seen)) assert.ok(count > 100, JSON.stringify(seen))
})

test('immediate ticks are at least 100 ms apart', async () => {
  const { oracle, market, view, setPrice } = await feed()
  const isDue = (ms: number) => {
    return oracle.dueTicksAt(view, now + ms).some((tick) => tick.market === BTC)
  }
  oracle.ticksAt(view, now + 50)
  // The simulation goes on from a price that is far from what was said last.
  oracle.set(market, [90_000_000_000], now + 50)
  setPrice(80_000_000_000)
  oracle.resume(market, now + 50)
  assert.deepEqual([100, 149, 150, 151].map(isDue), [false, false, true, false])
})

test('a set price applies immediately and holds until it is resumed', async () => {
  const { oracle, market, at, setPrice } = await feed()
  const first = oracle.set(market, [90_000_000_000], now)
  assert.equal(first.price, 90_000_000_000)
  assert.equal(first.jump, true)
  for (const ms of [250, 3_000, 900_000]) {
    assert.equal(at(ms)!.price, 90_000_000_000)
    assert.equal(at(ms)!.jump, true)
  }
  setPrice(90_000_000_000)
  oracle.resume(market, now + 900_000)
  const after = at(900_250)!
  assert.equal(after.jump, false)
  assert.ok(Math.abs(after.price - 90_000_000_000) < 450_000_000)
})

test('a path is played one price per tick, and its last price holds', async () => {
  const { oracle, market, at } = await feed()
  assert.equal(oracle.set(market, [5, 6, 7], now).price, 5)
  assert.deepEqual(
    [250, 500, 750, 1_000].map((ms) => at(ms)!.price),
    [6, 7, 7, 7],
  )
})

test('after a scenario the simulation continues from its end', async () => {
  const { oracle, market, at } = await feed()
  const path = scenarioPath('crash', market.oracle)
  assert.equal(oracle.play('crash', market, now)!.price, path[0])
  const played = path.slice(1).map((_, step) => at((step + 1) * 250)!)
  assert.deepEqual(
    played.map(({ price }) => price),
    path.slice(1),
  )
  assert.ok(Math.min(...path) < 0.8 * market.oracle)
  const next = at((path.length + 1) * 250)!
  assert.equal(next.jump, false)
  assert.ok(Math.abs(next.price - path.at(-1)!) * 200 < next.price)
})

test('every path begins and ends near its price, and moves as its name says', () => {
  const price = 1_000_000
  for (const name of scenarioNames) {
    if (name === 'freeze') continue
    const path = scenarioPath(name, price)
    assert.ok(Math.abs(path[0]! - price) < 0.03 * price, name)
    const far = name === 'crash' || name === 'wick' ? Math.min(...path) : Math.max(...path)
    assert.ok(Math.abs(far - price) > 0.1 * price, name)
  }
  assert.ok(Math.abs(scenarioPath('wick', price).at(-1)! - price) < 0.01 * price)
})

test('a frozen feed stops for its time, or until it is resumed', async () => {
  const { oracle, market, at } = await feed()
  assert.equal(oracle.play('freeze', market, now), null)
  assert.equal(at(freezeMs - 1), undefined)
  assert.notEqual(at(freezeMs), undefined)
  oracle.play('freeze', market, now + freezeMs)
  assert.equal(at(freezeMs + 250), undefined)
  oracle.resume(market, now + freezeMs + 500)
  assert.notEqual(at(freezeMs + 750), undefined)
})

test('a saved oracle continues with its simulation and script', async () => {
  const { oracle, view, market, at } = await feed()
  at(1_000)
  oracle.set(market, [5, 6, 7, 8], now + 1_000)
  const copy = new Oracle({ seed: 'another', volatilityOf: () => 500_000 })
  copy.restore(view, JSON.parse(JSON.stringify(oracle.save())))
  for (const ms of [1_250, 1_500, 4_000])
    assert.deepEqual(copy.ticksAt(view, now + ms), oracle.ticksAt(view, now + ms))
})

test('a price never leaves the ticks a market has', async () => {
  const { oracle, market, at, setPrice } = await feed()
  oracle.set(market, [10 ** 15], now)
  setPrice(10 ** 15)
  oracle.resume(market, now)
  assert.equal(at(250)!.price, market.params.tickMax * 1_000_000)
})
