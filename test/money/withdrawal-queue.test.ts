// The queue of withdrawals on the admin plane: which approval each waits for, two tokens above an
// amount, and the daily limit.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adminScopes } from '../../src/protocol/admin/admin-row.ts'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const everything = adminScopes.join('+')
const named = [
  'root:the-token-of-every-scope',
  'ann:the-token-of-ann-alone',
  'bob:the-token-of-bob-alone',
]
const tokens = named.map((each) => `${each}:${everything}`).join(',')
const live = await frozenSandbox(['--admin-tokens', tokens])
after(() => live.close())
const { api } = live
const [root, ann, bob] = named.map((each) => new AdminClient(live, each.split(':')[1]!)) as [
  AdminClient,
  AdminClient,
  AdminClient,
]
const trader = await live.trader('1000')
const withdraw = async (amount: string) =>
  dataOf<{ withdrawal_id: number }>(await api.signed(trader, '/account/withdraw', { amount }))
const queue = async (query: Row = {}) =>
  dataOf<Row[]>(await root.get('/withdrawals', query as Record<string, string>))
const limits = async (approval_above: string | null, daily_max: string | null) =>
  dataOf(await root.post('/withdrawals/limits', { approval_above, daily_max }))

test('without limits a withdrawal is payable immediately', async () => {
  const none = { approval_above: null, daily_max: null, payable_today: '0' }
  const { warnings, ...set } = dataOf<Row>(await root.get('/withdrawals/limits'))
  assert.deepEqual(set, { ...none, credit_approval_above: null })
  assert.match(String(warnings), /^no limit of money is set/)
  const one = await withdraw('10')
  const [row] = await queue()
  const { account, amount, state, approvals_needed, approved_by } = row!
  assert.deepEqual([account, amount], [trader.address, '10'])
  assert.deepEqual([state, approvals_needed, approved_by], ['payable', 0, []])
  refused(await ann.post('/withdrawals/approve', one), {
    status: 422,
    says: /WITHDRAWAL_ALREADY_APPROVED: withdrawal 1 has the 0 approvals it needs/,
  })
  dataOf(await root.post('/withdrawals/complete', one))
  assert.deepEqual(await queue(), [])
})

test('above the amount two tokens must approve before it is completed', async () => {
  // Together with the earlier 10 that is exactly the owner's daily maximum.
  const { approval_above, daily_max, payable_today } = await limits('30', null)
  assert.deepEqual([approval_above, daily_max, payable_today], ['30', null, '10'])
  const [small, large] = [await withdraw('20'), await withdraw('20.000001')]
  const ids = async (query: Row) => (await queue(query)).map(({ withdrawal_id }) => withdrawal_id)
  assert.deepEqual(await ids({ state: 'payable' }), [small.withdrawal_id])
  assert.deepEqual(await ids({ state: 'waiting' }), [large.withdrawal_id])
  refused(await root.post('/withdrawals/complete', large), {
    status: 422,
    says: /WITHDRAWAL_NOT_APPROVED: withdrawal 3 has 0 of the 2 approvals it needs/,
  })
  const first = dataOf(await ann.post('/withdrawals/approve', large))
  assert.deepEqual(first, { ...large, approvals: 1, approvals_needed: 2 })
  refused(await ann.post('/withdrawals/approve', large), {
    status: 422,
    says: /WITHDRAWAL_APPROVER_REPEATED: your token has approved withdrawal 3 .* has 1 of 2/,
  })
  dataOf(await bob.post('/withdrawals/approve', large))
  assert.deepEqual((await queue()).at(-1)!.approved_by, ['ann', 'bob'])
  dataOf(await root.post('/withdrawals/complete', large))
  dataOf(await root.post('/withdrawals/fail', small))
  const [newest] = dataOf<Row[]>(await root.get('/journal', { limit: 4 })).slice(2)
  assert.equal(newest!.what, 'ApproveWithdrawal')
  assert.equal(newest!.who, 'bob')
  assert.match(String(newest!.command), /"approver":"bob"/)
})

test('a withdrawal above the daily limit waits, and shows how much is left', async () => {
  await limits(null, '60')
  const much = await withdraw('30')
  assert.equal((await queue())[0]!.state, 'waiting')
  refused(await ann.post('/withdrawals/approve', much), {
    status: 422,
    says: /VENUE_WITHDRAW_LIMIT_EXCEEDED: 30 USD is more than the 9.999999 USD that may still/,
  })
  await limits(null, '100')
  dataOf(await ann.post('/withdrawals/approve', much))
  dataOf(await ann.post('/withdrawals/complete', much))
  assert.equal(dataOf(await root.get('/withdrawals/limits')).payable_today, '80.000001')
})

test('the queue comes in pages, and limits are amounts', async () => {
  const ids: number[] = []
  for (let count = 0; count < 3; count++) ids.push((await withdraw('1')).withdrawal_id)
  const page = await queue({ limit: 2 })
  const rest = await queue({ limit: 2, after: page.at(-1)!.withdrawal_id })
  assert.deepEqual(
    [...page, ...rest].map(({ withdrawal_id }) => withdrawal_id),
    ids,
  )
  const set = (fields: Row) => root.post('/withdrawals/limits', fields)
  refused(await set({ approval_above: '-1', daily_max: null }), {
    status: 422,
    says: /INVALID_PARAMETER: approval_above -1 is outside 0 to 4503599627.370496/,
  })
  refused(await set({ approval_above: 'many', daily_max: null }), {
    status: 400,
    says: /approval_above/,
  })
  refused(await set({ approval_above: '5' }), { status: 400, says: /daily_max/ })
})
