// Errors of other zones as answers: what the caller reads, and what only the log has.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { NodeOutdated, OutsideWindow, Overloaded } from '../sequencer/not-taken.ts'
import { asApiError } from './failures.ts'

const log = pino({ level: 'silent' })

for (const [error, status, message] of [
  [new NodeOutdated('upgrade this node'), 503, 'NOT_READY: upgrade this node'],
  [new OutsideWindow('the time is over'), 400, 'EXPIRED: the time is over'],
  [new Overloaded('9 wait'), 503, 'NOT_READY: too many commands are waiting'],
  [
    new Error('a defect'),
    500,
    'INTERNAL_ERROR: something went wrong here; the log has it under the request id',
  ],
] as const)
  test(`${error.name} is answered with ${status}`, () => {
    const answer = asApiError(error, log)
    assert.deepEqual([answer.status, answer.message], [status, message])
  })
