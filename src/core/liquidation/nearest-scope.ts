// How near an account is to liquidation: its scope with the lowest ratio of equity to maintenance.
// As in liquidation itself, funding that is not settled yet does not count.

import { divFloor } from '../../units/rounding.ts'
import { PPB, type Ppb, type Quote } from '../../units/units.ts'
import type { MarketId } from '../commands/ids.ts'
import { Health, sumScope } from '../margin/equity.ts'
import { scopeOfRow } from '../solvency/scope.ts'
import type { State } from '../state/state.ts'
import { ratioPpb } from './queue-liquidations.ts'

export type ScopeStanding = Readonly<{
  /** The isolated market, or 0 for cross. */
  scope: MarketId | 0
  equity: Quote
  maintenance: Quote
  /** Equity ÷ maintenance. Below 10^9 the scope is liquidated. Capped at 10^15. */
  ratio: Ppb
}>

const health = new Health()

const wholesMost = 1_000_000

/** Bounds the ratio, because large equity may have almost no maintenance. */
function boundedRatio(equity: number, maintenance: number): number {
  const wholes = divFloor(equity, maintenance)
  if (wholes >= wholesMost) return wholesMost * PPB
  return wholes < -wholesMost ? -wholesMost * PPB : ratioPpb(equity, maintenance)
}

export function nearestScope(state: State, account: number): ScopeStanding | null {
  const { positions } = state
  let nearest: ScopeStanding | null = null
  for (let row = state.accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    sumScope(state, row, health)
    const { equity, maintenance } = health
    // A scope without a position, or with a tiny one, has no maintenance and cannot be liquidated.
    if (maintenance === 0) continue
    const ratio = boundedRatio(equity, maintenance)
    if (nearest !== null && nearest.ratio <= ratio) continue
    nearest = {
      scope: scopeOfRow(state, row).market as MarketId | 0,
      equity: equity as Quote,
      maintenance: maintenance as Quote,
      ratio: ratio as Ppb,
    }
  }
  return nearest
}
