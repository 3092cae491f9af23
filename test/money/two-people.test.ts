// Two-person approval of payments, on the admin plane and across a restart: splitting a withdrawal,
// manual credits, and limits that warn when they have no effect.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { AdminClient } from '../support/http/admin-client.ts'
import { dataOf, type Row, refused } from '../support/http/api-client.ts'
import { frozenSandbox } from '../support/http/live-exchange.ts'

const named = [
  'root:the-token-of-the-operator:read+operate',
  'ann:the-token-of-ann-alone:read+money',
  'ann:the-other-token-of-ann:read+money',
  'bob:the-token-of-bob-alone:read+money',
]
const live = await frozenSandbox(['--admin-tokens', named.join(',')])
after(() => live.close())
const { api } = live
const [root, ann, again, bob] = named.map((each) => new AdminClient(live, each.split(':')[1]!)) as [
  AdminClient,
  AdminClient,
  AdminClient,
  AdminClient,
]
const trader = await live.trader('2000000')
const withdraw = async (amount: string) =>
  dataOf<{ withdrawal_id: number }>(await api.signed(trader, '/account/withdraw', { amount }))
const states = async () =>
  dataOf<Row[]>(await root.get('/withdrawals')).map(({ state }) => state as string)
const set = async (fields: Row) => dataOf(await root.post('/withdrawals/limits', fields))
const credit = (who: AdminClient, amount: string, reference: string, account = trader.address) =>
  who.post('/deposits', { account, amount, reference })

test('a hundred withdrawals of the limit are not all payable with one token', async () => {
  await set({ approval_above: '10000', daily_max: null })
  const ids: number[] = []
  for (let count = 0; count < 20; count++) ids.push((await withdraw('10000')).withdrawal_id)
  assert.deepEqual(await states(), ['payable', ...Array(19).fill('waiting')])
  for (const withdrawal_id of ids.slice(1)) {
    dataOf(await ann.post('/withdrawals/approve', { withdrawal_id }))
    // Another token of the same name is the same person.
    const repeated = await again.post('/withdrawals/approve', { withdrawal_id })
    refused(repeated, { status: 422, says: /WITHDRAWAL_APPROVER_REPEATED/ })
    const done = await ann.post('/withdrawals/complete', { withdrawal_id })
    refused(done, { status: 422, says: /WITHDRAWAL_NOT_APPROVED/ })
  }
  const raced = await Promise.all(
    [bob, bob, bob].map((who) => who.post('/withdrawals/approve', { withdrawal_id: ids[1]! })),
  )
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 422, 422])
})

test('a limit without effect says so when it is set', async () => {
  const warnings = async (fields: Row) => (await set(fields)).warnings as string[]
  const [first, second, ...more] = await warnings({ approval_above: '10000', daily_max: null })
  assert.match(first ?? '', /without daily_max/)
  assert.match(second ?? '', /without credit_approval_above/)
  assert.deepEqual(more, [])
  const whole = { approval_above: '10000', daily_max: '5000000', credit_approval_above: '5000' }
  assert.deepEqual(await warnings(whole), [])
  // Absent: it stays.
  const { credit_approval_above } = await set({ approval_above: '10000', daily_max: '5000000' })
  assert.equal(credit_approval_above, '5000')
  const wrong = await root.post('/withdrawals/limits', { ...whole, credit_approval_above: '-1' })
  refused(wrong, { status: 422, says: /credit_approval_above -1 is outside 0 to/ })
})

test('a credit by one token beyond the limit waits for another', async () => {
  const once = dataOf(await credit(ann, '4000', 'wire-1'))
  assert.deepEqual([once.credited, once.waiting_credit_id], [true, null])
  const held = dataOf(await credit(ann, '4000', 'wire-2'))
  assert.deepEqual([held.credited, held.waiting_credit_id], [false, 1])
  // The same again, by any token, is not an approval.
  for (const who of [ann, bob]) assert.deepEqual(dataOf(await credit(who, '4000', 'wire-2')), held)
  refused(await credit(ann, '4001', 'wire-2'), { status: 409, says: /credit 1 of 4000 USD to/ })
  const [row] = dataOf<Row[]>(await root.get('/deposits/waiting'))
  const { account, amount, reference, from, requested_by } = row!
  assert.deepEqual(
    [account, amount, reference, from, requested_by],
    [trader.address, '4000', 'wire-2', null, 'ann'],
  )
  for (const who of [ann, again])
    refused(await who.post('/deposits/approve', { credit_id: 1 }), {
      status: 422,
      says: /CREDIT_APPROVER_REPEATED: your token requested credit 1/,
    })
  refused(await root.post('/deposits/approve', { credit_id: 1 }), { status: 403, says: /scope/ })
  const raced = await Promise.all(
    [bob, bob].map((who) => who.post('/deposits/approve', { credit_id: 1 })),
  )
  assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 422])
  const known = dataOf(await credit(ann, '4000', 'wire-2'))
  assert.deepEqual([known.credited, known.waiting_credit_id], [false, null])
})

