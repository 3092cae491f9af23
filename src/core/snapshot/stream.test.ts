// Written data is read back, and damaged bytes end as an invariant violation: never as a hang, nor
// as another error that looks like one of the world.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { smallExchange } from '../../../test/support/small-exchange/small-exchange.ts'
import { InvariantViolation } from '../../units/invariant.ts'
import { decodeState } from './decode.ts'
import { encodeState } from './encode.ts'
import {
  flag,
  list,
  optionalNumber,
  optionalText,
  type Stream,
  StreamReader,
  StreamWriter,
} from './stream.ts'

// Both sides of every number where one more byte is needed, and of where the arithmetic changes.
const edges = [6, 13, 20, 27, 31, 32, 34, 41, 48, 53]
  .flatMap((bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1])
  .filter(Number.isSafeInteger)
const whole = fc.oneof(
  fc.maxSafeInteger().map((number) => number + 0),
  fc.integer({ min: -130, max: 130 }),
  fc.constantFrom(0, ...edges, ...edges.map((edge) => -edge)),
)
// Code units of all kinds, lone surrogates too: anything an address or a client id can contain.
const unit = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 65_535 }))
const text = fc.oneof(
  fc.string(),
  fc.array(unit).map((units) => String.fromCharCode(...units)),
)

const value = fc.oneof(
  fc.record({ kind: fc.constant('number'), of: whole }),
  fc.record({ kind: fc.constant('text'), of: text }),
  fc.record({ kind: fc.constant('flag'), of: fc.boolean() }),
  fc.record({ kind: fc.constant('optionalText'), of: fc.option(text) }),
  fc.record({ kind: fc.constant('optionalNumber'), of: fc.option(whole) }),
  fc.record({ kind: fc.constant('list'), of: fc.array(whole) }),
)
type Value = Readonly<{ kind: string; of: unknown }>

/** Through the stream, as a walk would: the same code writes and reads. */
function through(stream: Stream, { kind, of }: Value): unknown {
  switch (kind) {
    case 'number':
      return stream.number(of as number)
    case 'text':
      return stream.text(of as string)
    case 'flag':
      return flag(stream, of as boolean)
    case 'optionalText':
      return optionalText(stream, of as string | null)
    case 'optionalNumber':
      return optionalNumber(stream, of as number | null)
    default: {
      const read: number[] = []
      list(stream, of as number[], (each) => read.push(stream.number(each ?? 0)))
      return read
    }
  }
}

const blanks: Readonly<Record<string, unknown>> = {
  number: 0,
  text: '',
  flag: false,
  optionalText: null,
  optionalNumber: null,
  list: [],
}

function written(values: readonly Value[]): Uint8Array {
  const writer = new StreamWriter(false)
  for (const each of values) through(writer, each)
  return writer.finish()
}

test('written data is read back, to the last byte', () => {
  const check = (values: readonly Value[]) => {
    const reader = new StreamReader(written(values))
    for (const { kind, of } of values)
      assert.deepEqual(through(reader, { kind, of: blanks[kind] }), of)
    assert.equal(reader.at, reader.bytes.length)
  }
  fc.assert(fc.property(fc.array(value, { maxLength: 30, size: 'max' }), check), { numRuns: 500 })
})

test('every number where the encoding changes is read back, and so is its negative', () => {
  const numbers = [0, ...edges, ...edges.map((edge) => -edge)]
  const values = numbers.map((of) => ({ kind: 'number', of }))
  const reader = new StreamReader(written(values))
  assert.deepEqual(
    numbers.map(() => reader.number(0)),
    numbers,
  )
})

test('ASCII letters use one byte each', () => {
  assert.equal(written([{ kind: 'text', of: '0xabc' }]).length, 6)
})

test('a number that is not a safe integer is not written', () => {
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    assert.throws(() => new StreamWriter(false).number(wrong), InvariantViolation)
})

test('bytes that end too early, or a number that never ends, are an invariant violation', () => {
  const read = (...bytes: readonly number[]) => new StreamReader(Uint8Array.from(bytes))
  assert.throws(() => read().number(0), InvariantViolation)
  assert.throws(() => read(128).number(0), InvariantViolation)
  assert.throws(() => read(...Array(20).fill(255)).number(0), InvariantViolation)
  assert.throws(() => read(63, 1, 2).text(''), InvariantViolation)
  assert.throws(() => read(20, 65).text(''), InvariantViolation)
  assert.throws(() => read(66).text(''), InvariantViolation)
  const largest = written([{ kind: 'number', of: Number.MAX_SAFE_INTEGER }])
  for (let length = 0; length < largest.length; length++)
    assert.throws(() => new StreamReader(largest.subarray(0, length)).number(0), InvariantViolation)
})

test('any bytes are read in bounded time, or rejected', () => {
  const check = (bytes: Uint8Array, kinds: readonly string[]) => {
    const reader = new StreamReader(bytes)
    try {
      for (const kind of kinds) through(reader, { kind, of: blanks[kind] })
    } catch (error) {
      assert.ok(error instanceof InvariantViolation, String(error))
    }
    assert.ok(reader.at <= bytes.length + 1)
  }
  const kinds = fc.array(fc.constantFrom(...Object.keys(blanks)), { maxLength: 10, size: 'max' })
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60, size: 'max' }), kinds, check), {
    numRuns: 2_000,
  })
})

const { bytes: snapshot } = smallExchange()

test('a snapshot restores the state it was made of', () => {
  const state = decodeState(snapshot)
  assert.deepEqual(encodeState(state), snapshot)
})

test('a truncated snapshot, or one with bytes left over, is rejected', () => {
  // Without its last sections it is complete: that of an exchange that has nothing in them.
  const sections = [221, 132, 116, 94, 33, 11].map((bytes) => snapshot.length - bytes)
  for (let length = 0; length < snapshot.length; length += 7) {
    if (sections.includes(length)) continue
    assert.throws(() => decodeState(snapshot.subarray(0, length)), InvariantViolation)
  }
  for (const length of sections) {
    const shorter = snapshot.subarray(0, length)
    assert.deepEqual(encodeState(decodeState(shorter)), new Uint8Array(shorter))
  }
  const longer = new Uint8Array(snapshot.length + 1)
  longer.set(snapshot)
  assert.throws(() => decodeState(longer), InvariantViolation)
})
