// The rows of an account, one per market it has used, with their unsettled funding. Funding is
// settled lazily; these values are what the account's next command would find.

import { owedFunding } from '../funding/settle-funding.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

export type AccountRow = Readonly<{
  row: number
  market: Market
  isolated: boolean
  lots: number
  cost: number
  /** Wallet of an isolated position, with funding settled. */
  wallet: number
  /** Unsettled funding. Positive: the account receives it. */
  owed: number
}>

/** Rows by rising market id. */
export function rowsOfAccount(state: State, account: number): readonly AccountRow[] {
  const { positions } = state
  const rows: AccountRow[] = []
  for (let row = state.accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!)
    rows.push(accountRow(state, row))
  return rows
}

export function accountRow(state: State, row: number): AccountRow {
  const { positions } = state
  const market = state.markets[positions.market[row]!]!
  const isolated = positions.isolated[row] === 1
  const owed = owedFunding(state, market, row)
  return {
    row,
    market,
    isolated,
    lots: positions.lots[row]!,
    cost: positions.cost[row]!,
    wallet: positions.wallet[row]! + (isolated ? owed : 0),
    owed,
  }
}

/** Unsettled funding that will change the balance. That of an isolated position changes its wallet
 *  instead. */
export function owedToBalance(rows: readonly AccountRow[]): number {
  return rows.reduce((sum, { isolated, owed }) => (isolated ? sum : sum + owed), 0)
}

export function unrealisedOf({ lots, cost, market }: AccountRow): number {
  return openProfit(lots, cost, market.mark, market)
}

/** Value of a position at a mark, less the cost of its lots. */
export function openProfit(
  lots: number,
  cost: number,
  mark: number,
  { unitValue }: Pick<Market, 'unitValue'>,
): number {
  return lots * mark * unitValue - cost
}

/** Leverage in force. */
export function leverageOf(state: State, { row, market }: AccountRow): number {
  const { leverageMax } = market.params
  const setting = state.positions.leverage[row]!
  return setting === 0 ? leverageMax : Math.min(setting, leverageMax)
}
