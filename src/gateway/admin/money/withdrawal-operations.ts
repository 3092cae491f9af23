// Money out: what is queued, who approved it, how it ended, and the limits of the venue (ACCT-8).

import { limits, type MoneyView, type WithdrawalId } from '../../../core/index.ts'
import { decimal, optional } from '../../../protocol/schemas/field-types.ts'
import { limitOf } from '../../../protocol/schemas/lists.ts'
import { Type } from '../../../protocol/schemas/typebox.ts'
import type { Quote } from '../../../units/units.ts'
import type { Exchange } from '../../exchange.ts'
import { moneyText } from '../../market-text.ts'
import { refusal } from '../../refusal.ts'
import type { TokenHolder } from '../access/tokens.ts'
import { admin, order } from '../admin-operation.ts'
import { moneyIn } from '../money-operations.ts'
import { limitWarnings } from './limit-warnings.ts'

type Queued = ReturnType<MoneyView['withdrawals']>[number]
type Return = ReturnType<MoneyView['heldCredits']>[number]

const states = ['waiting', 'payable', 'return_requested'] as const
type State = (typeof states)[number]

function stateOf({ approvers, needed }: Queued, byHand: Return | undefined): State {
  if (byHand !== undefined) return 'return_requested'
  return approvers.length < needed ? 'waiting' : 'payable'
}

/** Returns by hand that wait for a second token (ACCT-10), by withdrawal. */
function returnsOf(money: MoneyView): ReadonlyMap<number, Return> {
  const returns = new Map<number, Return>()
  for (const credit of money.heldCredits())
    if (credit.withdrawal !== null) returns.set(credit.withdrawal, credit)
  return returns
}

const queued = Type.Object({
  withdrawal_id: Type.Integer(),
  account: Type.String(),
  amount: Type.String(),
  requested_at: Type.Integer(),
  state: Type.Enum([...states], {
    description:
      'waiting: needs approvals; payable: to be paid, then completed or failed; ' +
      'return_requested: a token failed a payable one, and the money is returned when ' +
      'another token approves return_credit_id. Pay it only after that credit is dropped',
  }),
  approvals_needed: Type.Integer({ description: 'In all' }),
  approved_by: Type.Array(Type.String(), { description: 'Names of tokens, in order of approval' }),
  held_by_brake: Type.Boolean({
    description:
      'Its owner won while the insurance fund paid (GET /withdrawals/brake): check before ' +
      'approving',
  }),
  return_credit_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Credit to approve or drop (POST /deposits/approve); null if no return is waiting',
  }),
  return_requested_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the token that failed it; another one must approve',
  }),
})

const queueMax = 1_000

export const listWithdrawals = admin({
  name: 'list_withdrawals',
  http: 'GET /withdrawals',
  scope: 'read',
  summary: 'List withdrawals that are neither completed nor failed, oldest first',
  request: Type.Object({
    state: optional(Type.Enum([...states])),
    limit: limitOf({ maximum: queueMax, default: queueMax, rows: 'withdrawals' }),
    after: optional(
      Type.Integer({ minimum: 0, description: 'Only those with a higher withdrawal_id' }),
    ),
  }),
  reply: Type.Array(queued),
  handle({ request, exchange: { view } }) {
    const { state = null, limit, after } = request
    const returns = returnsOf(view.money)
    const found = view.money
      .withdrawals()
      .filter((each) => each.withdrawal > (after ?? 0))
      .map((each) => ({ ...each, byHand: returns.get(each.withdrawal) }))
      .filter((each) => state === null || stateOf(each, each.byHand) === state)
    return found.slice(0, limit ?? queueMax).map(({ byHand, ...each }) => ({
      withdrawal_id: each.withdrawal,
      account: view.accounts.addressOf(each.account),
      amount: moneyText(each.amount),
      requested_at: each.requestedAt,
      state: stateOf(each, byHand),
      approvals_needed: each.needed,
      approved_by: [...each.approvers],
      held_by_brake: each.held,
      return_credit_id: byHand?.credit ?? null,
      return_requested_by: byHand?.by ?? null,
    }))
  },
})

const which = Type.Object({ withdrawal_id: Type.Integer({ minimum: 1 }) })
const noSubject = { account: '', params: null }

export const approveWithdrawal = admin({
  name: 'approve_withdrawal',
  http: 'POST /withdrawals/approve',
  scope: 'money',
  summary:
    'Approve a waiting withdrawal; two tokens of different names are needed if an owner ' +
    'withdraws, or a token approves alone, more than approval_above on a UTC day',
  request: which,
  reply: Type.Object({
    withdrawal_id: Type.Integer(),
    approvals: Type.Integer({ description: 'So far' }),
    approvals_needed: Type.Integer({ description: 'Approvals that make it payable' }),
  }),
  async handle(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    const command = { type: 'ApproveWithdrawal', withdrawal, approver: call.by.who } as const
    const events = await order(call, command, noSubject)
    const { approvals, needed } = events.find((event) => event.type === 'WithdrawalApproved')!
    return { withdrawal_id: withdrawal, approvals, approvals_needed: needed }
  },
})

