// What an account has, must have and may move, with the engine's own sums and its funding settled.

import { makerPpmOf, takerPpmOf, tierOf, volumeDollarsOf } from '../../core/accounts/fee-tier.ts'
import { AccountSums, availableOf, sumAccount } from '../../core/accounts/margin.ts'
import type { State } from '../../core/state/state.ts'
import { type AccountRow, leverageOf, owedToBalance, rowsOfAccount } from './account-rows.ts'

export type AccountNumbers = Readonly<{
  balance: number
  /** Asked to be withdrawn and not yet gone. */
  pending: number
  /** Cross and isolated together. */
  equity: number
  crossEquity: number
  crossMaintenance: number
  /** Requirements of all markets, and the money of isolated positions. */
  marginUsed: number
  /** Cross equity that no requirement binds. */
  spendable: number
  /** MARGIN-7; 0 while blocked. */
  withdrawable: number
  feeTier: number
  makerPpm: number
  takerPpm: number
  /** Whole dollars in the 14 full days before today. */
  volumeDollars: number
  positions: number
  /** Resting and waiting. */
  orders: number
  /** Stops and take-profit or stop-loss levels. */
  stops: number
}>

const sums = new AccountSums()

export function accountNumbers(state: State, account: number): AccountNumbers {
  const { accounts } = state
  const rows = rowsOfAccount(state, account)
  const isolated = rows.filter((row) => row.isolated && row.lots !== 0)
  const owed = owedToBalance(rows)
  const balance = accounts.balance[account]! + owed
  sumAccount(state, account, 0, sums)
  sums.equity += owed
  const { equity: crossEquity, maintenance: crossMaintenance, requirement } = sums
  const wallets = total(isolated, ({ wallet }) => wallet)
  return {
    balance,
    pending: accounts.pending[account]!,
    equity: crossEquity + total(isolated, isolatedEquity),
    crossEquity,
    crossMaintenance,
    marginUsed: requirement + wallets,
    spendable: Math.max(0, crossEquity - requirement),
    withdrawable: Math.max(0, availableOf(sums, balance, requirement)),
    feeTier: tierOf(state, account),
    makerPpm: makerPpmOf(state, account),
    takerPpm: takerPpmOf(state, account),
    volumeDollars: volumeDollarsOf(state, account),
    positions: rows.filter(({ lots }) => lots !== 0).length,
    orders: total(rows, ({ row }) => state.positions.orderCount[row]!),
    stops: total(rows, ({ row }) => state.positions.stopCount[row]!),
  }
}

function total(rows: readonly AccountRow[], of: (row: AccountRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

function isolatedEquity({ wallet, lots, market, cost }: AccountRow): number {
  return wallet + lots * market.lotValue - cost
}

/** An account's choice in a market that differs from what everyone starts with. */
export type MarketSetting = Readonly<{
  market: number
  isolated: boolean
  leverage: number
  /** Told with `chosen`: whether the leverage was set, be it to what everyone starts with. */
  leverageSet?: boolean
  /** When it was made. */
  at: number
}>

/** `chosen`: also where the leverage was set to what everyone starts with. */
export function marketSettings(
  state: State,
  account: number,
  chosen = false,
): readonly MarketSetting[] {
  const { positions } = state
  return rowsOfAccount(state, account)
    .map((row) => {
      const leverageSet = positions.leverage[row.row] !== 0
      return { row, leverage: leverageOf(state, row), leverageSet }
    })
    .filter(({ row: { isolated, market }, leverage, leverageSet }) => {
      const { isolatedOnly, leverageMax } = market.params
      const differs = isolated !== isolatedOnly || leverage !== leverageMax
      return differs || (chosen && leverageSet)
    })
    .map(({ row, leverage, leverageSet }) => ({
      market: row.market.id,
      isolated: row.isolated,
      leverage,
      ...(chosen && { leverageSet }),
      at: positions.settingsAt[row.row]!,
    }))
}
