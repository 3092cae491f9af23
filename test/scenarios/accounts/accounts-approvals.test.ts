// docs/rules/accounts.md where it says which withdrawals may be paid: above an amount after two
// operators, and no more on a day than the venue allows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventOf } from '../../../src/core/events/event-fields.ts'
import { worked } from '../../support/rule-table.ts'
import { given, type Scene, START } from '../../support/scene.ts'

const million = 10 ** 6
const dayMs = 86_400_000
const midnight = Math.ceil(START / dayMs) * dayMs

const withdraw = (scene: Scene, amount: number) =>
  scene.own('A', 'Withdraw', { amount }).one('WithdrawalRequested')
const approve = (scene: Scene, withdrawal: number, approver: string) =>
  scene.run({ type: 'ApproveWithdrawal', withdrawal, approver })
const complete = (scene: Scene, withdrawal: number) =>
  scene.run({ type: 'CompleteWithdrawal', withdrawal })

function limited(approvalAbove: number | null, dailyMax: number | null): Scene {
  const scene = given({ markets: [], funds: { A: 10 ** 9 } })
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove, dailyMax }).emits({
    type: 'WithdrawalLimitsSet',
    approvalAbove: approvalAbove ?? -1,
    dailyMax: dailyMax ?? -1,
    creditApprovalAbove: -1,
  })
  return scene
}

const numbersOf = ({ first, second, third }: EventOf<'CommandRejected'>, count: number) =>
  [first, second, third].slice(0, count)

test('case 220: above the amount two operators must approve (ACCT-8)', () => {
  const row = worked('accounts', 220)
  const [above = 0, , exact = 0, two = 0, much = 0] = row.given()
  const scene = limited(above, null)
  const needed = [withdraw(scene, exact), withdraw(scene, much)].map((each) => each.needed)
  const refusals = [
    complete(scene, two).one('CommandRejected'),
    approve(scene, two, 'ann').accepted() && approve(scene, two, 'ann').one('CommandRejected'),
    complete(scene, two).one('CommandRejected'),
    approve(scene, two, 'bob').accepted() && approve(scene, two, 'eve').one('CommandRejected'),
  ]
  complete(scene, two).emits({ type: 'WithdrawalCompleted', withdrawal: two, amount: much })
  row.names(...refusals.map(({ rejection }) => rejection))
  const outcome = refusals.map((each, at) => numbersOf(each, at === 3 ? 2 : 3))
  row.says(...needed, ...outcome.flat())
})

test('case 221: a withdrawal over the limit of the venue needs a second approval (ACCT-8)', () => {
  const row = worked('accounts', 221)
  const [dailyMax = 0, first = 0, second = 0] = row.given()
  const scene = limited(null, dailyMax)
  const needed = [first, second].map((amount) => withdraw(scene, amount).needed)
  const refusal = approve(scene, 2, 'ann').one('CommandRejected')
  scene.now = midnight
  const approved = approve(scene, 2, 'ann').one('WithdrawalApproved')
  row.names(refusal.rejection)
  row.says(...needed, ...numbersOf(refusal, 2), approved.approvals, approved.needed)
})

test('case 330: many withdrawals are approved like one of their sum (ACCT-8)', () => {
  const row = worked('accounts', 330)
  const [above = 0, first = 0, second = 0, third = 0, fourth = 0, next = 0] = row.given()
  const scene = limited(above, null)
  const needed = [first, second, third, fourth].map((amount) => withdraw(scene, amount).needed)
  scene.now = midnight
  row.says(...needed, withdraw(scene, next).needed)
})

test('case 331: an operator approves no more alone than an owner may withdraw (ACCT-8)', () => {
  const row = worked('accounts', 331)
  const [above = 0, none = 0, amount = 0, dailyMax = 0] = row.given()
  const scene = limited(above, none)
  scene.deposit('B', 10 ** 9)
  const needed = ['A', 'B'].map(
    (name) => scene.own(name, 'Withdraw', { amount }).one('WithdrawalRequested').needed,
  )
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove: above, dailyMax }).accepted()
  const approved = [approve(scene, 1, 'ann'), approve(scene, 2, 'ann')]
  complete(scene, 2).refused('WITHDRAWAL_NOT_APPROVED', 2, 1, 2)
  approve(scene, 2, 'ann').refused('WITHDRAWAL_APPROVER_REPEATED', 2, 1, 2)
  approved.push(approve(scene, 2, 'bob'))
  const outcome = approved.map((each) => each.one('WithdrawalApproved'))
  row.says(...needed, ...outcome.flatMap(({ approvals, needed: of }) => [approvals, of]))
})

test('an amount split into a hundred, over subaccounts too, is one amount (ACCT-8)', () => {
  const scene = limited(10 * million, null)
  scene.own('A', 'CreateSubaccount', { address: 'A-1' }).accepted()
  const half = 5 * 10 ** 8
  scene.own('A', 'Transfer', { to: scene.id('A-1'), amount: half }).accepted()
  const needed: number[] = []
  for (let count = 0; count < 20; count++) {
    scene.own('A-1', 'Transfer', { to: scene.id('A'), amount: 10 * million }).accepted()
    needed.push(withdraw(scene, 10 * million).needed)
    // A failed one may have been paid all the same: it counts.
    scene.run({ type: 'FailWithdrawal', withdrawal: count + 1 }).accepted()
  }
  assert.deepEqual(needed, [0, ...Array(19).fill(2)])
})

