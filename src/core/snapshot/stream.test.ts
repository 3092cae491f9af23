import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from './sha256.ts'
import { StreamReader, StreamWriter } from './stream.ts'

// Both sides of every place where a number needs one more byte, and of where the arithmetic
// changes.
const edges = [6, 13, 20, 27, 31, 32, 34, 41, 48, 53]
  .flatMap((bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1])
  .filter(Number.isSafeInteger)

function throughStream(numbers: readonly number[], texts: readonly string[]) {
  const writer = new StreamWriter(false)
  for (const number of numbers) writer.number(number)
  for (const text of texts) writer.text(text)
  const reader = new StreamReader(writer.finish())
  const back = {
    numbers: numbers.map(() => reader.number(0)),
    texts: texts.map(() => reader.text('')),
  }
  return { ...back, left: writer.length - reader.at }
}

test('every safe integer comes back as it was written', () => {
  const numbers = [0, ...edges, ...edges.map((edge) => -edge)]
  assert.deepEqual(throughStream(numbers, []), { numbers, texts: [], left: 0 })
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (drawn) => {
      assert.deepEqual(
        throughStream(drawn, []).numbers,
        drawn.map((number) => number + 0),
      )
    }),
  )
})

// Code units of all kinds, lone surrogates too: whatever an address or a client id can hold.
test('every text comes back as it was written, plain letters in one byte each', () => {
  const unit = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 65_535 }))
  const text = fc.array(unit).map((units) => String.fromCharCode(...units))
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      assert.deepEqual(throughStream([], texts), { numbers: [], texts, left: 0 })
    }),
  )
  const writer = new StreamWriter(false)
  writer.text('0xabc')
  assert.equal(writer.length, 6)
})

test('bytes that end early or say too large a number are an error', () => {
  const writer = new StreamWriter(false)
  writer.number(Number.MAX_SAFE_INTEGER)
  const bytes = writer.finish()
  for (let length = 0; length < bytes.length; length++)
    assert.throws(() => new StreamReader(bytes.subarray(0, length)).number(0))
  assert.throws(() => new StreamReader(new Uint8Array(20).fill(255)).number(0))
  assert.throws(() => new StreamReader(new Uint8Array([20, 65])).text(''))
})

test('the hash is the SHA-256 of everyone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'))
    }),
  )
})
