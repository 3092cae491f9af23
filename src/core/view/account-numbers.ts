// What an account has, must have and may move, with the engine's own sums and its funding settled;
// and what it has chosen in each market.

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
  /** Cross and isolated together. */
  equity: Quote
  crossEquity: Quote
  /** Cross positions at guarded prices (MARGIN-3). */
  guardedEquity: Quote
  crossMaintenance: Quote
  /** Requirements of all markets, and the money of isolated positions. */
  marginUsed: Quote
  /** Cross equity that no requirement binds. */
  spendable: Quote
  /** MARGIN-7; 0 while blocked. */
  withdrawable: Quote
  feeTier: number
  makerPpm: Ppm
  takerPpm: Ppm
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

/** Equity and pending, without the requirements: this is read for all accounts together. */
export function owedTo(state: State, account: number): Quote {
  const { balance, pending } = state.accounts
  const rows = rowsOfAccount(state, account)
  const held = total(rows, (row) => row.wallet + unrealisedOf(row))
  return (balance[account]! + pending[account]! + owedToBalance(rows) + held) as Quote
}

/** What its open positions are worth at mark, longs and shorts alike. */
export function openValueOf(state: State, account: number): Quote {
  const rows = rowsOfAccount(state, account)
  return total(rows, ({ lots, market }) => Math.abs(lots) * market.lotValue) as Quote
}

function total(rows: readonly AccountRow[], of: (row: AccountRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

/** An account's choice in a market. */
export type MarketSetting = Readonly<{
  market: MarketId
  isolated: boolean
  /** In force. */
  leverage: number
  /** Whether the leverage was set, be it to what everyone starts with. */
  leverageSet: boolean
  /** It differs from what everyone starts with. */
  differs: boolean
  /** When it was made. */
  at: TimeMs
}>

/** Of every market that the account has touched, by rising id. */
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
