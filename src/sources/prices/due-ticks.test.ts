// What a tick says of its age, and that orders which wait for one get it as soon as there is one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../../../test/support/manual-time.ts'
import { MemorySequencer } from '../../../test/support/memory-sequencer.ts'
import type { Command } from '../../core/index.ts'
import { VenueClock } from '../clock.ts'
import { openingCommands, standardGenesis } from '../sandbox-markets.ts'
import { samplesMin } from './latency.ts'
import { observed } from './observation.ts'
import { PriceFeed } from './price-feed.ts'

const start = 1_750_000_000_000

async function venue(sources = ['one', 'two', 'three']) {
  const time = new ManualTime(start)
  // A monotonic clock counts from anywhere.
  const monotonic = () => time.now - start + 77.25
  const clock = new VenueClock(time.wall, 0)
  const exchange = new MemorySequencer(standardGenesis, () => clock)
  await Promise.all(openingCommands().map((command) => exchange.submit(command)))
  const ticks: (number | null)[] = []
  const port = {
    view: exchange.view,
    submit: (command: Command) => {
      if (command.type === 'OracleTick') ticks.push(command.observedAtMs)
      return exchange.submit(command)
    },
  }
  const due = { arrival: null as number | null, within: 1_000 }
  const feed = new PriceFeed({
    ...{ exchange: port, wall: time.wall, monotonic, timers: time.timers },
    engineNow: () => clock.now(),
    weights: new Map(sources.map((name) => [name, 1])),
    due: {
      dueArrival: (market) => (market === 1 ? due.arrival : null),
      observedWithinMs: () => due.within,
    },
    fault: (error) => {
      throw error
    },
  })
  feed.start()
  const { oracle } = exchange.state.markets[1]!
  const push = (source: string, ownMs: number | null) =>
    assert.equal(feed.push(source, 1, oracle, observed(ownMs, time.now)), 'taken')
  const pushAll = () => {
    for (const source of sources) push(source, time.now)
  }
  /** Live, all first ticks behind it, and the last one half a second ago. */
  const settle = async () => {
    for (let times = 0; times < 8; times++) {
      pushAll()
      await time.pass(250)
    }
    await time.pass(500)
    ticks.length = 0
  }
  return { time, exchange, feed, ticks, due, push, pushAll, settle, market: 1 }
}

test('an observation is the own time less 100 ms, or the receipt less 500', () => {
  assert.deepEqual(observed(1_000, 1_040), { ageMs: 140, isTimed: true })
  assert.deepEqual(observed(1_000, 1_000), { ageMs: 100, isTimed: true })
  assert.deepEqual(observed(1_001, 1_000), { ageMs: 500, isTimed: false })
  assert.deepEqual(observed(null, 1_000), { ageMs: 500, isTimed: false })
  assert.deepEqual(observed(1_000, 1_040, 60), { ageMs: 200, isTimed: true })
  assert.deepEqual(observed(null, 1_000, 60), { ageMs: 560, isTimed: false })
})

test('a tick says in engine time when most of its sources had the price', async () => {
  const { time, ticks, push } = await venue()
  push('one', start - 40)
  push('two', start - 300)
  await time.pass(0)
  assert.deepEqual(ticks, [start - 400], 'of two both')
  push('three', null)
  await time.pass(250)
  assert.deepEqual(ticks.slice(1), [start - 400], 'of three two')
  push('two', start + 250)
  await time.pass(250)
  assert.deepEqual(ticks.slice(2), [start - 140], 'the second newest of three')
})

test('a trade that is sent again keeps its time', async () => {
  const { time, ticks, push } = await venue(['one', 'two'])
  for (let second = 0; second < 12; second++) {
    push('one', start - 40)
    push('two', time.now)
    await time.pass(500)
  }
  assert.ok(ticks.length >= 5)
  assert.deepEqual([...new Set(ticks)], [start - 140])
})

test('an order that is due has its tick as soon as one would release it', async () => {
  const { time, feed, ticks, due, push, settle } = await venue()
  await settle()
  const arrival = time.now
  await time.pass(200)
  due.arrival = arrival
  feed.refresh()
  await time.pass(0)
  assert.deepEqual(ticks, [], 'what was observed before its arrival does not release it')
  push('one', time.now)
  push('two', arrival + 99)
  await time.pass(0)
  assert.deepEqual(ticks, [], 'most sources were observed a millisecond before')
  push('two', arrival + 100)
  await time.pass(0)
  assert.deepEqual(ticks, [arrival])
  due.arrival = null
  await time.pass(2_000)
  assert.deepEqual(ticks, [arrival])
})

