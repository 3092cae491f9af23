// When flushes happen: as soon as wished, but never so often that they fill the thread.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pulse } from './pulse.ts'

const turn = () => new Promise((done) => setImmediate(done))

/** A clock that only work moves. */
function scene(workMs: number) {
  let now = 0
  const runs: number[] = []
  const pulse = new Pulse(
    () => {
      runs.push(now)
      now += workMs
    },
    () => now,
  )
  return { pulse, runs, pass: (ms: number) => (now += ms) }
}

test('the first wish is fulfilled in the next turn, and wishes together once', async () => {
  const { pulse, runs } = scene(0)
  pulse.at(0)
  pulse.at(0)
  await turn()
  await turn()
  assert.deepEqual(runs, [0])
})

test('after a flush that took long the next one waits four times as long', async () => {
  const { pulse, runs } = scene(10)
  pulse.at(0)
  await turn()
  pulse.at(0)
  for (let n = 0; n < 5; n++) await turn()
  assert.deepEqual(runs, [0])
  // The wish stands; its timer runs by the machine's clock.
  await new Promise((done) => setTimeout(done, 60))
  assert.equal(runs.length, 2)
  pulse.stop()
})

test('a wish for later gives way to one for sooner, and nothing runs after the end', async () => {
  const { pulse, runs } = scene(0)
  pulse.at(10_000)
  pulse.at(0)
  await turn()
  await turn()
  assert.equal(runs.length, 1)
  pulse.at(0)
  pulse.stop()
  await turn()
  await turn()
  assert.equal(runs.length, 1)
})
