// The newest proof of reserves: what anybody may know of it, and to an owner the proof of his own
// account. An operator makes one with `openperp reserves`.

import { usdOf } from '../../../projections/reserves/reserve-summary.ts'
import { signed, unsigned } from '../../operation.ts'
import { ownerOf } from '../principal.ts'

const common = { group: 'Account', cost: 'plain', refusals: 'rules' } as const

export const getReserves = unsigned({
  ...common,
  name: 'get_reserves',
  summary: 'The newest proof of reserves as a whole: root, sums and the entry that it is of',
  rejects: [],
  async handle({ exchange }) {
    const newest = await exchange.reserves.newest()
    if (newest === null) return null
    const { seq, atMs, root, accounts } = newest
    return {
      ...{ seq, at: atMs, root, accounts },
      liabilities: usdOf(newest.liabilities),
      own: usdOf(newest.own),
      debts: usdOf(newest.debts),
      funding: usdOf(newest.funding),
      total: usdOf(newest.total),
    }
  },
})

export const listReserveProof = signed({
  ...common,
  name: 'list_reserve_proof',
  summary: 'That the account is included in the newest proof of reserves, to be checked by it',
  rejects: ['ACCOUNT_NOT_FOUND'],
  async handle(call) {
    const { view, reserves } = call.exchange
    const { account } = ownerOf(call, 'rules')
    const inclusion = await reserves.inclusionOf(view.accounts.addressOf(account))
    return inclusion === null ? null : { ...inclusion, path: [...inclusion.path] }
  },
})
