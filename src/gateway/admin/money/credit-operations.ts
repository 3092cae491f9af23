// Manual credits: made immediately, or after a second token has approved them (ACCT-10).

import { moneyText } from '../../../projections/market-text.ts'
import { isPaymentReference, paymentReferenceRule } from '../../../protocol/admin/operator-texts.ts'
import { apiError } from '../../api-error.ts'
import type { Exchange } from '../../exchange.ts'
import { ownAddressIn } from '../../known-address.ts'
import { refusal } from '../../refusal.ts'
import { type AdminAnswers, noSubject, order } from '../admin-operation.ts'
import { moneyIn } from '../money-operations.ts'

const wanted = (account: string, amount: number, reference: string) => ({
  ...{ address: account, amount, reference },
})

/** The pending credit with this reference; `null` if there is none. Throws if its account or
 *  amount differs. */
function waitingUnder({ view }: Exchange, requested: ReturnType<typeof wanted>) {
  const found = view.money.heldCredits().find(({ reference }) => reference === requested.reference)
  if (found === undefined) return null
  if (found.address === requested.address && found.amount === requested.amount) return found
  throw refusal(
    'DEPOSIT_CONFLICT',
    'rules',
    `credit ${found.credit} of ${moneyText(found.amount)} USD to ${found.address} waits under ` +
      'this reference; approve or drop it, or give another deposit a reference of its own',
  )
}

function balanceAfter(events: Awaited<ReturnType<typeof order>>): number {
  for (const event of events) {
    if (event.type === 'Deposited' || event.type === 'WithdrawalFailed') return event.balance
    if (event.type === 'ReserveMoved') return event.toBalance
  }
  return 0
}

export const creditAnswers = {
  async credit_deposit(call) {
    const account = ownAddressIn(call.exchange, 'account', call.request.account)
    const amount = moneyIn('amount', call.request.amount)
    const { reference } = call.request
    const { view } = call.exchange
    const reply = (credited: boolean, waiting_credit_id: number | null) => {
      const balance = view.accounts.balanceOf(view.accounts.idOf(account))
      return { balance: moneyText(balance), credited, waiting_credit_id }
    }
    // A payment system may repeat a request to be sure. The reply then reports that nothing was
    // credited.
    const before = view.money.depositUnder(reference)
    const sameAccount = before?.account === view.accounts.idOf(account)
    if (before !== null && sameAccount && before.amount === amount) return reply(false, null)
    // Validated only for new credits. References that were credited under older rules remain known.
    if (!isPaymentReference(reference))
      throw apiError('MALFORMED_REQUEST', `reference ${paymentReferenceRule}`)
    const requested = wanted(account, amount, reference)
    const waiting = waitingUnder(call.exchange, requested)
    if (waiting !== null) return reply(false, waiting.credit)
    const command = { type: 'CreditDeposit', ...requested, amount, by: call.by.who } as const
    const expected = ['DEPOSIT_REFERENCE_USED', 'CREDIT_WAITS'] as const
    const events = await order(call, command, { account, params: null }, expected)
    for (const event of events) {
      if (event.type === 'CreditHeld') return reply(false, event.credit)
      if (event.type === 'Deposited')
        return { balance: moneyText(event.balance), credited: true, waiting_credit_id: null }
    }
    // Two requests with this reference were sent at the same time, and the other one was executed
    // first.
    return reply(false, waitingUnder(call.exchange, requested)?.credit ?? null)
  },
  list_waiting_credits: ({ exchange: { view } }) =>
    view.money.heldCredits().map((each) => ({
      credit_id: each.credit,
      account: each.address,
      amount: moneyText(each.amount),
      reference: each.reference === '' ? null : each.reference,
      from: each.source === null ? null : view.accounts.addressOf(each.source),
      withdrawal_id: each.withdrawal,
      requested_by: each.by,
      requested_at: each.requestedAt,
    })),
  async approve_credit(call) {
    const { credit_id: credit } = call.request
    const command = { type: 'ApproveCredit', credit, approver: call.by.who } as const
    const events = await order(call, command, noSubject)
    return { credit_id: credit, balance: moneyText(balanceAfter(events)) }
  },
  async drop_credit(call) {
    const { credit_id: credit } = call.request
    await order(call, { type: 'DropCredit', credit }, noSubject)
    return { credit_id: credit }
  },
} satisfies Partial<AdminAnswers>
