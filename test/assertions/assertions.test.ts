// Every assertion of the core, violated on purpose: the engine stops and names the assertion.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvariantViolation } from '../../src/units/invariant.ts'
import { allRows } from '../support/assertions/all-rows.ts'
import { World } from '../support/assertions/world.ts'

for (const [text, breakIt] of Object.entries(allRows))
  test(`it is noticed that ${text}`, () => {
    const world = new World()
    assert.throws(
      () => breakIt(world),
      (error: Error) => {
        assert.ok(error instanceof InvariantViolation, error.stack)
        assert.equal(error.message.slice(0, text.length), text, error.stack)
        return true
      },
    )
  })
