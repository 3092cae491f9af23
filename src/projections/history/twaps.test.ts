import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FedStore } from '../../../test/support/history/fed-store.ts'
import {
  type PlayedOutcome,
  playedWorld,
  reservedOf,
} from '../../../test/support/history/played.ts'
import { twapEventNames } from '../../protocol/words.ts'
import type { TwapRow } from './history.ts'

type Step = Pick<TwapRow, 'event' | 'status' | 'past' | 'filledLots' | 'filledValue' | 'atMs'>

/** The steps of every TWAP, computed from the events alone: oldest first, by its order id. */
function naiveSteps(outcomes: readonly PlayedOutcome[]): Map<number, Step[]> {
  const all = new Map<number, Step[]>()
  const parents = new Map<number, number>()
  const sizes = new Map<number, number>()
  const add = (id: number, atMs: number, change: Partial<Step>) => {
    const steps = all.get(id) ?? []
    const none = { event: 'twap_created', status: 'open', past: 0, filledLots: 0 } as const
    const before = steps.at(-1) ?? { ...none, filledValue: 0, atMs }
    all.set(id, [...steps, { ...before, ...change, atMs }])
  }
  for (const { events, atMs } of outcomes)
    events.forEach((event) => {
      if (event.type === 'AlgoPlaced' && event.kind === 'twap') {
        sizes.set(event.order, event.size)
        add(event.order, atMs, {})
      } else if (event.type === 'AlgoStepped' && sizes.has(event.algo))
        add(event.algo, atMs, { event: 'twap_triggered', past: event.step })
      else if (event.type === 'OrderPlaced' && sizes.has(event.parent))
        parents.set(event.order, event.parent)
      else if (event.type === 'Traded' && parents.has(event.takerOrder)) {
        const id = parents.get(event.takerOrder)!
        const { filledLots, filledValue } = all.get(id)!.at(-1)!
        const filled = filledLots + event.lots
        add(id, atMs, {
          event: 'fulfill_market',
          filledLots: filled,
          filledValue: filledValue + event.value,
          status: filled === sizes.get(id) ? 'filled' : 'partially_filled',
        })
      } else if (event.type === 'AlgoEnded' && sizes.has(event.algo)) {
        const done = event.reason === 'finished'
        if (done && event.filled === sizes.get(event.algo)) return
        const name = event.reason === 'owner' ? 'cancel' : 'force_cancel'
        add(event.algo, atMs, { status: 'cancelled', event: done ? 'expired' : name })
      }
    })
  return all
}

test('TWAPs and their steps are those of a plain recount', () => {
  const seen = new Set<string>()
  let count = 0
  for (const seed of [0, 1, 5, 6, 15, 26]) {
    const { genesis, player } = playedWorld(seed, 1_500)
    const fed = new FedStore(reservedOf(genesis)).feed(player.batches)
    const naive = naiveSteps(player.outcomes)
    for (const [id, expected] of naive) {
      count += 1
      const steps = fed.ask('twapSteps', id)
      const shown = steps.map(
        ({ event, status, past, filledLots, filledValue, atMs }): Step => ({
          ...{ event, status, past, filledLots, filledValue, atMs },
        }),
      )
      assert.deepEqual(shown, expected.toReversed(), `TWAP ${id} of world ${seed}`)
      for (const { event } of expected) seen.add(event)
    }
    const addresses = player.state.accounts.records.slice(1).map(({ address }) => address)
    const listed = addresses.flatMap((address) => {
      const rows = fed.ask('twaps', address, { limit: 1_000, before: null })
      // Page by page the same, and each as its newest step says.
      const paged: TwapRow[] = []
      for (let before: number | null = null; ; before = paged.at(-1)!.order) {
        const page = fed.ask('twaps', address, { limit: 2, before })
        if (page.length === 0) break
        paged.push(...page)
      }
      assert.deepEqual(paged, rows)
      for (const row of rows) assert.deepEqual(fed.ask('twapSteps', row.order)[0], row)
      return rows.map(({ order }) => order)
    })
    assert.deepEqual(
      listed.sort((one, other) => one - other),
      [...naive.keys()],
    )
  }
  assert.ok(count > 20, `${count}`)
  assert.deepEqual(
    twapEventNames.filter((name) => !seen.has(name)),
    [],
  )
})
