// Empty replies for features of the public API that this exchange lacks: spot assets, loans and
// vaults. Clients that request them at startup get empty lists instead of an error.

import type { UnsignedName } from '../../protocol/routes.ts'
import { type UnsignedOperation, unsigned } from '../operation.ts'
import { cursorOfRequest } from '../operations/paging.ts'

const group = 'none here'

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

const list = (name: ListName): UnsignedOperation => unsigned({ group, name, handle: () => [] })

const page = (name: PageName): UnsignedOperation =>
  unsigned({
    group,
    name,
    handle({ request }) {
      cursorOfRequest('none', request)
      return { rows: [], next_cursor: null, has_more: false }
    },
  })

export const absentLists: readonly UnsignedOperation[] = [
  list('get_spot_assets'),
  list('get_spot_bridges'),
  page('get_spot_balance_history'),
  page('get_spot_deposits'),
  page('get_spot_withdrawals'),
  list('get_pending_spot_withdrawals'),
  list('get_loan_pools'),
  list('get_account_loans'),
  unsigned({
    group,
    name: 'get_vaults',
    handle: () => ({ lakes: [] }),
  }),
]
