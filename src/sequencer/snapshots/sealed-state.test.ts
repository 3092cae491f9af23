import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallExchange } from '../../../test/support/small-exchange/small-exchange.ts'
import { decodeState } from '../../core/index.ts'
import { InvariantViolation } from '../../units/invariant.ts'
import { openState, sealState } from './sealed-state.ts'
import { hashOf, stateHash } from './state-hash.ts'

const state = decodeState(smallExchange().bytes)
const sealed = sealState(state)

test('the hash is SHA-256, by the published example', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(hashOf(new TextEncoder().encode('abc')), abc)
})

test('a sealed state gives back the state it was made of, and ends with its hash', () => {
  const opened = openState(sealed)
  assert.deepEqual(sealState(opened), sealed)
  assert.equal(stateHash(opened), stateHash(state))
  assert.equal(Buffer.from(sealed.subarray(-64)).toString('latin1'), stateHash(state))
})

test('a sealed state that was cut short, or has bytes left over, is refused', () => {
  for (let length = 0; length < sealed.length; length += 7)
    assert.throws(() => openState(sealed.subarray(0, length)), InvariantViolation)
  assert.throws(() => openState(Buffer.concat([sealed, Buffer.alloc(1)])), InvariantViolation)
})

test('a sealed state with any one byte changed is refused', () => {
  for (let at = 0; at < sealed.length; at += 7) {
    const damaged = sealed.slice()
    damaged[at] = (damaged[at]! + 1 + (at % 200)) % 256
    assert.throws(() => openState(damaged), InvariantViolation, `byte ${at}`)
  }
})
