import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bellDeviation, RandomStream } from './random.ts'

const draw = (stream: RandomStream, count: number) =>
  Array.from({ length: count }, () => stream.next())

test('a saved stream continues where it was', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(50), (seed, skipped) => {
      const stream = new RandomStream(seed)
      draw(stream, skipped)
      const copy = RandomStream.restored(stream.save())
      assert.deepEqual(draw(copy, 10), draw(stream, 10))
    }),
  )
})

test('an invalid stream is refused', () => {
  for (const text of ['', 'xyz', '0'.repeat(31), `${'0'.repeat(31)}g`])
    assert.throws(() => RandomStream.restored(text), /not a random stream/)
})

test('nearby seeds give unrelated streams', () => {
  const seen = new Set(Array.from({ length: 1_000 }, (_, n) => new RandomStream(`${n}`).next()))
  assert.ok(seen.size > 990)
})

test('numbers below a bound are spread evenly', () => {
  const stream = new RandomStream('even')
  const counts = new Array<number>(10).fill(0)
  for (let n = 0; n < 100_000; n++) counts[stream.below(10)]! += 1
  for (const count of counts) assert.ok(Math.abs(count - 10_000) < 500, `${counts}`)
})

test('a bell lies around zero with the deviation it says', () => {
  const stream = new RandomStream('bell')
  let sum = 0
  let squares = 0
  for (let n = 0; n < 100_000; n++) {
    const value = stream.bell()
    sum += value
    squares += value * value
  }
  assert.ok(Math.abs(sum / 100_000) < 500)
  const deviation = Math.sqrt(squares / 100_000)
  assert.ok(Math.abs(deviation / bellDeviation - 1) < 0.02, `${deviation}`)
})