test('amounts that one operator approves alone count until the end of the day (ACCT-8)', () => {
  const scene = limited(5 * million, 0)
  scene.deposit('B', 10 ** 9)
  const ask = (name: string) => scene.own(name, 'Withdraw', { amount: 4 * million }).accepted()
  for (const name of ['A', 'B']) ask(name)
  const raise = { approvalAbove: 5 * million, dailyMax: 10 ** 9 }
  scene.run({ type: 'SetWithdrawalLimits', ...raise }).accepted()
  approve(scene, 1, 'ann').emits({ type: 'WithdrawalApproved', approvals: 1, needed: 1 })
  scene.now = midnight
  approve(scene, 2, 'ann').emits({ type: 'WithdrawalApproved', approvals: 1, needed: 1 })
})

test('without limits a withdrawal needs no approval and accepts none (ACCT-8)', () => {
  const scene = given({ markets: [], funds: { A: 10 ** 9 } })
  assert.equal(withdraw(scene, 500 * million).needed, 0)
  approve(scene, 1, 'ann').refused('WITHDRAWAL_ALREADY_APPROVED', 1, 0)
  approve(scene, 2, 'ann').refused('WITHDRAWAL_NOT_FOUND', 2)
  complete(scene, 1).accepted()
  approve(scene, 1, 'ann').refused('WITHDRAWAL_NOT_FOUND', 1)
})

test('an approver has a name (ACCT-8)', () => {
  const scene = limited(0, null)
  withdraw(scene, million)
  approve(scene, 1, '').refused('INVALID_PARAMETER', 0)
  approve(scene, 1, 'x'.repeat(129)).refused('INVALID_PARAMETER', 129)
  approve(scene, 1, 'ann').emits({
    type: 'WithdrawalApproved',
    ...{ withdrawal: 1, amount: million, approvals: 1, needed: 2, approver: 'ann' },
  })
  approve(scene, 1, 'ann').refused('WITHDRAWAL_APPROVER_REPEATED', 1, 1, 2)
})

test('the approvals a withdrawal needs are fixed when it is requested (ACCT-8)', () => {
  const scene = limited(5 * million, null)
  withdraw(scene, 5 * million)
  withdraw(scene, 6 * million)
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove: 10 * million, dailyMax: 0 }).accepted()
  complete(scene, 1).accepted()
  complete(scene, 2).refused('WITHDRAWAL_NOT_APPROVED', 2, 0, 2)
  scene.run({ type: 'FailWithdrawal', withdrawal: 2 }).accepted()
})

test('only the last approval asks whether the day has room (ACCT-8)', () => {
  const scene = limited(0, 5 * million)
  withdraw(scene, 6 * million)
  approve(scene, 1, 'ann').accepted()
  approve(scene, 1, 'bob').refused('VENUE_WITHDRAW_LIMIT_EXCEEDED', 6 * million, 5 * million)
  scene.run({ type: 'SetWithdrawalLimits', approvalAbove: 0, dailyMax: 6 * million }).accepted()
  approve(scene, 1, 'bob').accepted()
  assert.equal(scene.view.money.withdrawalLimits.payableToday, 6 * million)
})

test('a limit counts the whole day on which it is set, failed ones too (ACCT-8)', () => {
  const scene = given({ markets: [], funds: { A: 10 ** 9 } })
  withdraw(scene, 3 * million)
  scene.run({ type: 'FailWithdrawal', withdrawal: 1 }).accepted()
  const setMax = (dailyMax: number) =>
    scene.run({ type: 'SetWithdrawalLimits', approvalAbove: null, dailyMax })
  setMax(4 * million).accepted()
  assert.equal(withdraw(scene, 2 * million).needed, 1)
  approve(scene, 2, 'ann').refused('VENUE_WITHDRAW_LIMIT_EXCEEDED', 2 * million, million)
  setMax(2 * million).accepted()
  approve(scene, 2, 'ann').refused('VENUE_WITHDRAW_LIMIT_EXCEEDED', 2 * million, 0)
  assert.equal(withdraw(scene, million).needed, 1)
  scene.now = midnight
  assert.equal(withdraw(scene, 2 * million).needed, 0)
})

test('a limit is nothing or an amount of money (ACCT-8)', () => {
  const scene = limited(7, 8)
  const set = (approvalAbove: unknown, dailyMax: unknown) =>
    scene.run({ type: 'SetWithdrawalLimits', approvalAbove, dailyMax })
  set(-1, null).refused('INVALID_PARAMETER', -1)
  set(null, 2 ** 52 + 1).refused('INVALID_PARAMETER', 2 ** 52 + 1)
  set(0.5, null).refused('INVALID_PARAMETER', 0)
  const { approvalAbove, dailyMax } = scene.view.money.withdrawalLimits
  assert.deepEqual([approvalAbove, dailyMax], [7, 8])
  set(2 ** 52, 0).accepted()
})
