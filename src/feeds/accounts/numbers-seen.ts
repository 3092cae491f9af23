// The figures of an account for its reader. For others a waiting order reserves no margin and
// counts nowhere; if stops are hidden from them, they and OCO legs are not counted either.

import type { AccountNumbers, ExchangeView } from '../../core/index.ts'
import { isSeen, type Sight } from '../../projections/sight.ts'

export function numbersSeen(view: ExchangeView, account: number, sight: Sight): AccountNumbers {
  const { accounts, orders } = view
  if (sight === 'all') return accounts.numbersOf(account)
  const numbers = accounts.withoutWaiting(account, () => accounts.numbersOf(account))
  if (sight === 'released') return numbers
  const seen = orders.openOf(account).filter((order) => isSeen(sight, order))
  return { ...numbers, orders: seen.length, stops: 0 }
}
