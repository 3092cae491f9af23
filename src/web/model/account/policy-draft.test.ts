import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addressProblem,
  costText,
  draftOf,
  emptyPolicy,
  policyOf,
  policyProblem,
  policyRefusal,
  policyText,
} from './policy-draft.ts'

const now = 1_800_000_000_000

test('the form becomes the policy, and back', () => {
  const draft = { ...emptyPolicy, symbols: 'BTC, ETH', position: '5,000.5', order: '', days: '2' }
  const policy = policyOf(draft, now)
  assert.deepEqual(policy, {
    symbols: ['BTC', 'ETH'],
    ...{ post_only: false, reduce_only: false, max_slippage_percent: '2', max_order_value: null },
    ...{ max_position_value: '5000.5', max_daily_loss: '100', expires_at: now + 172_800_000 },
    allow: [],
  })
  assert.deepEqual(policyOf(draftOf(policy, now), now, { before: policy }), policy)
  assert.deepEqual(draftOf(null, now), emptyPolicy)
  const kept = { ...policy, allow: ['margin' as const] }
  assert.deepEqual(policyOf(draftOf(kept, now), now, { before: kept }).allow, ['margin'])
})

const nine = { markets: 9, positions: [] }
const three = { markets: 3, positions: [] }

test('the maximum loss is that of docs/api/keys.md, or named as unbounded', () => {
  const policy = policyOf({ ...emptyPolicy, symbols: 'BTC ETH' }, now)
  assert.match(
    costText(policy, nine),
    /about 400 USD a day in each of BTC, ETH \(700 together\).*100 until.*3 × 2 % of 5,000/,
  )
  assert.match(costText({ ...policy, max_daily_loss: null }, nine), /^No bound/)
  assert.match(costText(null, nine), /lose the whole account/)
  assert.match(costText({ ...policy, symbols: null }, three), /in each market \(1,000 together\)/)
  assert.match(costText({ ...policy, symbols: ['BTC'] }, three), /a day in BTC, and what/)
})

test('positions beyond the policy are named with the possible cost of closing', () => {
  const policy = policyOf({ ...emptyPolicy, symbols: 'BTC' }, now)
  const positions = [
    { symbol: 'BTC', value: 74_000 },
    { symbol: 'ETH', value: 90_000 },
  ]
  // 2 % of the 69,000 above the 5,000 of the policy; ETH is not a market of the key.
  const said = costText(policy, { markets: 9, positions })
  assert.match(
    said,
    /about 400 USD .* Another 1,380 USD or so while positions exceed that by 69,000 USD in BTC:/,
  )
  const small = [{ symbol: 'BTC', value: 5_000 }]
  assert.doesNotMatch(costText(policy, { markets: 9, positions: small }), /Another/)
})

test('an invalid number is reported with its field', () => {
  const known = ['BTC', 'ETH']
  const said = (part: object) => policyProblem({ ...emptyPolicy, ...part }, known)
  assert.equal(said({}), null)
  assert.deepEqual(said({ loss: 'much' }), {
    field: 'loss',
    message: 'The loss of a day is not a number',
  })
  assert.equal(said({ days: '0' })?.field, 'days')
  assert.deepEqual(said({ slippage: '100.5' }), {
    field: 'slippage',
    message: 'How far beyond the mark must be at most 100 %',
  })
  assert.deepEqual(said({ position: '0' }), {
    field: 'position',
    message: 'The value of a position must be above 0; empty: no limit',
  })
  assert.equal(said({ slippage: '0', order: '' }), null)
  assert.deepEqual(said({ symbols: 'btc, NOPE' }), {
    field: 'symbols',
    message: 'No market is called NOPE',
  })
  const typed = { ...emptyPolicy, symbols: 'btc Eth' }
  assert.deepEqual(policyOf(typed, now, { known }).symbols, known)
  assert.equal(addressProblem('')?.message, 'The address of the key is missing')
  assert.equal(addressProblem('not one')?.field, 'address')
  assert.equal(addressProblem('tqSpmWAR4LUaUymnCKXzMsrxZ6PC15mB5Nc2DB1BDMy'), null)
  assert.equal(policyRefusal('policy.max_order_value 0 is not accepted')?.field, 'order')
  assert.equal(policyRefusal('an account has at most 5 agents'), null)
})

test('the rules of a policy are described in words, with numbers as elsewhere', () => {
  const policy = policyOf({ ...emptyPolicy, symbols: 'BTC', days: '' }, now)
  assert.equal(
    policyText(policy, false),
    'BTC; never worse than 2 % beyond the mark; positions to 5,000 USD; only reduces after a ' +
      'loss of 100 USD in a day',
  )
})