export const completeWithdrawal = admin({
  name: 'complete_withdrawal',
  http: 'POST /withdrawals/complete',
  scope: 'money',
  summary: 'Complete a withdrawal that was paid',
  request: which,
  reply: Type.Object({ withdrawal_id: Type.Integer() }),
  async handle(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    await order(call, { type: 'CompleteWithdrawal', withdrawal }, noSubject)
    return { withdrawal_id: withdrawal }
  },
})

export const failWithdrawal = admin({
  name: 'fail_withdrawal',
  http: 'POST /withdrawals/fail',
  scope: 'money',
  summary:
    'Fail a withdrawal and return the money; for a payable one this is a manual credit, ' +
    'which waits for another token above credit_approval_above',
  request: which,
  reply: Type.Object({
    withdrawal_id: Type.Integer(),
    waiting_credit_id: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Credit that waits for another token while the money is pending; null if the money ' +
        'is returned',
    }),
  }),
  async handle(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    const command = { type: 'FailWithdrawal', withdrawal, by: call.by.who } as const
    const events = await order(call, command, noSubject)
    const held = events.find((event) => event.type === 'CreditHeld')
    return { withdrawal_id: withdrawal, waiting_credit_id: held?.credit ?? null }
  },
})

const orNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}; null: no limit` })

const limitsReply = Type.Object({
  approval_above: orNull(
    'USD on one UTC day; what an owner withdraws beyond it needs two tokens, and so does what a ' +
      'token approves alone beyond it',
  ),
  daily_max: orNull('USD that may become payable on one UTC day, all accounts together'),
  payable_today: Type.String({ description: 'USD that became payable today, failed ones too' }),
  credit_approval_above: orNull(
    'USD on one UTC day; what a token credits by hand alone, or an owner is credited by one ' +
      'token alone, beyond it needs a second token',
  ),
  warnings: Type.Array(Type.String(), {
    description:
      'Limits that have no effect with the current tokens, and what to do; empty if all are ' +
      'effective',
  }),
})

function limitsOf({ view }: Exchange, tokens: readonly TokenHolder[]) {
  const limits = view.money.withdrawalLimits
  const { approvalAbove, dailyMax, payableToday, creditApprovalAbove } = limits
  const text = (money: Quote | null) => (money === null ? null : moneyText(money))
  return {
    approval_above: text(approvalAbove),
    daily_max: text(dailyMax),
    payable_today: moneyText(payableToday),
    credit_approval_above: text(creditApprovalAbove),
    warnings: [...limitWarnings(limits, tokens, view.ruleLimits.withdrawalDailyMax)],
  }
}

export const getWithdrawalLimits = admin({
  name: 'get_withdrawal_limits',
  http: 'GET /withdrawals/limits',
  scope: 'read',
  summary: 'Show the withdrawal limits: approvals, and the maximum for a day',
  request: Type.Object({}),
  reply: limitsReply,
  handle: ({ exchange, tokens }) => limitsOf(exchange, tokens),
})

function limitIn(field: string, text: string | null): Quote | null {
  if (text === null) return null
  const money = moneyIn(field, text)
  if (money >= 0 && money <= limits.moneyMax) return money
  const range = `0 to ${moneyText(limits.moneyMax as Quote)}`
  throw refusal(
    'INVALID_PARAMETER',
    'rules',
    `${field} ${text} is outside ${range}; null: no limit`,
  )
}

export const setWithdrawalLimits = admin({
  name: 'set_withdrawal_limits',
  http: 'POST /withdrawals/limits',
  scope: 'operate',
  summary: 'Set the limits for withdrawals requested from now on; payable ones stay payable',
  request: Type.Object({
    approval_above: Type.Union([decimal('USD'), Type.Null()], {
      description:
        'USD of an owner on one UTC day above which two tokens must approve; null: no limit',
    }),
    daily_max: Type.Union([decimal('USD'), Type.Null()], {
      description: 'USD that may become payable on one UTC day; null: no limit',
    }),
    credit_approval_above: optional(
      Type.Union([decimal('USD'), Type.Null()], {
        description:
          'USD that a token may credit alone on one UTC day; null: no limit; absent: unchanged',
      }),
    ),
  }),
  reply: limitsReply,
  async handle(call) {
    const approvalAbove = limitIn('approval_above', call.request.approval_above)
    const dailyMax = limitIn('daily_max', call.request.daily_max)
    const requested = call.request.credit_approval_above
    const ofCredits =
      requested === undefined
        ? {}
        : { creditApprovalAbove: limitIn('credit_approval_above', requested) }
    const set = { approvalAbove, dailyMax, ...ofCredits }
    await order(call, { type: 'SetWithdrawalLimits', ...set }, noSubject)
    return limitsOf(call.exchange, call.tokens)
  },
})
