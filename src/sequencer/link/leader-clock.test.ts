// A node compares its wall clock with the leader's at every heartbeat, and accepts signed requests
// only while the two are at most two seconds apart.

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { LeaderClock } from './leader-clock.ts'

const leaderWall = 1_716_200_000_000
let wall = 0
let steady = 0
let clock: LeaderClock

beforeEach(() => {
  wall = leaderWall
  steady = 5_000
  clock = new LeaderClock({ wall: () => wall, steady: () => steady })
})

/** The answer takes this long, and the leader reads its clock after `readAfterMs` of it. */
function heartbeat({ ms = 0, readAfterMs = 0 } = {}): Promise<void> {
  return clock.compare(async () => {
    const read = leaderWall + steady - 5_000 + readAfterMs
    pass(ms)
    return read
  })
}

function pass(ms: number): void {
  wall += ms
  steady += ms
}

test('without a heartbeat or a leader, signed requests are not accepted', async () => {
  const unknown =
    "the clock of this node is not yet compared with the leader's; signed requests are not " +
    'accepted here until it is right; use another node'
  assert.equal(clock.fault, unknown)
  await heartbeat()
  assert.equal(clock.fault, null)
  clock.forget()
  assert.equal(clock.fault, unknown)
})

for (const [off, side] of [
  [1, 'ahead of'],
  [-1, 'behind'],
] as const)
  test(`a clock two seconds ${side} the leader's is accepted, one further off is not`, async () => {
    wall += off * 2_000
    await heartbeat()
    assert.equal(clock.fault, null)
    wall += off * 60
    assert.match(
      clock.fault!,
      new RegExp(`^the clock of this node is 2\\.1 s ${side} the leader's; `),
    )
    assert.match(clock.fault!, /signed requests are not accepted here until it is right; use an/)
    wall -= off * 60
    assert.equal(clock.fault, null, 'accepted again once it is right')
  })

test('a step of the own clock shows before the next heartbeat', async () => {
  await heartbeat()
  pass(400)
  assert.equal(clock.fault, null)
  wall -= 60_000
  assert.match(clock.fault!, /60\.0 s behind/)
})

test('a step of the leader shows with the next heartbeat', async () => {
  await heartbeat()
  await clock.compare(async () => leaderWall - 8_000)
  assert.match(clock.fault!, /8\.0 s ahead of/)
})

test('a slow answer is not taken for a wrong clock, whenever the leader read its own', async () => {
  for (const readAfterMs of [0, 3_000, 6_000]) {
    await heartbeat({ ms: 6_000, readAfterMs })
    assert.equal(clock.fault, null)
  }
  await heartbeat({ ms: 6_000, readAfterMs: 3_000 })
  wall += 3_000 + 2_060
  assert.match(clock.fault!, /2\.1 s ahead of/)
})

test('a heartbeat without an answer changes nothing', async () => {
  await heartbeat()
  await assert.rejects(clock.compare(() => Promise.reject(new Error('link lost'))))
  assert.equal(clock.fault, null)
})
