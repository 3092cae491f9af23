// docs/rules/accounts.md where it says which credits by hand need a second operator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/core/rules/limits.ts'
import { decodeState } from '../../../src/core/snapshot/decode.ts'
import { encodeState } from '../../../src/core/snapshot/encode.ts'
import { worked } from '../../support/rule-table.ts'
import { given, type Scene, START } from '../../support/scene.ts'

const million = 10 ** 6
const dayMs = 86_400_000
const midnight = Math.ceil(START / dayMs) * dayMs
let references = 0

function credit(scene: Scene, by: string, address: string, amount: number, reference?: string) {
  references += 1
  const named = reference ?? `by hand ${references}`
  return scene.run({ type: 'CreditDeposit', address, amount, reference: named, by })
}
const approve = (scene: Scene, id: number, approver: string) =>
  scene.run({ type: 'ApproveCredit', credit: id, approver })
const drop = (scene: Scene, id: number) => scene.run({ type: 'DropCredit', credit: id })

function limited(creditApprovalAbove: number | null): Scene {
  const scene = given({ markets: [], funds: { E: million, insurance: 100 * million } })
  const none = { approvalAbove: null, dailyMax: null }
  scene.run({ type: 'SetWithdrawalLimits', ...none, creditApprovalAbove }).accepted()
  return scene
}

test('case 332: above the amount another operator must approve a credit (ACCT-10)', () => {
  const row = worked('accounts', 332)
  const [above = 0, toBoth = 0, ofBob = 0] = row.given()
  const scene = limited(above)
  const first = credit(scene, 'ann', 'A', toBoth).one('Deposited')
  const ofAnn = credit(scene, 'ann', 'B', toBoth).one('CreditHeld')
  const toA = credit(scene, 'bob', 'A', ofBob).one('CreditHeld')
  const refusal = approve(scene, ofAnn.credit, 'ann').one('CommandRejected')
  const toB = approve(scene, ofAnn.credit, 'bob').one('Deposited')
  const last = approve(scene, toA.credit, 'ann').one('Deposited')
  row.names(refusal.rejection)
  row.says(
    ...[first.balance, ofAnn.credit, toA.credit, refusal.first],
    ...[toB.balance, last.balance],
  )
})

test('a hundred credits by one operator are approved like one of their sum (ACCT-10)', () => {
  const scene = limited(10 * million)
  let held = 0
  for (let count = 0; count < 100; count++)
    held += credit(scene, 'ann', `owner ${count}`, 5 * million).all('CreditHeld').length
  assert.equal(held, 98)
  assert.equal(scene.view.money.heldCredits().length, 98)
})

test('two operators taking turns cannot credit an owner more without approval (ACCT-10)', () => {
  const scene = limited(10 * million)
  scene.own('E', 'CreateSubaccount', { address: 'E-1' }).accepted()
  credit(scene, 'ann', 'E', 6 * million).one('Deposited')
  credit(scene, 'bob', 'E-1', 6 * million).one('CreditHeld')
  credit(scene, 'eve', 'E-1', 4 * million).one('Deposited')
  scene.now = midnight
  credit(scene, 'bob', 'E-1', 6 * million).one('Deposited')
})

test('a new limit counts the credits made earlier on the same day (ACCT-10)', () => {
  const scene = limited(null)
  credit(scene, 'ann', 'A', 9 * million).one('Deposited')
  const set = { approvalAbove: null, dailyMax: null, creditApprovalAbove: 10 * million }
  scene.run({ type: 'SetWithdrawalLimits', ...set }).accepted()
  credit(scene, 'ann', 'B', 2 * million).one('CreditHeld')
  // Absent: it stays.
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove: null, dailyMax: null }).emits({
    type: 'WithdrawalLimitsSet',
    ...{ approvalAbove: -1, dailyMax: -1, creditApprovalAbove: 10 * million },
  })
  scene
    .run({ type: 'SetWithdrawalLimits', ...set, creditApprovalAbove: -1 })
    .refused('INVALID_PARAMETER', -1)
})

test('money out of a reserve is a credit by hand, and goes through the same gate (ACCT-10)', () => {
  const scene = limited(10 * million)
  const move = (amount: number, by?: string) =>
    scene.run({
      ...{ type: 'MoveReserve', from: scene.id('insurance'), to: scene.id('E'), amount },
      ...(by === undefined ? {} : { by }),
    })
  move(6 * million, 'ann').one('ReserveMoved')
  credit(scene, 'ann', 'B', 6 * million).one('CreditHeld')
  const { credit: id } = move(6 * million, 'ann').one('CreditHeld')
  move(6 * million).one('ReserveMoved')
  move(6 * million, '').refused('INVALID_PARAMETER', 0)
  const approved = approve(scene, id, 'bob')
  assert.equal(approved.one('CreditApproved').approver, 'bob')
  assert.equal(approved.one('ReserveMoved').amount, 6 * million)
  const { credit: large } = move(80 * million, 'ann').one('CreditHeld')
  move(20 * million).accepted()
  approve(scene, large, 'bob').refused('FUND_TOO_SMALL', 80 * million, 62 * million)
  // A reserve gains nothing for the attacker.
  const back = { from: scene.id('E'), to: scene.id('insurance'), amount: 11 * million }
  scene.run({ type: 'MoveReserve', ...back, by: 'ann' }).one('ReserveMoved')
})

