import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForHistory } from './wait-for-history.ts'

/** A history that reads this many lines at each check. */
function slowHistory(lines: number, each: number) {
  let left = lines
  let drain = () => {}
  const drained = new Promise<void>((resolve) => {
    drain = resolve
  })
  const backlog = () => {
    const now = left
    left = Math.max(0, left - each)
    if (now === 0) drain()
    return now
  }
  return { backlog, drained: () => drained }
}

test('a start that waits for history says how far it is and how long it takes', async () => {
  const warnings: string[] = []
  await waitForHistory(slowHistory(1_000, 250), { warn: (text: string) => warnings.push(text) }, 1)
  assert.equal(warnings.length, 4)
  assert.match(warnings[0]!, /^waiting for history: 250 of 1000 lines are read, a/)
  assert.match(warnings[2]!, / 750 of 1000 lines are read, about \d+ s to go$/)
})

test('one that has nothing to wait for says nothing', async () => {
  const history = { backlog: () => 0, drained: () => Promise.resolve() }
  await waitForHistory(history, { warn: () => assert.fail('nothing is to be said') }, 1)
})
