// The core and the wire know the same words. Each is listed in its zone; that one forgets a word of
// the other does not compile, or fails here.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlaceOrder, tifs } from '../../../core/index.ts'
import { timesInForce } from '../../../protocol/words.ts'

test('a time in force that the core knows may be asked for', () => {
  const wire: Readonly<Record<PlaceOrder['tif'], unknown>> = timesInForce
  assert.deepEqual(Object.keys(wire), [...tifs])
})
