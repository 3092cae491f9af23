// The figures of an account, filtered by what the reader may see. For other readers than the owner,
// waiting orders reserve no margin and are not counted. If stops are hidden, stops and OCO legs are
// not counted either.

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
