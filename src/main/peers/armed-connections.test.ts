// The leader ends the connections of a process that has exited.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DiskHistory } from '../../../test/support/disk-history.ts'
import { endConnections } from './armed-connections.ts'

test('a leader that stops leaves the rest to the next, and does not fail', async () => {
  const history = new DiskHistory(5)
  try {
    await history.open({})
    const armed = () => history.data.sequencer.view.accounts.armedConnections().length
    for (let n = 0; n < 50 && armed() === 0; n++) await history.run(100, 50)
    const left = armed()
    assert.ok(left > 0)
    const { sequencer } = history.data
    await history.data.close()
    await endConnections(sequencer)
    assert.equal(sequencer.view.accounts.armedConnections().length, left)
  } finally {
    await history.end()
  }
})
