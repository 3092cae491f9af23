// Balances and positions of accounts at the beginning of a partial history.

import type { ExchangeView } from '../core/index.ts'
import type { Opening } from './history/tables/balances.ts'

/** Addresses of all accounts, by rising id. */
export function addressesOf({ accounts }: ExchangeView): readonly string[] {
  return Array.from({ length: accounts.count }, (_, index) => accounts.addressOf(index + 1))
}

export function openingOf({ atMs, accounts, markets, positions }: ExchangeView): Opening {
  const ids = Array.from({ length: accounts.count }, (_, index) => index + 1)
  return {
    atMs,
    markets: markets.all().map(({ id, backstop, unitValue, oracle, mark, openInterest }) => ({
      market: id,
      backstop,
      unitValue,
      oracle,
      mark,
      openInterest,
    })),
    accounts: ids.map((account) => ({
      account,
      balance: accounts.balanceOf(account),
      pending: accounts.pendingOf(account),
    })),
    positions: positions.holdings().map(({ account, market, lots, cost, wallet }) => ({
      account,
      market,
      lots,
      cost,
      wallet,
    })),
  }
}
