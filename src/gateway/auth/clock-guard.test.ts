// While the wall clock of a node is wrong, it answers every signed request with 503 and the reason:
// cancels too, because whether their text is within its window is not known there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../api-error.ts'
import type { Signatures } from './check-signature.ts'
import { whileClockIsRight } from './clock-guard.ts'

const fault = "the clock of this node is 8.0 s ahead of the leader's; use another node"
const accepted = { account: 'a' } as never
const signatures: Signatures = {
  checkSigned: async () => accepted,
  checkSubaccount: async () => accepted,
}

const requests = [
  ['create_order', (guarded: Signatures) => guarded.checkSigned({ type: 'create_order' } as never)],
  ['cancel_order', (guarded: Signatures) => guarded.checkSigned({ urgent: true } as never)],
  ['subaccount', (guarded: Signatures) => guarded.checkSubaccount({} as never)],
] as const

for (const [name, send] of requests)
  test(`${name}: 503 with the reason while the clock is wrong, accepted once right`, async () => {
    let wrong: string | null = fault
    const guarded = whileClockIsRight(signatures, () => wrong)
    await assert.rejects(send(guarded), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual([error.status, error.message], [503, `NOT_READY: ${fault}`])
      return true
    })
    wrong = null
    assert.equal(await send(guarded), accepted)
  })
