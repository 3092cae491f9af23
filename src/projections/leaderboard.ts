// The accounts with the highest equity. Candidates are chosen by balance, so that the work is
// limited regardless of the number of accounts.

import type { ExchangeView } from '../core/index.ts'

export type Leader = Readonly<{
  address: string
  equity: number
  /** Value of its open positions at mark. */
  openValue: number
  volumeDollars: number
}>

/** Highest equity first; older accounts first among equals. */
export function leaders({ accounts }: ExchangeView, most: number): readonly Leader[] {
  return richest(accounts, 2 * most)
    .map((account) => {
      const { equity, volumeDollars } = accounts.numbersOf(account)
      const openValue = accounts.openValueOf(account)
      return { address: accounts.addressOf(account), equity, openValue, volumeDollars }
    })
    .sort((one, other) => other.equity - one.equity)
    .slice(0, most)
}

/** The accounts with the highest balances, without the exchange's own. One pass, with a sorted
 *  list of limited length. */
function richest(accounts: ExchangeView['accounts'], most: number): readonly number[] {
  const found: number[] = []
  for (let account = 1; account <= accounts.count; account++) {
    const balance = accounts.balanceOf(account)
    if (found.length === most && balance <= accounts.balanceOf(found[most - 1]!)) continue
    if (accounts.isReserved(account)) continue
    let at = found.length
    while (at > 0 && accounts.balanceOf(found[at - 1]!) < balance) at--
    found.splice(at, 0, account)
    if (found.length > most) found.pop()
  }
  return found
}
