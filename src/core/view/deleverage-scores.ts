// How soon a position would be deleveraged, by the engine's ranking (LIQ-6). For display only: the
// turn itself settles funding first and compares nearly equal scores exactly.

import { divFloor } from '../../units/rounding.ts'
import { scoreOf } from '../liquidation/deleverage.ts'
import { Health, sumScope } from '../margin/equity.ts'
import type { State } from '../state/state.ts'
import { accountRow, owedToBalance, rowsOfAccount, unrealisedOf } from './account-rows.ts'

export type DeleverageScores = Readonly<{ long: readonly number[]; short: readonly number[] }>

const health = new Health()

/** 0 if there is no position. Negative for a losing position: its loss per cost. */
export function deleverageScore(state: State, row: number): number {
  const position = accountRow(state, row)
  const { lots, market, isolated, owed } = position
  const cost = Math.abs(position.cost)
  if (lots === 0 || cost === 0) return 0
  const profit = unrealisedOf(position)
  if (profit <= 0) return profit / cost
  const account = state.positions.account[row]!
  sumScope(state, row, health)
  const due = isolated ? owed : owedToBalance(rowsOfAccount(state, account))
  const equity = health.equity + due
  const notional = Math.abs(lots) * market.lotValue
  return equity <= 0 ? Number.MAX_VALUE : scoreOf({ profit, notional, cost, equity })
}

export function deleverageScores(state: State, market: number, most: number): DeleverageScores {
  const { positions } = state
  const stride = Math.max(1, divFloor(positions.count, most))
  const long: number[] = []
  const short: number[] = []
  for (let row = 1; row <= positions.count; row += stride) {
    if (positions.market[row] !== market || positions.lots[row] === 0) continue
    const side = positions.lots[row]! > 0 ? long : short
    side.push(deleverageScore(state, row))
  }
  return { long, short }
}
