// Which accounts are watched, and for how long after their last reader left.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallExchange } from '../../../test/support/small-exchange/small-exchange.ts'
import { decodeState, viewOf } from '../../core/index.ts'
import type { FeedContext } from '../feed-context.ts'
import { DeleverageRanks } from './deleverage-ranks.ts'
import { FactWindow } from './fact-window.ts'
import { FillValues } from './fill-values.ts'
import { Watch } from './watch.ts'
import { Watches } from './watches.ts'

const context = { view: viewOf(decodeState(smallExchange().bytes)), seq: () => 1 } as FeedContext
const values = new FillValues(context, () => undefined)
const parts = { context, window: new FactWindow(), values, ranks: new DeleverageRanks() }
const watch = (n: number) => new Watch(`address-${n}`, parts)

test('the number of accounts without readers is limited, and the oldest are dropped', () => {
  const watches = new Watches({ idleMs: 1_000_000, idleMax: 3 })
  const read = watch(0)
  watches.add(read)
  for (let n = 1; n <= 100; n++) {
    const left = watch(n)
    watches.add(left)
    watches.markIdle(left, n)
  }
  assert.deepEqual(
    [...watches.all()].map(({ address }) => address),
    ['address-0', 'address-98', 'address-99', 'address-100'],
  )
})

test('an account without readers for long is no longer watched', () => {
  const watches = new Watches({ idleMs: 1_000, idleMax: 100 })
  const [soon, late] = [watch(1), watch(2)]
  for (const each of [soon, late]) watches.add(each)
  watches.markIdle(soon, 10)
  watches.markIdle(late, 500)
  watches.markRead(soon)
  watches.markIdle(soon, 600)
  watches.forget(1_550)
  assert.deepEqual([...watches.all()], [soon])
})

test('an event extends the watch of an account, and the end of others is known', () => {
  const watches = new Watches({ idleMs: 1_000, idleMax: 2 })
  const [quiet, active, read] = [watch(1), watch(2), watch(3)]
  for (const each of [quiet, active, read]) watches.add(each)
  watches.markIdle(quiet, 0)
  watches.markIdle(active, 0)
  assert.equal(watches.hasRoom, false)
  quiet.at(7, 0)
  active.at(8, 0)
  watches.keep([active, read], 900)
  watches.forget(1_000)
  assert.deepEqual([...watches.all()], [active, read])
  assert.deepEqual([watches.lostAt, watches.hasRoom, read.idleSince], [7, true, 0])
})
