// Subaccounts. Creating one needs two signatures: of the new key and of the main account.

import { moneyText } from '../../../projections/market-text.ts'
import { signed, unsigned } from '../../operation.ts'
import { askRejections } from '../orders/rejects.ts'
import { ask, ownerOf, principalOf, requireOpen } from '../principal.ts'

export const createSubaccount = unsigned({
  group: 'Subaccounts',
  name: 'create_subaccount',
  rejects: [
    ...askRejections,
    'UNSUPPORTED_OPERATION',
    'SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT',
    'ACCOUNT_ALREADY_EXISTS',
    'LIMIT_REACHED',
  ],
  async handle(call) {
    requireOpen(call.exchange)
    const { subaccount: address, ...signedBy } = await call.verifySubaccount(call.request)
    const principal = principalOf({ exchange: call.exchange, signed: signedBy }, 'rules')
    const { account, proof } = principal
    await ask(principal, { type: 'CreateSubaccount', account, proof, address })
    return null
  },
})

export const listSubaccounts = signed({
  group: 'Subaccounts',
  name: 'list_subaccounts',
  rejects: ['ACCOUNT_NOT_FOUND'],
  handle(call) {
    const { view } = call.exchange
    const principal = ownerOf(call, 'rules')
    return {
      subaccounts: view.accounts.subaccountsOf(principal.account).map((each) => ({
        address: each.address,
        balance: moneyText(each.balance),
        pending_balance: moneyText(each.pending),
        fee_level: view.accounts.numbersOf(each.account).feeTier,
        created_at: each.createdAt,
      })),
    }
  },
})
