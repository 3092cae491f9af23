import type { AccountId } from '../../../core/index.ts'
import { signed } from '../../operation.ts'
import { refusalWith } from '../../refusal.ts'
import { moneyOf } from '../order-fields.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, ownerOf, requireOpen } from '../principal.ts'

export const transferFunds = signed({
  name: 'transfer_funds',
  group: 'Subaccounts',
  rejects: [
    ...askRejections,
    'INVALID_AMOUNT',
    'WITHDRAWAL_BLOCKED',
    'OVER_WITHDRAWAL',
    'INVALID_TRANSFER_RELATIONSHIP',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const principal = ownerOf(call, 'rules')
    const { account, proof } = principal
    const { to_account } = call.request
    const to = call.exchange.view.accounts.idOf(to_account) as AccountId
    if (to === 0)
      throw refusalWith('ACCOUNT_NOT_FOUND', 'rules', { account: to_account, params: null })
    const amount = moneyOf('rules', 'amount', call.request.amount)
    await ask(principal, { type: 'Transfer', account, proof, to, amount })
    return { success: true as const, error: null }
  },
})
