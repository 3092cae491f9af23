// The open positions of an account, as their reader sees them: funding settled, valued at mark.

import { maintenanceOf } from '../../core/accounts/margin.ts'
import type { MarketParams } from '../../core/index.ts'
import type { State } from '../../core/state/state.ts'
import { type AccountRow, owedToBalance, rowsOfAccount } from './account-rows.ts'
import { liquidationPrice, type Standing } from './liquidation-price.ts'

export type PositionNumbers = Readonly<{
  market: number
  params: MarketParams
  /** Signed: above zero long. */
  lots: number
  cost: number
  isolated: boolean
  /** Money of an isolated position; 0 on a cross one. */
  wallet: number
  unrealised: number
  /** Since the position was opened; below zero it was paid. */
  fundingPaid: number
  feesPaid: number
  liquidationPrice: number | null
  openedAt: number
  updatedAt: number
}>

/** By rising market id; a market without a position is not listed. */
export function positionsOf(state: State, account: number): readonly PositionNumbers[] {
  const rows = rowsOfAccount(state, account)
  const held = rows.filter(({ lots }) => lots !== 0)
  const standings = standingsOf(held, state.accounts.balance[account]! + owedToBalance(rows))
  return held.map((row, at) => positionOf(state, row, standings[at]!))
}

function positionOf(state: State, row: AccountRow, standing: Standing): PositionNumbers {
  const { positions } = state
  const { market, lots, cost, isolated, wallet, owed } = row
  return {
    market: market.id,
    params: market.params,
    lots,
    cost,
    isolated,
    wallet: isolated ? wallet : 0,
    unrealised: lots * market.lotValue - cost,
    fundingPaid: positions.fundingPaid[row.row]! - owed,
    feesPaid: positions.feesPaid[row.row]!,
    liquidationPrice: liquidationPrice(standing),
    openedAt: positions.openedAt[row.row]!,
    updatedAt: positions.updatedAt[row.row]!,
  }
}

type Held = Pick<AccountRow, 'market' | 'isolated' | 'lots' | 'cost' | 'wallet'>

/** Each position with what the rest of its scope stands for; in the order given. */
export function standingsOf(held: readonly Held[], balance: number): readonly Standing[] {
  let equity = balance
  let maintenance = 0
  for (const position of held) {
    if (position.isolated) continue
    equity += position.lots * position.market.lotValue - position.cost
    maintenance += maintenanceNow(position)
  }
  return held.map((position) => {
    const { market, isolated, lots, cost, wallet } = position
    if (isolated) return { market, lots, equityElsewhere: wallet - cost, maintenanceElsewhere: 0 }
    const equityElsewhere = equity - lots * market.lotValue
    const maintenanceElsewhere = maintenance - maintenanceNow(position)
    return { market, lots, equityElsewhere, maintenanceElsewhere }
  })
}

function maintenanceNow({ market, lots }: Held): number {
  return maintenanceOf(market, Math.abs(lots) * market.lotValue)
}
