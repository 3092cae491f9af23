// Invariant 1: every micro-dollar is somewhere. Worked out over everything, each time.

import type { Naive } from '../state.ts'

export function moneyIsConserved(naive: Naive): boolean {
  let sum = 0n
  for (const account of naive.accounts) {
    sum += account.balance
    for (const holding of Object.values(account.holdings)) sum += holding.wallet - holding.cost
  }
  for (const withdrawal of naive.withdrawals) sum += withdrawal.amount
  for (const market of naive.markets) sum += market.pool?.amount ?? 0n
  return sum === naive.deposits - naive.withdrawn
}

/** Invariant 2: per market, what is long is short. */
export function lotsAreBalanced(naive: Naive): boolean {
  return naive.markets.every((market) => {
    let sum = 0n
    for (const account of naive.accounts) sum += account.holdings[market.id]?.lots ?? 0n
    return sum === 0n
  })
}
