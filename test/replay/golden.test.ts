import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkInvariants } from '../../src/core/invariants.ts'
import { openExchangeData } from '../../src/sequencer/exchange-data.ts'
import { forgetfulSources } from '../../src/sequencer/memory-journal.ts'
import { stateHash, tradingHash } from '../../src/sequencer/snapshots/state-hash.ts'
import { goldenFolder, goldenNames, readGolden } from './golden.ts'

test('there are golden journals', () => {
  assert.ok(goldenNames().length > 0)
})

for (const name of goldenNames())
  test(`the history ${name} still comes to the state that its version reached`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'golden-'))
    try {
      cpSync(join(goldenFolder, name), folder, { recursive: true })
      const data = await openExchangeData({
        folder,
        genesis: { feesAddress: '', insuranceAddress: '', deficitAddress: '', feeTiers: [] },
        clock: { now: () => 0 },
        sources: forgetfulSources,
        keep: 'venue',
        onFatal: (error) => assert.fail(String(error)),
        onWarning: (text) => assert.fail(text),
      })
      const { seq, state } = data.sequencer
      const reached = { seq, state: stateHash(state), trading: tradingHash(state) }
      assert.deepEqual(reached, readGolden(name))
      assert.deepEqual(checkInvariants(state), [])
      await data.close({ snapshot: false })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