const withdraw = (scene: Scene, name: string, amount: number) =>
  scene.own(name, 'Withdraw', { amount }).one('WithdrawalRequested').withdrawal
const fail = (scene: Scene, withdrawal: number, by?: string) =>
  scene.run({ type: 'FailWithdrawal', withdrawal, ...(by === undefined ? {} : { by }) })
const complete = (scene: Scene, withdrawal: number) =>
  scene.run({ type: 'CompleteWithdrawal', withdrawal })

test('case 350: a payable withdrawal that is failed by hand is a credit (ACCT-10)', () => {
  const row = worked('accounts', 350)
  const [above = 0, , , each = 0] = row.given()
  const scene = limited(above)
  scene.deposit('A', 2 * each)
  for (const withdrawal of [1, 2]) assert.equal(withdraw(scene, 'A', each), withdrawal)
  fail(scene, 1, 'ann').one('WithdrawalFailed')
  const { credit: id } = fail(scene, 2, 'ann').one('CreditHeld')
  const balance = scene.balance('A')
  const pending = scene.view.accounts.pendingOf(scene.id('A'))
  const refusal = approve(scene, id, 'ann').one('CommandRejected')
  const returned = approve(scene, id, 'bob').one('WithdrawalFailed')
  row.names(refusal.rejection)
  row.says(balance, id, pending, refusal.first, returned.pending)
  assert.equal(scene.balance('A'), 2 * each)
})

test('a return waits once, and ends with its withdrawal (ACCT-10)', () => {
  const scene = limited(million)
  scene.deposit('A', 100 * million)
  const [first, second, third] = [1, 2, 3].map(() => withdraw(scene, 'A', 2 * million)) as [
    number,
    number,
    number,
  ]
  fail(scene, first, 'ann').emits({
    type: 'CreditHeld',
    ...{ credit: 1, source: 0, withdrawal: first, amount: 2 * million },
    ...{ address: 'A', reference: '', operator: 'ann' },
  })
  for (const by of ['ann', 'bob']) fail(scene, first, by).refused('CREDIT_WAITS', 1)
  fail(scene, second, '').refused('INVALID_PARAMETER', 0)
  assert.deepEqual(
    scene.view.money.heldCredits().map(({ withdrawal, source }) => [withdrawal, source]),
    [[first, null]],
  )
  // It was paid after all: there is nothing to return.
  assert.equal(complete(scene, first).one('CreditDropped').credit, 1)
  approve(scene, 1, 'bob').refused('CREDIT_NOT_FOUND', 1)
  fail(scene, second, 'ann').one('CreditHeld')
  // A failure that the treasury reports needs no approval.
  assert.equal(fail(scene, second).one('CreditDropped').credit, 2)
  fail(scene, third, 'ann').one('CreditHeld')
  drop(scene, 3).accepted()
  complete(scene, third).one('WithdrawalCompleted')
  fail(scene, third, 'ann').refused('WITHDRAWAL_NOT_FOUND', third)
})

test('returns count with credits, of the operator and of the owner (ACCT-10)', () => {
  const scene = limited(10 * million)
  scene.deposit('A', 100 * million)
  scene.deposit('B', 100 * million)
  const ids = ['A', 'A', 'B'].map((name) => withdraw(scene, name, 6 * million))
  credit(scene, 'ann', 'new', 6 * million).one('Deposited')
  fail(scene, ids[0]!, 'ann').one('CreditHeld')
  fail(scene, ids[1]!, 'bob').one('WithdrawalFailed')
  fail(scene, ids[2]!, 'bob').one('CreditHeld')
  credit(scene, 'eve', 'A', 6 * million).one('CreditHeld')
  credit(scene, 'eve', 'A', 4 * million).one('Deposited')
})

test('a withdrawal that was not payable is failed by anybody (ACCT-10)', () => {
  const scene = limited(0)
  scene.deposit('E', 2 * million)
  const none = { dailyMax: null, creditApprovalAbove: 0 }
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove: 0, ...none }).accepted()
  const [waiting, payable] = [1, 2].map(() => withdraw(scene, 'E', million)) as [number, number]
  for (const approver of ['ann', 'bob'])
    scene.run({ type: 'ApproveWithdrawal', withdrawal: payable, approver }).accepted()
  scene.run({ type: 'ApproveWithdrawal', withdrawal: waiting, approver: 'ann' }).accepted()
  fail(scene, waiting, 'ann').one('WithdrawalFailed')
  fail(scene, payable, 'ann').one('CreditHeld')
  // While the return waits, a snapshot has it.
  const restored = decodeState(encodeState(scene.state))
  assert.deepEqual(encodeState(restored), encodeState(scene.state))
})