test('a paid withdrawal cannot be returned by one token', async () => {
  await set({ approval_above: null, daily_max: null, credit_approval_above: '5000' })
  const { withdrawal_id } = await withdraw('6000')
  const failed = await bob.post('/withdrawals/fail', { withdrawal_id })
  const reply = dataOf<{ waiting_credit_id: number }>(failed)
  const waiting = dataOf<Row[]>(await root.get('/deposits/waiting'))
  assert.deepEqual(
    waiting.map((row) => [row.credit_id, row.withdrawal_id, row.amount, row.reference, row.from]),
    [[reply.waiting_credit_id, withdrawal_id, '6000', null, null]],
  )
  // The queue shows it: a payment system that lists payable withdrawals does not find it.
  const listed = async (state: string) =>
    dataOf<Row[]>(await root.get('/withdrawals', { state })).filter(
      (row) => row.withdrawal_id === withdrawal_id,
    )
  const [shown] = await listed('return_requested')
  assert.deepEqual(
    [shown!.state, shown!.return_credit_id, shown!.return_requested_by],
    ['return_requested', reply.waiting_credit_id, 'bob'],
  )
  assert.deepEqual([await listed('payable'), await listed('waiting')], [[], []])
  refused(await ann.post('/withdrawals/fail', { withdrawal_id }), {
    status: 422,
    says: /CREDIT_WAITS: credit 2 waits for a second token: use/,
  })
  const { balance } = dataOf(
    await ann.post('/deposits/approve', { credit_id: reply.waiting_credit_id }),
  )
  assert.ok(Number(balance) > 6_000)
  assert.deepEqual(await listed('return_requested'), [])
  const small = await withdraw('100')
  const back = dataOf(await ann.post('/withdrawals/fail', small))
  assert.deepEqual(back, { ...small, waiting_credit_id: null })
})

test('withdrawals from the insurance fund need the same approval', async () => {
  dataOf(await credit(bob, '5000', 'wire-3', await fund()))
  const move = { from: 'insurance', to: trader.address, amount: '4000' }
  const held = dataOf(await ann.post('/reserves/move', move))
  assert.equal(held.waiting_credit_id, 3)
  dataOf(await ann.post('/deposits/drop', { credit_id: 3 }))
  refused(await bob.post('/deposits/approve', { credit_id: 3 }), {
    status: 422,
    says: /CREDIT_NOT_FOUND: no waiting credit 3/,
  })
})

const fund = async () => dataOf(await root.get('/reserves')).insurance_address as string

test('a withdrawal brake is set, read and turned off', async () => {
  const off = dataOf(await root.get('/withdrawals/brake'))
  assert.deepEqual([off.enabled, off.pulled], [false, null])
  const on = dataOf(await root.post('/withdrawals/brake', { enabled: true, minutes: 30 }))
  assert.deepEqual(on, {
    ...{ enabled: true, fund_part: '0.05', profit_above: '1000', minutes: 30, pulled: null },
  })
  refused(await root.post('/withdrawals/brake', { enabled: true, fund_part: '1.1' }), {
    status: 422,
    says: /fund_part 1\.1 is outside 0 to 1/,
  })
  refused(await ann.post('/withdrawals/brake', { enabled: false }), { status: 403, says: /scope/ })
  assert.equal(dataOf(await root.post('/withdrawals/brake', { enabled: false })).enabled, false)
})

test('a reason or a note with invisible characters is rejected by name', async () => {
  const body = { account: trader.address, amount: '1', reference: 'wire-9' }
  for (const [reason, code] of [
    ['paid\u202e', '202E'],
    ['pa\u200bid', '200B'],
    ['paid\u{e0041}', 'E0041'],
    ['pa\u0007id', '0007'],
  ])
    refused(await ann.post('/deposits', { ...body, reason: reason! }), {
      status: 400,
      says: new RegExp(`reason has the character U\\+${code}; it may have no control`),
    })
})
