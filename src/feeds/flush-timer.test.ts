// When flushes happen: as soon as they are scheduled, but never so often that they fill the thread.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlushTimer } from './flush-timer.ts'

const turn = () => new Promise((done) => setImmediate(done))

/** A clock that only work advances. */
function scene(workMs: number) {
  let now = 0
  const runs: number[] = []
  const timer = new FlushTimer(
    () => {
      runs.push(now)
      now += workMs
    },
    () => now,
  )
  return { timer, runs, pass: (ms: number) => (now += ms) }
}

test('the first request runs in the next turn, and several together run once', async () => {
  const { timer, runs } = scene(0)
  timer.schedule(0)
  timer.schedule(0)
  await turn()
  await turn()
  assert.deepEqual(runs, [0])
})

test('after a slow flush the next one waits four times as long', async ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { timer, runs } = scene(10)
  timer.schedule(0)
  await turn()
  timer.schedule(0)
  for (let n = 0; n < 5; n++) await turn()
  mock.timers.tick(39)
  assert.deepEqual(runs, [0])
  mock.timers.tick(1)
  assert.equal(runs.length, 2)
  timer.stop()
})

test('a request for later yields to an earlier one, and nothing runs after the end', async () => {
  const { timer, runs } = scene(0)
  timer.schedule(10_000)
  timer.schedule(0)
  await turn()
  await turn()
  assert.equal(runs.length, 1)
  timer.schedule(0)
  timer.stop()
  await turn()
  await turn()
  assert.equal(runs.length, 1)
})