test('a waiting credit is requested once, dropped, or made by a real deposit (ACCT-10)', () => {
  const scene = limited(0)
  credit(scene, 'ann', 'A', million, 'wire').emits({
    type: 'CreditHeld',
    ...{ credit: 1, source: 0, amount: million, address: 'A' },
    ...{ reference: 'wire', operator: 'ann' },
  })
  for (const by of ['ann', 'bob'])
    credit(scene, by, 'A', million, 'wire').refused('CREDIT_WAITS', 1)
  drop(scene, 1).emits({ type: 'CreditDropped', credit: 1 })
  drop(scene, 1).refused('CREDIT_NOT_FOUND', 1)
  approve(scene, 1, 'bob').refused('CREDIT_NOT_FOUND', 1)
  // Another one under the same reference is another credit: an approval of the first is void.
  credit(scene, 'ann', 'A', 900 * million, 'wire').one('CreditHeld')
  approve(scene, 1, 'bob').refused('CREDIT_NOT_FOUND', 1)
  scene.run({ type: 'Deposit', address: 'A', amount: million, reference: 'wire' })
  approve(scene, 2, 'bob').refused('CREDIT_NOT_FOUND', 2)
  credit(scene, 'ann', 'A', million, 'wire').refused('DEPOSIT_REFERENCE_USED')
  credit(scene, 'ann', 'A', 2 * million, 'wire').refused('DEPOSIT_CONFLICT', 5, million)
  assert.equal(scene.balance('A'), million)
})

test('a credit is checked again when it is approved (ACCT-10)', () => {
  const scene = limited(0)
  credit(scene, 'ann', 'new', million).one('CreditHeld')
  approve(scene, 1, 'ann').refused('CREDIT_APPROVER_REPEATED', 1)
  approve(scene, 1, '').refused('INVALID_PARAMETER', 0)
  const agent = { agent: 'new', scopes: ['trade'] }
  scene.own('E', 'BindAgent', agent).accepted()
  const proof = {
    ...{ textHash: 'signed', signedAtMs: scene.now, expiresAtMs: scene.now + 9_000 },
    ...{ agent: 'new', ip: null },
  }
  scene.own('E', 'CancelAllOrders', { market: null, proof }).accepted()
  approve(scene, 1, 'bob').refused('UNSUPPORTED_OPERATION')
  credit(scene, '', 'E', million).refused('INVALID_PARAMETER', 0)
  credit(scene, 'x'.repeat(129), 'E', million).refused('INVALID_PARAMETER', 129)
})

test('the number of waiting credits is limited (ACCT-10)', () => {
  const scene = limited(0)
  scene.quietly(() => {
    const each = limits.creditsWaitingEach
    for (let count = 0; count < limits.creditsWaiting; count++)
      credit(scene, `ann-${Math.floor(count / each)}`, 'E', million).one('CreditHeld')
    credit(scene, 'bob', 'E', million).refused('LIMIT_REACHED', limits.creditsWaiting)
    const move = { from: scene.id('insurance'), to: scene.id('E'), amount: 1, by: 'bob' }
    scene.run({ type: 'MoveReserve', ...move }).refused('LIMIT_REACHED', limits.creditsWaiting)
  })
})

test('one operator cannot use up the places for waiting credits (ACCT-10)', () => {
  const scene = limited(0)
  const each = limits.creditsWaitingEach
  scene.quietly(() => {
    for (let count = 0; count < each; count++) credit(scene, 'ann', 'E', million).one('CreditHeld')
    credit(scene, 'ann', 'E', million).refused('LIMIT_REACHED', each)
    credit(scene, 'bob', 'E', million).one('CreditHeld')
  })
})

test('money that comes and goes all day is counted without an end (ACCT-10)', () => {
  const most = limits.moneyMax
  const scene = given({ markets: [], funds: { E: million } })
  scene.deposit('insurance', most - million).accepted()
  const move = (from: string, to: string) =>
    scene.run({
      ...{ type: 'MoveReserve', from: scene.id(from), to: scene.id(to) },
      ...{ amount: most - million, by: 'ann' },
    })
  for (let round = 0; round < 3; round++) {
    move('insurance', 'E').one('ReserveMoved')
    move('E', 'insurance').one('ReserveMoved')
  }
  const restored = decodeState(encodeState(scene.state))
  assert.deepEqual(encodeState(restored), encodeState(scene.state))
  const none = { approvalAbove: null, dailyMax: null }
  scene.run({ type: 'SetWithdrawalLimits', ...none, creditApprovalAbove: most }).accepted()
  move('insurance', 'E').one('CreditHeld')
})
