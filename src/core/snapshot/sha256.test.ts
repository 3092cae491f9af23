// Against Node's own. Lengths around the 64-byte block and its padding, where a hash goes wrong
// first.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha256 } from './sha256.ts'

const nodes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('the published examples come out', () => {
  const text = (of: string) => sha256(new TextEncoder().encode(of))
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  assert.equal(text(''), empty)
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(text('abc'), abc)
})

test('every length up to four blocks is hashed as Node does it', () => {
  for (let length = 0; length <= 256; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length) & 255)
    assert.equal(sha256(bytes), nodes(bytes), `length ${length}`)
  }
})

test('any bytes are hashed as Node does it, also as a part of a larger array', () => {
  const check = (bytes: Uint8Array, skip: number) => {
    const part = bytes.subarray(Math.min(skip, bytes.length))
    assert.equal(sha256(part), nodes(part))
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000, size: 'max' }), fc.nat(70), check))
})
