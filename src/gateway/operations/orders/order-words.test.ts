// The core and the wire know the same words. Each is listed in its zone; that one forgets a word of
// the other does not compile, or fails here.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  algoEnds,
  algoKinds,
  type OrderTypeName,
  orderTypeNames,
  type PlaceOrder,
  type Stp,
  tifs,
} from '../../../core/index.ts'
import {
  type OrderType,
  orderTypes,
  selfTradeModes,
  timesInForce,
  algoEnds as wireEnds,
  algoKinds as wireKinds,
} from '../../../protocol/words.ts'

test('every time in force of the core can be requested', () => {
  const wire: Readonly<Record<PlaceOrder['tif'], unknown>> = timesInForce
  assert.deepEqual(Object.keys(wire).sort(), [...tifs].sort())
})

test('every mode of self-trade prevention of the core can be requested', () => {
  const known: Readonly<Record<Stp, true>> = {
    cancel_maker: true,
    cancel_taker: true,
    cancel_both: true,
  }
  const wire: readonly Stp[] = selfTradeModes
  assert.deepEqual([...wire].sort(), Object.keys(known).sort())
})

test('every type of order of the core has a name', () => {
  const wire: readonly OrderTypeName[] = orderTypes
  const core: readonly OrderType[] = orderTypeNames
  assert.deepEqual(wire, core)
})

test('every kind of algo of the core, and every reason for its end, has a name', () => {
  const kinds: readonly (typeof algoKinds)[number][] = wireKinds
  const ends: readonly (typeof algoEnds)[number][] = wireEnds
  assert.deepEqual([kinds, ends], [algoKinds, algoEnds])
})
