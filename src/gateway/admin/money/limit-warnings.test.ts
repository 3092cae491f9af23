import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Quote } from '../../../units/units.ts'
import { limitWarnings } from './limit-warnings.ts'

const usd = (dollars: number | null) => (dollars === null ? null : dollars * 1_000_000) as Quote
const ownerMax = 10_000_000_000_000
const good = [
  { name: 'ann', scopes: ['read', 'money'] },
  { name: 'bob', scopes: ['read', 'money'] },
  { name: 'operator', scopes: ['read', 'operate'] },
] as const

function warned(
  [above, daily, credit]: readonly [number | null, number | null, number | null],
  tokens: Parameters<typeof limitWarnings>[1] = good,
) {
  const limits = {
    ...{ approvalAbove: usd(above), dailyMax: usd(daily) },
    ...{ creditApprovalAbove: usd(credit), payableToday: usd(0) },
  }
  return limitWarnings(limits, tokens, ownerMax)
}

test('limits that hold warn of nothing, and no limits say that there are none', () => {
  assert.match(warned([null, null, null]).join(), /^no limit of money is set: [^.]*$/)
  assert.deepEqual(warned([10_000, 250_000, 10_000]), [])
  assert.deepEqual(warned([null, 250_000, null]), [])
})

test('each limit that has no effect says so and what to do', () => {
  const only = (warnings: readonly string[], says: RegExp) => {
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.match(warnings[0]!, says)
  }
  only(warned([10_000, null, 1]), /^approval_above \(10000 USD\) without daily_max/)
  only(warned([10_000, 10_000, 1]), /is not below daily_max \(10000 USD\)/)
  only(warned([10_000_000, 11_000_000, 1]), /is not below what an owner may withdraw on a day/)
  only(warned([10_000, 250_000, null]), /without credit_approval_above/)
})

test('two people are two names, and neither of them sets the limits', () => {
  const money = ['money'] as const
  const twice = [
    { name: 'ann', scopes: money },
    { name: 'ann', scopes: money },
  ]
  assert.match(warned([1, 2, 1], twice).join(), /^tokens of 1 names have the scope money/)
  assert.match(warned([null, null, 1], []).join(), /^tokens of 0 names/)
  const both = [...good, { name: 'root', scopes: ['money', 'operate'] as const }]
  assert.match(warned([1, 2, 1], both).join(), /^root: a token with the scopes money and operate/)
})
