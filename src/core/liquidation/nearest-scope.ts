// How near an account is to its liquidation: of its scopes the one with the lowest equity over
// maintenance. On record, as liquidation itself finds candidates: what funding owes is not in it.

import { divFloor } from '../../units/rounding.ts'
import { PPB, type Ppb, type Quote } from '../../units/units.ts'
import type { MarketId } from '../commands/ids.ts'
import { Health, sumScope } from '../margin/equity.ts'
import { scopeOfRow } from '../solvency/scope.ts'
import type { State } from '../state/state.ts'
import { ratioPpb } from './queue-liquidations.ts'

export type ScopeStanding = Readonly<{
  /** The isolated market; 0: cross. */
  scope: MarketId | 0
  equity: Quote
  maintenance: Quote
  /** Below a whole (10^9) it is liquidated. Capped at a million wholes. */
  ratio: Ppb
}>

const health = new Health()

const wholesMost = 1_000_000

/** What is worth a fortune may have next to no maintenance. */
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
    // Without a position, or with less than a micro-dollar of it, there is nothing to be near to.
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
