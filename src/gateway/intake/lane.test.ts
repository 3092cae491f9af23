import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Lane } from './lane.ts'
import type { Waiting } from './round.ts'

const places = { min: 192, max: 2_048 }
const ipKey = '192.0.2.1'

/** A lane in which each request took a quarter of a second while others waited. */
function slow(): Lane<Waiting> {
  const lane = new Lane<Waiting>(places)
  lane.add({ ipKey })
  for (let n = 0; n <= 32; n++) {
    lane.begin(ipKey)
    lane.end(ipKey, n * 250)
  }
  lane.next()
  return lane
}

test('with a free place a request does not wait, however slow the last ones were', () => {
  const lane = slow()
  assert.equal(lane.waitMs(ipKey), 0)
  for (let n = 0; n < 16; n++) lane.add({ ipKey })
  assert.equal(lane.waitMs(ipKey), 0)
})

test('without a free place a request waits as long as those before it take', () => {
  const lane = slow()
  while (lane.hasPlace(ipKey)) lane.begin(ipKey)
  assert.equal(lane.waitMs(ipKey), 250)
})
