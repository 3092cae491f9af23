// Equity, requirements and withdrawable amounts of an account, computed with the engine's own sums
// and with its funding settled; and its settings in each market.

import type { Ppm, Quote, TimeMs } from '../../units/units.ts'
import type { MarketId } from '../commands/ids.ts'
import { makerPpmOf, takerPpmOf, tierOf, volumeDollarsOf } from '../margin/fee-tier.ts'
import { AccountSums, availableOf, sumAccount } from '../margin/margin.ts'
import type { State } from '../state/state.ts'
import {
  type AccountRow,
  leverageOf,
  owedToBalance,
  rowsOfAccount,
  unrealisedOf,
} from './account-rows.ts'

export type AccountNumbers = Readonly<{
  balance: Quote
  /** Pending withdrawals. */
  pending: Quote
  /** Cross and isolated equity together. */
  equity: Quote
  crossEquity: Quote
  /** Equity with cross positions at guarded prices (MARGIN-3). */
  guardedEquity: Quote
  crossMaintenance: Quote
  /** Requirements of all markets, and the wallets of isolated positions. */
  marginUsed: Quote
  /** Cross equity that is not bound by a requirement. */
  spendable: Quote
  /** Withdrawable amount (MARGIN-7); 0 while blocked. */
  withdrawable: Quote
  feeTier: number
  makerPpm: Ppm
  takerPpm: Ppm
  /** Volume in whole dollars of the 14 full days before today. */
  volumeDollars: number
  positions: number
  /** Resting and waiting orders. */
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
  sums.guarded += owed
  const { equity: crossEquity, maintenance: crossMaintenance, requirement } = sums
  const wallets = total(isolated, ({ wallet }) => wallet)
  return {
    balance: balance as Quote,
    pending: accounts.pending[account]! as Quote,
    equity: (crossEquity + wallets + total(isolated, unrealisedOf)) as Quote,
    crossEquity: crossEquity as Quote,
    guardedEquity: sums.guarded as Quote,
    crossMaintenance: crossMaintenance as Quote,
    marginUsed: (requirement + wallets) as Quote,
    spendable: Math.max(0, crossEquity - requirement) as Quote,
    withdrawable: Math.max(0, availableOf(sums, balance, requirement, state.rules)) as Quote,
    feeTier: tierOf(state, account),
    makerPpm: makerPpmOf(state, account) as Ppm,
    takerPpm: takerPpmOf(state, account) as Ppm,
    volumeDollars: volumeDollarsOf(state, account),
    positions: rows.filter(({ lots }) => lots !== 0).length,
    orders: total(rows, ({ row }) => state.positions.orderCount[row]!),
    stops: total(rows, ({ row }) => state.positions.stopCount[row]!),
  }
}

/** Equity plus pending withdrawals, without the requirements, because this is read for all accounts
 *  together. */
export function owedTo(state: State, account: number): Quote {
  const { balance, pending } = state.accounts
  const rows = rowsOfAccount(state, account)
  const held = total(rows, (row) => row.wallet + unrealisedOf(row))
  return (balance[account]! + pending[account]! + owedToBalance(rows) + held) as Quote
}

/** Value of its open positions at mark, longs and shorts alike. */
export function openValueOf(state: State, account: number): Quote {
  const rows = rowsOfAccount(state, account)
  return total(rows, ({ lots, market }) => Math.abs(lots) * market.lotValue) as Quote
}

function total(rows: readonly AccountRow[], of: (row: AccountRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

/** An account's settings in a market. */
export type MarketSetting = Readonly<{
  market: MarketId
  isolated: boolean
  /** Leverage in force. */
  leverage: number
  /** Whether the leverage was set explicitly, even to the default. */
  leverageSet: boolean
  /** Whether it differs from the default. */
  differs: boolean
  /** When the setting was made. */
  at: TimeMs
}>

/** Settings of every market that the account has used, by rising id. */
export function marketSettings(state: State, account: number): readonly MarketSetting[] {
  return rowsOfAccount(state, account).map((row) => settingOf(state, row))
}

function settingOf(state: State, row: AccountRow): MarketSetting {
  const { positions } = state
  const { isolatedOnly, leverageMax } = row.market.params
  const leverage = leverageOf(state, row)
  return {
    market: row.market.id as MarketId,
    isolated: row.isolated,
    leverage,
    leverageSet: positions.leverage[row.row] !== 0,
    differs: row.isolated !== isolatedOnly || leverage !== leverageMax,
    at: positions.settingsAt[row.row]! as TimeMs,
  }
}
