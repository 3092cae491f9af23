// The core answers every command: a typed refusal that changes nothing, or acceptance. It never
// throws. Each command starts as a valid one, and any of its values is bent: out of range, off the
// grid, unknown, contradicting another.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Command } from '../../src/core/commands/commands.ts'
import { rejections } from '../../src/core/commands/rejections.ts'
import { apply } from '../../src/core/engine.ts'
import { type Event, eventTypes } from '../../src/core/events/event-fields.ts'
import { EventLog } from '../../src/core/events/event-log.ts'
import { decodeState } from '../../src/core/snapshot/decode.ts'
import { tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { badNumbers, badTexts, badWords } from '../programs/differential/spoil.ts'
import { sampleCommands } from '../support/small-exchange/sample-commands.ts'
import { NOW_MS, smallExchange } from '../support/small-exchange/small-exchange.ts'

const words = new Set(['side', 'tif', 'triggerBy', 'mode', 'scopes'])
/** What the sequencer, not a client, vouches for, and free numbers of operators. */
const vouched = new Set(['type', 'proof', 'invariant'])
/** What is absent or whole: these are null or a record, never a number. */
const records = new Set(['takeProfit', 'stopLoss', 'policy'])

/** The value as it is, mostly, or one that is wrong for its place. */
function bent(key: string, value: unknown): fc.Arbitrary<unknown> {
  if (vouched.has(key) || (records.has(key) && value === null)) return fc.constant(value)
  if (Array.isArray(value)) {
    const list = fc.tuple(...value.map((inner) => bent(key, inner)))
    const doubled = list.map((inner) => [...inner, ...inner])
    return fc.oneof({ weight: 6, arbitrary: list }, doubled, fc.constant([]))
  }
  if (typeof value === 'object' && value !== null) return bentRecord(value)
  const wrong = wrongFor(key, value)
  return fc.oneof({ weight: 5, arbitrary: fc.constant(value) }, { weight: 2, arbitrary: wrong })
}

function bentRecord(value: object): fc.Arbitrary<object> {
  const entries = Object.entries(value).map(([key, inner]) => [key, bent(key, inner)] as const)
  return fc.record(Object.fromEntries(entries))
}

function wrongFor(key: string, value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'boolean') return fc.boolean()
  if (words.has(key)) return fc.constantFrom(...badWords, 'bid', 'ask', 'FOK', 'ALO', 'TOB', 'last')
  if (typeof value === 'string' || key === 'clientOrderId') {
    return fc.constantFrom(...badTexts, 'mine', 'stop', 'profit', 'alice', 'fees', 'agent')
  }
  const near = typeof value === 'number' ? value : 1
  return fc.oneof(
    fc.constantFrom(...badNumbers),
    fc.integer({ min: -2, max: 12 }),
    fc.constantFrom(near + 1, near - 1, near * 2, -near, near + 0.25),
    fc.maxSafeInteger(),
    fc.double(),
  )
}

const { bytes, seq, events: built } = smallExchange()

test('the small exchange was built without a refusal', () => {
  const refused = built.filter(({ type }) => type === 'CommandRejected')
  assert.deepEqual(refused, [])
})

function answerTo(command: Command): Readonly<{ events: Event[]; before: string; after: string }> {
  const state = decodeState(bytes)
  const before = tradingHash(state)
  const log = new EventLog()
  apply(state, { seq: seq + 1, atMs: NOW_MS, command }, log)
  return { events: log.readAll(), before, after: tradingHash(state) }
}

for (const [type, forms] of Object.entries(sampleCommands)) {
  test(`${type}: bent values are refused or harmless`, () => {
    const commands = fc.oneof(...forms.map((form) => bentRecord({ type, ...form })))
    const check = (command: object) => {
      const { events, before, after } = answerTo(command as Command)
      for (const event of events) assert.ok(eventTypes.includes(event.type))
      const refused = events.filter((event) => event.type === 'CommandRejected')
      for (const { rejection } of refused) assert.ok(rejection in rejections)
      const batched = events.some((event) => event.type === 'BatchActionStarted')
      if (refused.length === 0 || batched) return
      assert.equal(refused.length, 1)
      assert.equal(events.at(-1)?.type, 'CommandRejected')
      assert.equal(after, before)
    }
    fc.assert(fc.property(commands, check), { seed: 1, numRuns: 300, includeErrorInReport: true })
  })
}

for (const [type, forms] of Object.entries(sampleCommands)) {
  test(`${type}: the samples are not all refused`, () => {
    const alwaysRefused = type === 'SetRulesVersion' || type === 'MoveIsolatedMargin'
    const answers = forms.map((form) => answerTo({ type, ...form } as unknown as Command).events)
    const refused = answers.map((events) =>
      events.some((event) => event.type === 'CommandRejected'),
    )
    const allowed = alwaysRefused || type === 'SetMarginMode' || refused.includes(false)
    assert.ok(allowed, JSON.stringify(answers))
  })
}
