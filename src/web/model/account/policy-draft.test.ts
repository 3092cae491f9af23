import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costText, draftOf, emptyPolicy, policyOf, policyProblem } from './policy-draft.ts'

const now = 1_800_000_000_000

test('what is typed becomes the policy, and comes back', () => {
  const draft = { ...emptyPolicy, symbols: 'BTC, ETH', position: '5,000.5', order: '', days: '2' }
  const policy = policyOf(draft, now)
  assert.deepEqual(policy, {
    symbols: ['BTC', 'ETH'],
    ...{ post_only: false, reduce_only: false, max_slippage_percent: '2', max_order_value: null },
    ...{ max_position_value: '5000.5', max_daily_loss: '100', expires_at: now + 172_800_000 },
    allow: [],
  })
  assert.deepEqual(policyOf(draftOf(policy, now), now, policy), policy)
  assert.deepEqual(draftOf(null, now), emptyPolicy)
  const kept = { ...policy, allow: ['margin' as const] }
  assert.deepEqual(policyOf(draftOf(kept, now), now, kept).allow, ['margin'])
})

test('the sum is that of docs/api/keys.md, and its absence is said', () => {
  const policy = policyOf({ ...emptyPolicy, symbols: 'BTC ETH' }, now)
  assert.match(
    costText(policy),
    /about 400 USD a day in each of BTC, ETH, and what the market moves/,
  )
  assert.match(costText({ ...policy, max_daily_loss: null }), /^No bound/)
  assert.match(costText(null), /all of the account/)
})

test('what is no number is said with its field', () => {
  assert.equal(policyProblem(emptyPolicy), null)
  assert.match(policyProblem({ ...emptyPolicy, loss: 'much' })!, /^The loss of a day is not a/)
})
