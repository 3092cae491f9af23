// Empty replies for features of the public API that this exchange lacks: spot assets, loans and
// vaults. Clients that request them at startup get empty lists instead of an error.

import type { UnsignedName } from '../../protocol/routes.ts'
import { type UnsignedOperation, unsigned } from '../operation.ts'
import { cursorOfRequest } from './paging.ts'

const common = { group: 'none here', cost: 'plain', refusals: 'rules', rejects: [] } as const

type ListName = Extract<
  UnsignedName,
  | 'get_spot_assets'
  | 'get_spot_bridges'
  | 'get_pending_spot_withdrawals'
  | 'get_loan_pools'
  | 'get_account_loans'
>
type PageName = Extract<
  UnsignedName,
  'get_spot_balance_history' | 'get_spot_deposits' | 'get_spot_withdrawals'
>

const list = (name: ListName, what: string): UnsignedOperation =>
  unsigned({ ...common, name, summary: `${what}: always empty`, handle: () => [] })

const page = (name: PageName, what: string): UnsignedOperation =>
  unsigned({
    ...common,
    name,
    summary: `${what}: always empty`,
    handle({ request }) {
      cursorOfRequest('none', request)
      return { rows: [], next_cursor: null, has_more: false }
    },
  })

export const absentLists: readonly UnsignedOperation[] = [
  list('get_spot_assets', 'Spot assets'),
  list('get_spot_bridges', 'Bridges of spot assets'),
  page('get_spot_balance_history', 'Changes of spot balances'),
  page('get_spot_deposits', 'Deposits of spot assets'),
  page('get_spot_withdrawals', 'Withdrawals of spot assets'),
  list('get_pending_spot_withdrawals', 'Withdrawals of spot assets that are under way'),
  list('get_loan_pools', 'Loan pools'),
  list('get_account_loans', 'Loans of an account'),
  unsigned({
    ...common,
    name: 'get_vaults',
    summary: 'Vaults: always empty',
    handle: () => ({ lakes: [] }),
  }),
]
