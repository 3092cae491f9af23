// Withdrawals: the queue, their approvals and outcomes, and the limits of the venue (ACCT-8).

import { limits, type MoneyView, type WithdrawalId } from '../../../core/index.ts'
import { moneyText } from '../../../projections/market-text.ts'
import {
  type withdrawalStates,
  withdrawalsMax,
} from '../../../protocol/admin/operations/withdrawal-operations.ts'
import type { Quote } from '../../../units/units.ts'
import type { Exchange } from '../../exchange.ts'
import { refusal } from '../../refusal.ts'
import type { TokenHolder } from '../access/tokens.ts'
import { type AdminAnswers, noSubject, order } from '../admin-operation.ts'
import { moneyIn } from '../money-operations.ts'
import { limitWarnings } from './limit-warnings.ts'

type Queued = ReturnType<MoneyView['withdrawals']>[number]
type Return = ReturnType<MoneyView['heldCredits']>[number]

type State = (typeof withdrawalStates)[number]

function stateOf({ approvers, needed }: Queued, byHand: Return | undefined): State {
  if (byHand !== undefined) return 'return_requested'
  return approvers.length < needed ? 'waiting' : 'payable'
}

/** Manual returns that wait for a second token (ACCT-10), by withdrawal. */
function returnsOf(money: MoneyView): ReadonlyMap<number, Return> {
  const returns = new Map<number, Return>()
  for (const credit of money.heldCredits())
    if (credit.withdrawal !== null) returns.set(credit.withdrawal, credit)
  return returns
}

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

export const withdrawalAnswers = {
  list_withdrawals({ request, exchange: { view } }) {
    const { state = null, limit, after } = request
    const returns = returnsOf(view.money)
    const found = view.money
      .withdrawals()
      .filter((each) => each.withdrawal > (after ?? 0))
      .map((each) => ({ ...each, byHand: returns.get(each.withdrawal) }))
      .filter((each) => state === null || stateOf(each, each.byHand) === state)
    return found.slice(0, limit ?? withdrawalsMax).map(({ byHand, ...each }) => ({
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
  async approve_withdrawal(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    const command = { type: 'ApproveWithdrawal', withdrawal, approver: call.by.who } as const
    const events = await order(call, command, noSubject)
    const { approvals, needed } = events.find((event) => event.type === 'WithdrawalApproved')!
    return { withdrawal_id: withdrawal, approvals, approvals_needed: needed }
  },
  async complete_withdrawal(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    await order(call, { type: 'CompleteWithdrawal', withdrawal }, noSubject)
    return { withdrawal_id: withdrawal }
  },
  async fail_withdrawal(call) {
    const withdrawal = call.request.withdrawal_id as WithdrawalId
    const command = { type: 'FailWithdrawal', withdrawal, by: call.by.who } as const
    const events = await order(call, command, noSubject)
    const held = events.find((event) => event.type === 'CreditHeld')
    return { withdrawal_id: withdrawal, waiting_credit_id: held?.credit ?? null }
  },
  get_withdrawal_limits: ({ exchange, tokens }) => limitsOf(exchange, tokens),
  async set_withdrawal_limits(call) {
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
} satisfies Partial<AdminAnswers>
