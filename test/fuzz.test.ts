import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFuzz } from './support/fuzz/fuzz-run.ts'

test('no request stops the exchange or gets a status of 500 or more', async () => {
  const say = () => undefined
  const options = { requests: 2_500, seed: 11, connections: 8, measureAfter: 1_250, say }
  const { wrong, statuses } = await runFuzz(options)
  assert.deepEqual(wrong, [])
  // Many of them were processed, rejected by a rule or with success.
  for (const status of ['200', '400', '401', '404', '422'])
    assert.ok((statuses[status] ?? 0) > 50, `${status}: ${statuses[status]}`)
})
