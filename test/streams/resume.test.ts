// Streams that are resumed after the exchange was stopped or killed, in a short form; the long one
// is `npm run x streams/resume-soak`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runResumeRounds } from '../support/streams/resume/resume-rounds.ts'

const say = () => undefined

for (const [what, gateways, restarts] of [
  ['one process', 0, 1],
  ['a gateway', 1, 1],
] as const)
  test(`readers miss nothing over restarts of the exchange: ${what}`, async () => {
    const { resumed, rows } = await runResumeRounds({ restarts, seed: 3, gateways, say })
    assert.equal(resumed, restarts * 10)
    assert.ok(Object.values(rows).every((count) => count > 0))
  })
