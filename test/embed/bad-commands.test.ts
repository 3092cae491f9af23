// Any value passed to `apply` has an outcome, or an error that names the field; and the exchange
// continues unchanged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '../../src/core/index.ts'
import { createExchange, refusalOf } from '../../src/embed/embed.ts'
import { sampleCommands } from '../support/small-exchange/sample-commands.ts'

const junk: readonly unknown[] = [
  null,
  undefined,
  Number.NaN,
  -0,
  Number.POSITIVE_INFINITY,
  0,
  -1,
  0.5,
  2 ** 53,
  true,
  '',
  'nonsense',
  'x'.repeat(1_000),
  1n,
  Symbol('s'),
  () => 1,
  [],
  [null],
  {},
  new Date(0),
  new Map(),
]

/** The value with one place in it, at any depth, replaced or removed. */
function* corrupted(value: unknown): Generator<unknown> {
  for (const bad of junk) yield bad
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const { [key]: inner, ...rest } = value as Readonly<Record<string, unknown>>
    if (!Array.isArray(value)) yield rest
    for (const bad of corrupted(inner))
      yield Array.isArray(value) ? value.with(Number(key), bad) : { ...value, [key]: bad }
  }
}

for (const [type, forms] of Object.entries(sampleCommands))
  test(`${type} with anything in it is applied, rejected, or an error that names the field`, () => {
    const exchange = createExchange({ markets: ['BTC', 'ETH'] })
    for (const name of ['alice', 'bob']) exchange.trader(name)
    let errors = 0
    for (const form of forms)
      for (const bad of corrupted({ type, ...form })) {
        const { seq } = exchange
        try {
          exchange.apply(bad as Command)
          assert.equal(exchange.seq, seq + 1)
        } catch (error) {
          errors += 1
          assert.ok(error instanceof TypeError, (error as Error).stack)
          assert.match(error.message, / (is|must be|are) /)
          assert.equal(exchange.seq, seq)
        }
      }
    assert.ok(errors > 0)
    assert.equal(exchange.replayedHash(), exchange.hash())
    const tick = { type: 'Tick' } as const
    assert.equal(refusalOf(exchange.apply(tick)), null)
  })

test('a stop without a level is an error that says so, and the exchange continues', () => {
  const exchange = createExchange({ markets: ['BTC'] })
  const alice = exchange.trader('alice')
  const stop = {
    type: 'PlaceStop',
    account: alice.id,
    proof: null,
    market: 1,
    side: 'bid',
    reduceOnly: false,
    level: null,
  }
  const before = exchange.hash()
  assert.throws(() => exchange.apply(stop as unknown as Command), {
    name: 'TypeError',
    message: 'PlaceStop.level must be an object, not null',
  })
  const { level: _, ...without } = stop
  assert.throws(() => exchange.apply(without as unknown as Command), {
    message: 'PlaceStop.level is missing: it must be an object',
  })
  const batch = { type: 'Batch', account: alice.id, actions: [{ ...stop, type: 'EditOrder' }] }
  assert.throws(() => exchange.apply(batch as unknown as Command), {
    message: 'Batch.actions[0].order is missing: it must be a number or null',
  })
  assert.throws(() => exchange.apply({ type: 'Buy' } as never), /no command is called Buy/)
  assert.equal(exchange.hash(), before)
  assert.equal(alice.cancelAll().ok, true)
})
