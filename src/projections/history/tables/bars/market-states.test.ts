import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../../../test/programs/differential/random.ts'
import { FedStore } from '../../../../../test/support/history/fed-store.ts'
import { Player, playedWorld, reservedOf } from '../../../../../test/support/history/played.ts'
import { viewOf } from '../../../../core/index.ts'
import { intervalEnd, intervalStart, intervals } from '../../../../units/intervals.ts'
import type { MarketStateQuery, MarketStateRow } from '../../history.ts'

const hourMs = 3_600_000

type Ends = Pick<MarketStateRow, 'oracle' | 'mark' | 'openInterest'>
type Seen = Map<number, (Ends & Readonly<{ atMs: number }>)[]>

/** What the core itself says of each market at this moment. */
function note(seen: Seen, { state, atMs }: Player): void {
  for (const { id, oracle, mark, openInterest } of viewOf(state as never).markets.all()) {
    if (oracle === 0) continue
    seen.set(id, [...(seen.get(id) ?? []), { atMs, oracle, mark, openInterest }])
  }
}

/** Interval after interval from the first price on, each searched from the end. */
function recounted(list: Seen extends Map<number, infer L> ? L : never, query: MarketStateQuery) {
  const { interval, startMs, endMs, before, limit } = query
  const rows: MarketStateRow[] = []
  const from = intervalStart(interval, Math.max(startMs ?? 0, list[0]!.atMs))
  for (let at = from; at <= endMs; at = intervalEnd(interval, at)) {
    if (before !== null && at >= before) break
    const next = intervalEnd(interval, at)
    const { atMs: _, ...ends } = list.findLast(({ atMs }) => atMs < next)!
    rows.push({ startMs: at, endMs: next, ...ends })
  }
  return rows.reverse().slice(0, limit)
}

function compare(fed: FedStore, seen: Seen, endMs: number, random: Random): void {
  for (const [market, list] of seen)
    for (const interval of intervals) {
      const first = list[0]!.atMs
      const at = () => random.between(first - hourMs, endMs + hourMs)
      const [startMs, late] = [at(), at()].sort((a, b) => a - b)
      const limit = random.pick([1, 2, 17, 4_000])
      for (const query of [
        { interval, startMs: null, endMs, before: null, limit: 4_000 },
        { interval, startMs: startMs!, endMs: late!, before: null, limit },
        { interval, startMs: null, endMs, before: at(), limit },
      ])
        assert.deepEqual(
          fed.ask('marketStates', market, query),
          recounted(list, query),
          `${market} ${JSON.stringify(query)}`,
        )
    }
}

for (const seed of [1, 8, 12])
  test(`open interest and prices are the core's at the end of each interval: world ${seed}`, () => {
    const { genesis, steps } = playedWorld(seed, 500)
    const player = new Player(genesis, seed)
    const fed = new FedStore(reservedOf(genesis))
    const random = new Random(seed)
    const seen: Seen = new Map()
    steps.forEach((step, index) => {
      player.play(step)
      note(seen, player)
      if (index % 60 !== 59) return
      fed.feed(player.batches)
      compare(fed, seen, player.atMs, random)
    })
    const lots = [...seen.values()].flatMap((list) => list.map(({ openInterest }) => openInterest))
    assert.ok(new Set(lots).size > 3)
  })

test('after a revert they are those of its snapshot', () => {
  const { genesis, steps } = playedWorld(0, 500)
  const player = new Player(genesis, 0)
  const seen: Seen = new Map()
  for (const step of steps.slice(0, 250)) {
    player.play(step)
    note(seen, player)
  }
  player.snapshot('there')
  for (const step of steps.slice(250)) player.play(step)
  player.revert('there')
  const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
  compare(fed, seen, player.atMs, new Random(0))
})

test('where history begins in the middle, they begin with the state of that moment', () => {
  const atMs = 1_751_562_038_125
  const state = { oracle: 100, mark: 101, openInterest: 7 }
  const market = { market: 1, backstop: 4, unitValue: 1, ...state }
  const opening = { atMs, markets: [market], accounts: [], positions: [] }
  const fed = new FedStore(['fees', 'insurance', 'deficit'], { fromSeq: 5, opening })
  compare(fed, new Map([[1, [{ atMs, ...state }]]]), atMs + hourMs, new Random(1))
})
