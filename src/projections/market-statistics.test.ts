import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FedStore } from '../../test/support/history/fed-store.ts'
import { NaiveHistory } from '../../test/support/history/naive-history.ts'
import {
  type PlayedOutcome,
  Player,
  playedWorld,
  reservedOf,
} from '../../test/support/history/played.ts'
import { sandboxScene } from '../../test/support/sandbox-scene.ts'
import { createMarketStatistics, type MarketStatistics, type Recent } from './market-statistics.ts'

const dayMs = 86_400_000
const minuteMs = 60_000
const markets = [1, 2, 3, 4]
// Mixed, crash, funding and days: the last jumps over hours and midnights.
const seeds = [0, 6, 22, 7]

/** Everything at some times around and after the end, in rising order. */
function shown(statistics: MarketStatistics, atMs: number) {
  return [0, 1, 30, 600, 1_439, 1_440, 1_441, 5_000].map((minutes) =>
    markets.map((market) => ({
      trades: statistics.trades(market, 1_000),
      volume: statistics.volume24h(market, atMs + minutes * minuteMs),
      oracle: statistics.oracle24hAgo(market, atMs + minutes * minuteMs),
    })),
  )
}

function recentOf(fed: FedStore, atMs: number): Recent {
  const since = Math.floor(atMs / minuteMs) - 1_440
  const trades = fed.ask('recentTrades', 1_000)
  return { seq: fed.store.seq, trades, minutes: fed.ask('recentMinutes', since) }
}

/** From the events, minute by minute. */
function naiveShown(outcomes: readonly PlayedOutcome[], tape: NaiveHistory, atMs: number) {
  const minuteOf = (ms: number) => Math.floor(ms / minuteMs)
  const published = outcomes.flatMap(({ atMs, events }) => events.map((event) => ({ atMs, event })))
  const volume = (market: number, now: number) =>
    published
      .filter((one) => minuteOf(one.atMs) > minuteOf(now) - 1_440)
      .flatMap(({ event }) => (event.type === 'Traded' && event.market === market ? [event] : []))
      .reduce((sum, { value }) => sum + value, 0)
  const oracle = (market: number, now: number) => {
    const prices = published.flatMap(({ atMs, event }) =>
      event.type === 'MarkUpdated' && event.market === market
        ? [{ minute: minuteOf(atMs), oracle: event.oracle }]
        : [],
    )
    const before = prices.filter(({ minute }) => minute <= minuteOf(now) - 1_440).at(-1)
    if (before !== undefined) return before.oracle
    // The oldest known, at the end of its minute.
    return prices.filter(({ minute }) => minute === prices[0]?.minute).at(-1)?.oracle ?? 0
  }
  return [0, 1, 30, 600, 1_439, 1_440, 1_441, 5_000].map((minutes) =>
    markets.map((market) => ({
      trades: tape.trades
        .filter((row) => row.market === market)
        .reverse()
        .slice(0, 1_000),
      volume: volume(market, atMs + minutes * minuteMs),
      oracle: oracle(market, atMs + minutes * minuteMs),
    })),
  )
}

for (const seed of seeds)
  test(`trades, volume and yesterday's price are those of a plain recount: world ${seed}`, () => {
    const { genesis, player } = playedWorld(seed, 1_000)
    const naive = new NaiveHistory(reservedOf(genesis))
    for (const outcome of player.outcomes) naive.take(outcome)
    const live = createMarketStatistics()
    for (const batch of player.batches) live.feed(batch)
    for (const batch of player.batches) live.feed(batch)
    const expected = naiveShown(player.outcomes, naive, player.atMs)
    assert.deepEqual(shown(live.statistics, player.atMs), expected)
  })

for (const seed of seeds)
  test(`statistics loaded from the store equal those that were fed: world ${seed}`, () => {
    const { genesis, player } = playedWorld(seed, 1_000)
    const live = createMarketStatistics()
    for (const batch of player.batches) live.feed(batch)
    const cut = Math.floor(player.batches.length / 2)
    const at = player.batches[cut - 1]!.outcomes.at(-1)!.atMs
    const fed = new FedStore(reservedOf(genesis)).feed(player.batches.slice(0, cut))
    const loaded = createMarketStatistics()
    loaded.load(recentOf(fed, at))
    for (const batch of player.batches) loaded.feed(batch)
    assert.deepEqual(shown(loaded.statistics, player.atMs), shown(live.statistics, player.atMs))
  })

