import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualTime } from '../../test/support/manual-time.ts'
import { SandboxClock, VenueClock } from './clock.ts'

test('a venue clock stands still while the machine clock is behind it', () => {
  const time = new ManualTime(1_000)
  const clock = new VenueClock(time.wall, 1_200)
  assert.equal(clock.now(), 1_200)
  time.now = 1_500
  assert.equal(clock.now(), 1_500)
  time.now = 1_300
  assert.equal(clock.now(), 1_500)
  time.now = 1_501
  assert.equal(clock.now(), 1_501)
})

test('after a restart a sandbox continues at its last time, or at wall time if later', () => {
  const time = new ManualTime(1_000)
  const ahead = new SandboxClock(time.wall, 5_000, false)
  const behind = new SandboxClock(time.wall, 400, false)
  assert.equal(ahead.now(), 5_000)
  assert.equal(behind.now(), 1_000)
  time.now = 1_010
  assert.equal(ahead.now(), 5_010)
  assert.equal(ahead.offsetMs(), 4_000)
  assert.equal(behind.now(), 1_010)
})

test('a frozen sandbox stays frozen over a restart', () => {
  const time = new ManualTime(1_000)
  const clock = new SandboxClock(time.wall, 700, true)
  time.now = 9_000
  assert.equal(clock.now(), 700)
  assert.equal(clock.isHeld, true)
})

test('held time moves only where it is put, and never back', () => {
  const time = new ManualTime(1_000)
  const clock = new SandboxClock(time.wall, 0, false)
  clock.holdAt(clock.now())
  time.now = 2_000
  assert.equal(clock.now(), 1_000)
  clock.holdAt(1_800)
  clock.holdAt(1_700)
  assert.equal(clock.now(), 1_800)
  clock.release()
  assert.equal(clock.now(), 1_800)
  time.now = 2_005
  assert.equal(clock.now(), 1_805)
})

test('a revert sets the clock back, and it continues from there', () => {
  const time = new ManualTime(10_000)
  const clock = new SandboxClock(time.wall, 0, false)
  assert.equal(clock.now(), 10_000)
  clock.setBack(3_000, false)
  assert.equal(clock.now(), 3_000)
  time.now = 10_500
  assert.equal(clock.now(), 3_500)
  clock.setBack(2_000, true)
  time.now = 11_000
  assert.equal(clock.now(), 2_000)
})
