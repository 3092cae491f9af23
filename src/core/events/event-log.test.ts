// Every event type with every possible field value is read as it was written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { columnsOf, headOf, kindOfEvent, linesOf, lineWidth, tradeSide } from './event-columns.ts'
import { type Event, type EventType, eventFields, eventTypes, words } from './event-fields.ts'
import { EventLog } from './event-log.ts'

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
  test(`${type} is read as it was written`, () => {
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

test('events of all types share one log, and a cleared log starts from the beginning', () => {
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

test('an event has one, two or four lines, and its code identifies it', () => {
  for (const type of eventTypes) {
    const numbers = 1 + Object.keys(columnsOf(type)).length
    assert.ok(numbers <= linesOf(type) * lineWidth, type)
    assert.ok(linesOf(type) === 1 || numbers > (linesOf(type) / 2) * lineWidth, type)
    assert.equal(eventTypes[kindOfEvent(type)], type)
  }
  const frequent = ['OrderPlaced', 'OrderRested', 'OrderReduced', 'OrderCancelled'] as const
  for (const type of frequent) assert.equal(linesOf(type), 1, type)
  assert.equal(linesOf('Traded'), 4)
})

test('the two sides of a trade have the same layout', () => {
  const columns = columnsOf('Traded')
  const sides = { taker: columns.takerClosed, maker: columns.makerClosed }
  for (const [side, first] of Object.entries(sides))
    for (const [name, place] of Object.entries(tradeSide)) {
      const column = `${side}${name[0]!.toUpperCase()}${name.slice(1)}` as keyof typeof columns
      assert.equal(columns[column], first + place, column)
    }
})

test('a hot writer fills its reserved lines, and growing moves nothing', () => {
  const log = new EventLog()
  const { account, count } = columnsOf('AllOrdersCancelled')
  const places: number[] = []
  for (let n = 0; n < 1_000; n++) {
    const at = log.append(headOf('AllOrdersCancelled'))
    log.rows[at + account] = n
    log.rows[at + count] = 2 * n
    places.push(at)
  }
  const expected = { type: 'AllOrdersCancelled', account: 700, count: 1_400 }
  assert.deepEqual(log.read(places[700]!), expected)
})