test('an order whose speed bump ends between two prices has its tick then', async () => {
  const { time, feed, ticks, due, pushAll, settle } = await venue()
  await settle()
  const arrival = time.now
  await time.pass(150)
  pushAll()
  await time.pass(50)
  assert.deepEqual(ticks, [])
  due.arrival = arrival
  feed.refresh()
  await time.pass(0)
  assert.deepEqual(ticks, [arrival + 50])
})

test('ticks for orders that are due are 100 ms apart at least', async () => {
  const { time, ticks, due, pushAll, settle } = await venue()
  await settle()
  due.arrival = start
  const from = time.now
  const at: number[] = []
  for (let ms = 0; ms < 1_000; ms += 10) {
    const before = ticks.length
    pushAll()
    await time.pass(10)
    if (ticks.length > before) at.push(time.now - from)
  }
  assert.deepEqual(at, [10, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000])
})

/** How long takers wait who arrive at all moments, by how often each source sends a price. */
async function waitsWith(everyMs: readonly number[]): Promise<readonly number[]> {
  const bumpMs = 200
  const sources = everyMs.map((_, at) => `${at}`)
  const { time, feed, ticks, due, push, settle } = await venue(sources)
  await settle()
  const from = time.now
  const waits: number[] = []
  let arrival = time.now + 400
  while (waits.length < 30) {
    // Sources do not send at the same moments.
    everyMs.forEach((every, at) => {
      if ((time.now - from + 370 * at) % every === 0) push(`${at}`, time.now)
    })
    if (time.now >= arrival + bumpMs && due.arrival === null) due.arrival = arrival
    if (due.arrival !== null) feed.refresh()
    await time.pass(0)
    if (due.arrival !== null && ticks.some((observed) => observed! >= arrival)) {
      waits.push(time.now - arrival)
      due.arrival = null
      // Each at another moment of the second, none before the last one was released.
      arrival += 1_370
    }
    ticks.length = 0
    await time.pass(10)
  }
  return waits.sort((one, other) => one - other)
}

// docs/operating/price-sources.md has more of them.
test('takers wait little longer than the speed bump with two fast sources', async () => {
  const waits = await waitsWith([1_000, 50, 100])
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
  assert.deepEqual([mean, waits.at(-1)], [200, 200])
})

test('no tick is hurried that would release nothing', async () => {
  const { time, feed, ticks, due, settle } = await venue()
  await settle()
  due.arrival = start
  due.within = 499
  feed.refresh()
  await time.pass(0)
  assert.deepEqual(ticks, [], 'its observation is too old')
  due.within = 1_000
  feed.refresh()
  await time.pass(0)
  assert.equal(ticks.length, 1)
})

test('in a stale market orders hurry nothing: its own ticks bring it back first', async () => {
  const { time, ticks, due, pushAll, exchange } = await venue()
  await exchange.submit({ type: 'EngineStarted' })
  due.arrival = start - 1_000
  const at: number[] = []
  for (let ms = 0; ms < 1_400; ms += 10) {
    const before = ticks.length
    pushAll()
    await time.pass(10)
    if (ticks.length > before) at.push(time.now - start)
  }
  assert.deepEqual(at, [10, 250, 500, 750, 1_000, 1_100, 1_200, 1_300, 1_400])
})

test('the latency is the median age of a minute, without the allowance for clocks', async () => {
  const { time, feed, pushAll } = await venue()
  assert.equal(feed.latencyOf(1), null)
  for (let times = 0; times < samplesMin; times++) {
    await time.pass(460)
    pushAll()
    await time.pass(40)
  }
  assert.equal(feed.latencyOf(1), 40)
  for (let times = 0; times < 120; times++) {
    pushAll()
    await time.pass(500)
  }
  assert.equal(feed.latencyOf(1), 500)
  assert.equal(feed.latencyOf(2), null)
  feed.close()
  assert.equal(time.armed, 0)
})
