import { signed } from '../../operation.ts'
import { moneyOf } from '../order-fields.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, eventIn, ownerOf, requireOpen } from '../principal.ts'

export const withdraw = signed({
  name: 'withdraw',
  group: 'Account',
  rejects: [
    ...askRejections,
    'INVALID_AMOUNT',
    'WITHDRAWAL_BLOCKED',
    'SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED',
    'WITHDRAW_AMOUNT_TOO_LOW',
    'DAILY_WITHDRAW_LIMIT_EXCEEDED',
    'OVER_WITHDRAWAL',
    'LIMIT_REACHED',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const amount = moneyOf('rules', 'amount', call.request.amount)
    const events = await ask(principal, { type: 'Withdraw', account, proof, amount })
    return { withdrawal_id: eventIn(events, 'WithdrawalRequested').withdrawal }
  },
})
