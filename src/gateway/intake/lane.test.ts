import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lane } from './lane.ts'
import type { Waiting } from './round.ts'

const places = { min: 192, max: 2_048 }
const ipKey = '192.0.2.1'

/** A lane in which two requests took ten seconds while a third waited. */
function stalled(): Lane<Waiting> {
  const lane = new Lane<Waiting>(places)
  lane.add({ ipKey })
  for (const atMs of [0, 10_000]) {
    lane.begin(ipKey)
    lane.end(ipKey, atMs)
  }
  lane.next()
  return lane
}

test('whoever has a place does not wait, however slow the last ones were', () => {
  const lane = stalled()
  assert.equal(lane.waitMs(ipKey), 0)
  for (let n = 0; n < 16; n++) lane.add({ ipKey })
  assert.equal(lane.waitMs(ipKey), 0)
})

test('whoever has none waits as long as those before him take', () => {
  const lane = stalled()
  while (lane.hasPlace(ipKey)) lane.begin(ipKey)
  assert.equal(lane.waitMs(ipKey), 10_000)
})
