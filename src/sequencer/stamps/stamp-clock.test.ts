import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jumpHoldMs, StampClock } from './stamp-clock.ts'

const t0 = 1_716_200_000_000
const minute = 60_000

/** A wall clock that is right until it is set, a steady clock, and the stamps by them. */
function made(newest: number = t0) {
  const time = { wall: t0, steady: 5_000.25 }
  const clock = new StampClock({ wall: () => time.wall, steady: () => time.steady }, newest)
  const pass = (ms: number) => {
    time.wall += ms
    time.steady += ms
  }
  /** Reads the clock every second on the way, as a running exchange does. */
  const run = (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      pass(Math.min(left, 1_000))
      clock.next()
    }
    return clock.next()
  }
  const jump = (ms: number) => {
    time.wall += ms
    return clock.next()
  }
  return { clock, time, pass, run, jump }
}

/** Past the time after a start in which the stamp does not follow the wall clock. */
function settled() {
  const one = made()
  one.run(jumpHoldMs)
  return one
}

test('after a start the stamp continues from the newest, then follows the wall clock', () => {
  const { clock, pass, time } = made(t0 - 8 * 60 * minute)
  assert.equal(clock.next(), t0 - 8 * 60 * minute)
  pass(jumpHoldMs - 1)
  assert.equal(clock.next(), t0 - 8 * 60 * minute + jumpHoldMs - 1)
  pass(1)
  assert.equal(clock.next(), time.wall)
})

test('a new exchange begins at 0, and a wall clock behind the newest stamp is waited for', () => {
  const fresh = made(0)
  fresh.pass(20)
  assert.equal(fresh.clock.next(), 20)
  const behind = made(t0 + minute)
  assert.equal(behind.run(jumpHoldMs), t0 + jumpHoldMs)
  const slow = made(t0 + 2 * jumpHoldMs)
  assert.equal(slow.run(jumpHoldMs), t0 + 2 * jumpHoldMs)
  assert.equal(slow.run(jumpHoldMs + 5), t0 + 2 * jumpHoldMs + 5)
})

test('a jump of one second is followed, one of more is not for 610 s', () => {
  const { time, run, jump, clock } = settled()
  assert.equal(jump(1_000), time.wall)
  run(jumpHoldMs + 2_000)
  const before = clock.next()
  assert.equal(jump(1_001), before)
  assert.equal(run(jumpHoldMs - 1_000), before + jumpHoldMs - 1_000)
  assert.equal(run(3_000), time.wall)
})

test('small jumps count together', () => {
  const { time, jump } = settled()
  assert.equal(jump(900), time.wall)
  assert.equal(jump(900), time.wall - 900, 'the stamp has followed the first one')
  assert.equal(jump(900), time.wall - 1_800)
})

test('a jump while nothing read the clock is one, however long ago', () => {
  const { clock, pass, jump } = settled()
  const before = clock.next()
  pass(3 * jumpHoldMs)
  assert.equal(jump(minute), before + 3 * jumpHoldMs)
})

test('a jump that is taken back in time has no effect at all', () => {
  const { time, run, jump } = settled()
  jump(minute)
  run(10 * minute)
  jump(-minute)
  assert.equal(run(1_000), time.wall)
  assert.equal(run(2 * jumpHoldMs), time.wall)
})

test('a jump that is taken back later holds the stamp for its own length', () => {
  const { time, run, jump } = settled()
  jump(minute)
  const ahead = run(11 * minute)
  assert.equal(ahead, time.wall)
  assert.equal(jump(-minute), ahead)
  assert.equal(run(minute - 1), ahead)
  assert.equal(run(2), ahead + 1)
})

test('stamps never fall and never pass the wall clock or the one of a start', () => {
  const step = fc.record({
    passMs: fc.integer({ min: 0, max: 400_000 }),
    jumpMs: fc.oneof(fc.constant(0), fc.integer({ min: -minute, max: minute })),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(2 * minute), (steps, offset) => {
      const { clock, time, pass } = made(t0 - minute + offset)
      let highest = Math.max(t0, t0 - minute + offset)
      let last = clock.next()
      for (const { passMs, jumpMs } of steps) {
        pass(passMs)
        time.wall += jumpMs
        highest = Math.max(highest, time.wall)
        const stamp = clock.next()
        assert.ok(stamp >= last && stamp <= highest && Number.isSafeInteger(stamp))
        last = stamp
      }
    }),
  )
})