test('after a revert they are reloaded, and events fed meanwhile count once', () => {
  const { genesis, steps, player: whole } = playedWorld(6, 700)
  const live = createMarketStatistics()
  for (const batch of whole.batches) live.feed(batch)
  const player = new Player(genesis, 3)
  for (const step of steps.slice(0, 300)) player.play(step)
  player.snapshot('there')
  for (const step of steps.slice(300, 450)) player.play(step)
  player.revert('there')
  const reverted = player.lastSeq
  const at = player.atMs
  for (const step of steps.slice(300)) player.play(step)
  const reserved = reservedOf(genesis)
  const drop = (rows: ReturnType<typeof shown>) =>
    rows.map((row) =>
      row.map((one) => ({ ...one, trades: one.trades.map((t) => ({ ...t, seq: 0 })) })),
    )
  const expected = drop(shown(live.statistics, whole.atMs))
  const upTo = player.batches.findIndex(({ outcomes }) => outcomes.at(-1)!.seq >= reverted) + 1
  // The store may have read more than the revert when it is queried.
  for (const more of [0, 5]) {
    const fed = new FedStore(reserved).feed(player.batches.slice(0, upTo + more))
    const again = createMarketStatistics()
    for (const batch of player.batches.slice(0, upTo + 9)) again.feed(batch)
    assert.ok(again.needsLoad())
    const stale = new FedStore(reserved).feed(player.batches.slice(0, upTo - 30))
    again.load(recentOf(stale, at))
    assert.ok(again.needsLoad(), 'an answer from before the revert is none')
    again.load(recentOf(fed, at))
    assert.ok(!again.needsLoad())
    again.load(recentOf(fed, at))
    for (const batch of player.batches.slice(upTo)) again.feed(batch)
    assert.deepEqual(drop(shown(again.statistics, whole.atMs)), expected)
  }
})

test('several days may pass in one step', () => {
  // A world in which the first market trades.
  const worlds = Array.from({ length: 20 }, (_, seed) => playedWorld(seed, 400))
  const played = worlds.map(({ player }) => {
    const live = createMarketStatistics()
    for (const batch of player.batches) live.feed(batch)
    return { player, live }
  })
  const { player, live } = played.find(({ live }) => live.statistics.trades(1, 3).length === 3)!
  const newest = live.statistics.oracle24hAgo(1, player.atMs + dayMs)
  for (const days of [2, 31, 400]) {
    const atMs = player.atMs + days * dayMs
    assert.equal(live.statistics.volume24h(1, atMs), 0)
    assert.equal(live.statistics.oracle24hAgo(1, atMs), newest)
  }
  assert.ok(newest > 0)
})

test('an unknown market has no statistics', () => {
  const { statistics } = createMarketStatistics()
  assert.deepEqual(statistics.trades(7, 10), [])
  assert.equal(statistics.volume24h(7, 0), 0)
  assert.equal(statistics.oracle24hAgo(7, 0), 0)
})

test('simulated history that comes late counts as after a load', async () => {
  const { exchange, waker, sandbox } = sandboxScene('past', undefined, undefined, 1_440)
  const fed = new FedStore(exchange.state.accounts.records.slice(1).map(({ address }) => address))
  const live = createMarketStatistics()
  live.load({ seq: 0, trades: [], minutes: [] })
  exchange.onBatch = (outcomes) => {
    fed.feed([{ timeline: 0, outcomes }])
    live.feed({ timeline: 0, outcomes })
    waker.rearm()
  }
  await sandbox.start()
  const opened = exchange.state.atMs
  const before = markets.map((market) => live.statistics.volume24h(market, opened))
  sandbox.fillPast()
  while (exchange.state.notes.has('past')) await new Promise((next) => setImmediate(next))
  const { atMs } = exchange.state
  const loaded = createMarketStatistics()
  loaded.load(recentOf(fed, atMs))
  const after = shown(live.statistics, atMs)
  assert.deepEqual(after, shown(loaded.statistics, atMs))
  for (const [at, { volume }] of after[0]!.entries()) assert.ok(volume > before[at]!)
  await sandbox.close()
})
