import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../../../test/programs/differential/random.ts'
import { FedStore } from '../../../../test/support/history/fed-store.ts'
import { fits } from '../../../../test/support/history/naive-words.ts'
import { playedWorld, reservedOf } from '../../../../test/support/history/played.ts'
import { type Event, fillsOf } from '../../../core/index.ts'
import type { LiquidationRow, Page } from '../history.ts'

/** Fills of liquidated sides, as docs/rules/liquidation.md names them. */
function forcedIn(event: Event, atMs: number): LiquidationRow[] {
  return fillsOf(event)
    .filter(({ cause, role, kind }) => {
      if (cause === 'market_liquidation') return role === 'taker'
      if (cause === 'backstop_liquidation') return kind.startsWith('force')
      return cause === 'deleverage'
    })
    .map(({ history, market, kind, cause, lots, price, value }) => {
      return { history, atMs, market, kind, cause, lots, price, value }
    })
}

// Worlds that have all three kinds.
const seeds = [1, 12, 13]

test('liquidations are the forced fills of all accounts, by market, time and cursor', () => {
  const causes = new Set<string>()
  for (const seed of seeds) {
    const { genesis, player } = playedWorld(seed, 700)
    const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
    const wanted = player.outcomes
      .flatMap(({ events, atMs }) => events.flatMap((event) => forcedIn(event, atMs)))
      .reverse()
    for (const { cause } of wanted) causes.add(cause)
    const random = new Random(seed)
    const maybe = (value: number) => (random.chance(0.5) ? null : value)
    const moment = () => random.pick(player.outcomes).atMs
    for (let n = 0; n < 40; n++) {
      const [startMs, endMs] = [moment(), moment()].sort((a, b) => a - b)
      const page: Page = {
        market: maybe(random.between(1, 4)),
        startMs: maybe(startMs!),
        endMs: maybe(endMs!),
        before: maybe(random.pick(wanted).history + random.below(2)),
        limit: random.pick([1, 3, 1_000]),
      }
      const { before, limit } = page
      const expected = wanted
        .filter(({ market, atMs }) => fits(market, atMs, page))
        .filter(({ history }) => before === null || history < before)
        .slice(0, limit)
      assert.deepEqual(fed.ask('liquidations', page), expected, JSON.stringify(page))
    }
  }
  assert.deepEqual([...causes].sort(), ['backstop_liquidation', 'deleverage', 'market_liquidation'])
})
