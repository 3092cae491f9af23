// What accounts have at a moment, for a history that begins there because what came before is gone.

import type { State } from '../core/state/state.ts'
import type { Opening } from './history/tables/balances.ts'

export function openingOf(state: State): Opening {
  const { accounts, positions, markets } = state
  const ids = Array.from({ length: accounts.count }, (_, index) => index + 1)
  const rows = Array.from({ length: positions.count }, (_, index) => index + 1)
  return {
    atMs: state.atMs,
    markets: markets
      .filter((market) => market !== undefined)
      .map(({ id, backstop, unitValue, oracle, mark }) => ({
        market: id,
        backstop,
        unitValue,
        oracle,
        mark,
      })),
    accounts: ids.map((account) => ({
      account,
      balance: accounts.balance[account]!,
      pending: accounts.pending[account]!,
    })),
    positions: rows
      .filter((row) => positions.lots[row] !== 0)
      .map((row) => ({
        account: positions.account[row]!,
        market: positions.market[row]!,
        lots: positions.lots[row]!,
        cost: positions.cost[row]!,
        wallet: positions.isolated[row] === 1 ? positions.wallet[row]! : null,
      })),
  }
}
