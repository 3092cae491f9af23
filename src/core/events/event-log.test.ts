// What is written is what is read, for every event there is and every value a field can have.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Event, type EventType, eventFields, eventTypes, words } from './event-fields.ts'
import { EventLog, kindOfEvent, rowWidth } from './event-log.ts'

function anyOf(kind: string): fc.Arbitrary<unknown> {
  const list = words[kind]
  if (list !== undefined) return fc.constantFrom(...list)
  if (kind === 'flag') return fc.boolean()
  if (kind === 'text') return fc.option(fc.string(), { freq: 3 })
  return fc.oneof(fc.constantFrom(0, 1, -1), fc.maxSafeInteger())
}

function eventOf(type: EventType): fc.Arbitrary<Event> {
  const fields = Object.entries(eventFields[type]).map(([name, kind]) => [name, anyOf(kind)])
  const record = { type: fc.constant(type), ...Object.fromEntries(fields) }
  return fc.record(record, { noNullPrototype: true }) as never
}

for (const type of eventTypes) {
  test(`${type} comes back as it was written`, () => {
    const check = (events: readonly Event[]) => {
      const log = new EventLog()
      for (const event of events) log.write(event)
      assert.deepEqual(log.readAll(), events)
    }
    fc.assert(fc.property(fc.array(eventOf(type), { maxLength: 20, size: 'max' }), check), {
      numRuns: 50,
    })
  })
}

test('events of all types share one log, and a cleared log starts anew', () => {
  const any = fc.oneof(...eventTypes.map(eventOf))
  const log = new EventLog()
  const check = (events: readonly Event[]) => {
    log.clear()
    for (const event of events) log.write(event)
    assert.equal(log.count, events.length)
    assert.deepEqual(log.readAll(), events)
  }
  fc.assert(fc.property(fc.array(any, { maxLength: 60, size: 'max' }), check), { numRuns: 300 })
})

test('an event of any type fits its row, and its code leads back to it', () => {
  for (const type of eventTypes) {
    assert.ok(Object.keys(eventFields[type]).length < rowWidth, type)
    assert.equal(eventTypes[kindOfEvent(type)], type)
  }
})

test('a hot writer fills the row it was given, and growing moves nothing', () => {
  const log = new EventLog()
  for (let n = 0; n < 1_000; n++) {
    const at = log.append(kindOfEvent('AllOrdersCancelled'))
    log.rows[at + 1] = n
    log.rows[at + 2] = 2 * n
  }
  const expected = { type: 'AllOrdersCancelled', account: 700, count: 1_400 }
  assert.deepEqual(log.read(700), expected)
})
