// The newest proof of reserves: its public part, and the inclusion proof of the caller's account.
// An operator makes a proof with `openperp reserves`.

import { type ReserveSummary, usdOf } from '../../../projections/reserves/reserve-summary.ts'
import { signed, unsigned } from '../../operation.ts'
import { ownerOf } from '../principal.ts'

const group = 'Account'

/** The public part of a proof. */
export function summaryReply(summary: ReserveSummary) {
  const { seq, atMs, root, accounts } = summary
  return {
    ...{ seq, at: atMs, root, accounts },
    liabilities: usdOf(summary.liabilities),
    own: usdOf(summary.own),
    debts: usdOf(summary.debts),
    funding: usdOf(summary.funding),
    total: usdOf(summary.total),
  }
}

export const getReserves = unsigned({
  group,
  name: 'get_reserves',
  async handle({ exchange }) {
    const newest = await exchange.reserves.newest()
    return newest === null ? null : summaryReply(newest)
  },
})

export const listReserveProof = signed({
  group,
  name: 'list_reserve_proof',
  rejects: ['ACCOUNT_NOT_FOUND'],
  async handle(call) {
    const { view, reserves } = call.exchange
    const { account } = ownerOf(call, 'rules')
    const inclusion = await reserves.inclusionOf(view.accounts.addressOf(account))
    return inclusion === null ? null : { ...inclusion, path: [...inclusion.path] }
  },
})
