// The accounts with the most money, by what they are worth now. Which accounts those may be is read
// off the balances alone, so that the work is bounded however many accounts there are.

import type { State } from '../../core/state/state.ts'
import { accountNumbers } from './account-numbers.ts'
import { rowsOfAccount } from './account-rows.ts'

/** Accounts of the exchange itself: fees, insurance, deficit. */
const ownAccounts = 3

export type Leader = Readonly<{
  address: string
  equity: number
  /** Value of its open positions at mark. */
  openValue: number
  volumeDollars: number
}>

/** Richest first; ties by age. */
export function leaders(state: State, most: number): readonly Leader[] {
  return richest(state, 2 * most)
    .map((account) => leaderOf(state, account))
    .sort((one, other) => other.equity - one.equity)
    .slice(0, most)
}

function leaderOf(state: State, account: number): Leader {
  const { equity, volumeDollars } = accountNumbers(state, account)
  const rows = rowsOfAccount(state, account)
  const openValue = rows.reduce(
    (sum, { lots, market }) => sum + Math.abs(lots) * market.lotValue,
    0,
  )
  return { address: state.accounts.records[account]!.address, equity, openValue, volumeDollars }
}

/** By balance. One pass; a list no longer than what is wanted is kept in order. */
function richest({ accounts, markets }: State, most: number): readonly number[] {
  const backstops = new Set(markets.flatMap((market) => market?.backstop ?? []))
  const { balance, records } = accounts
  const found: number[] = []
  for (let account = ownAccounts + 1; account < records.length; account++) {
    if (backstops.has(account)) continue
    if (found.length === most && balance[account]! <= balance[found[most - 1]!]!) continue
    let at = found.length
    while (at > 0 && balance[found[at - 1]!]! < balance[account]!) at--
    found.splice(at, 0, account)
    if (found.length > most) found.pop()
  }
  return found
}
