import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { headBytes, place } from '../../core/index.ts'
import { lengthBytes } from '../../journal/frame.ts'
import { type Queued, RecordBody, RecordQueue } from './record-queue.ts'

type Item = Queued & { readonly name: number }

/** A record of this many bytes, all of them its name. */
function written(name: number, length: number): Buffer {
  return Buffer.alloc(length, name & 255)
}

function recordsOf({ bytes, length, count }: RecordBody): Buffer[] {
  const records: Buffer[] = []
  for (let at = 0; at < length; ) {
    const from = at + lengthBytes
    at = from + bytes.readUInt32LE(at)
    records.push(bytes.subarray(from, at))
  }
  assert.equal(records.length, count)
  return records
}

/** The longest beginning whose sum is within the bound; one at least, if there is any. */
function fittingOf(sizes: readonly number[], most: number): number {
  const sums = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((sum, each) => sum + each, 0))
  return Math.max(sums.filter((sum) => sum <= most).length, Math.min(1, sizes.length))
}

// Short and long records, and takes of a few and of all: the bytes are moved to the front, grow,
// and are given back.
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ push: fc.integer({ min: headBytes + 1, max: 9_000 }) }) },
  fc.record({ take: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ stamp: fc.nat(40) }),
)

test('records leave in the order in which they came, whole and with their last time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new RecordQueue<Item>()
      const body = new RecordBody()
      let expected: { name: number; length: number; atMs: number }[] = []
      let name = 0
      for (const drawn of steps) {
        if ('push' in drawn) {
          name += 1
          const place = { position: 0, length: 0, actions: 1 + (name % 3) }
          const item = { name, atMs: name, signed: name % 2 === 0, ...place }
          queue.push(item, written(name, drawn.push))
          expected.push({ name, length: drawn.push, atMs: name })
        } else if ('stamp' in drawn) {
          const item = queue.waiting[drawn.stamp]
          if (item === undefined) continue
          queue.stamp(item, item.atMs + 1_000)
          expected[drawn.stamp]!.atMs += 1_000
        } else {
          body.clear()
          const count = Math.min(drawn.take, queue.length)
          let stamps = 0
          queue.writeStamps(count, () => ++stamps)
          const taken = queue.take(count, body)
          const due = expected.slice(0, count)
          expected = expected.slice(count)
          assert.deepEqual(
            taken.map((item) => item.name),
            due.map((each) => each.name),
          )
          const records = recordsOf(body)
          const read = records.map((record) => ({
            name: record[0],
            last: record.at(-1),
            length: record.length,
            atMs: record.readDoubleLE(place.time),
            stamp: record.readDoubleLE(place.stamp),
          }))
          let signed = 0
          const wanted = due.map(({ name: of, length, atMs }) => {
            const unsigned = written(of, 8).readDoubleLE()
            const stamp = of % 2 === 0 ? ++signed : unsigned
            return { name: of & 255, last: of & 255, length, atMs, stamp }
          })
          assert.deepEqual(read, wanted)
        }
        const sizes = queue.waiting.map(({ actions }) => actions)
        assert.equal(
          queue.actions,
          sizes.reduce((sum, actions) => sum + actions, 0),
        )
        assert.equal(queue.fitting(7), fittingOf(sizes, 7))
      }
    }),
    { numRuns: 200 },
  )
})

const itemOf = (name: number): Item => {
  return { name, atMs: 1, signed: false, position: 0, length: 0, actions: 1 }
}

test('a queue that was long gives its memory back', () => {
  const queue = new RecordQueue<Item>()
  const body = new RecordBody()
  for (let name = 1; name <= 2_000; name++) queue.push(itemOf(name), written(name, 9_000))
  while (queue.length > 0) {
    body.clear()
    queue.take(Math.min(500, queue.length), body)
  }
  body.clear()
  assert.equal(body.bytes.length, 65_536)
  assert.equal(queue.bytesHeld, 65_536)
})
