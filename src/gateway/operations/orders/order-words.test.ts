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
  algoEnds as algoEndsTold,
  algoKinds as algoKindsTold,
  type OrderType,
  orderTypes,
  selfTradeModes,
  timesInForce,
} from '../../../protocol/words.ts'

test('a time in force that the core knows may be asked for', () => {
  const wire: Readonly<Record<PlaceOrder['tif'], unknown>> = timesInForce
  assert.deepEqual(Object.keys(wire).sort(), [...tifs].sort())
})

test('a mode of self-trade prevention that the core knows may be asked for', () => {
  const known: Readonly<Record<Stp, true>> = {
    cancel_maker: true,
    cancel_taker: true,
    cancel_both: true,
  }
  const wire: readonly Stp[] = selfTradeModes
  assert.deepEqual([...wire].sort(), Object.keys(known).sort())
})

test('a type of order that the core knows is told by its name', () => {
  const wire: readonly OrderTypeName[] = orderTypes
  const core: readonly OrderType[] = orderTypeNames
  assert.deepEqual(wire, core)
})

test('a kind of algo, and a reason for its end, that the core knows is told by its name', () => {
  const kinds: readonly (typeof algoKinds)[number][] = algoKindsTold
  const ends: readonly (typeof algoEnds)[number][] = algoEndsTold
  assert.deepEqual([kinds, ends], [algoKinds, algoEnds])
})
