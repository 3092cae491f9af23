// The liquidation price (LIQ-1): how far the mark of one market may move against a position, with
// all other values unchanged, before its scope is below maintenance. Found with the engine's own
// maintenance function, including tiers and rounding, so that it is exact to the tick.

import { divFloor } from '../../units/rounding.ts'
import type { Ticks } from '../../units/units.ts'
import { maintenanceOf } from '../margin/margin.ts'
import type { Market } from '../state/market.ts'
import type { AccountRow } from './account-rows.ts'

/** The margin scope of one position: its own values, and the totals of the scope's other
 *  positions. */
export type Standing = Readonly<{
  market: Market
  lots: number
  /** Equity of the scope without the value of this position. */
  equityElsewhere: number
  /** Maintenance of the scope's other positions. */
  maintenanceElsewhere: number
}>

function isHealthyAt(standing: Standing, price: number): boolean {
  const { market, lots, equityElsewhere, maintenanceElsewhere } = standing
  const value = lots * price * market.unitValue
  return equityElsewhere + value >= maintenanceElsewhere + maintenanceOf(market, Math.abs(value))
}

/** The last healthy price: one tick further and the scope is liquidated. Null if no price of the
 *  market is such a limit. */
export function liquidationPrice(standing: Standing): Ticks | null {
  const { lots, market } = standing
  const { tickMin, tickMax } = market.params
  if (lots === 0) return null
  // Health grows in only one direction of the price: upwards for a long, downwards for a short.
  let healthy: number = lots > 0 ? tickMax : tickMin
  let fallen: number = lots > 0 ? tickMin : tickMax
  if (!isHealthyAt(standing, healthy) || isHealthyAt(standing, fallen)) return null
  while (Math.abs(healthy - fallen) > 1) {
    const middle = divFloor(healthy + fallen, 2)
    if (isHealthyAt(standing, middle)) healthy = middle
    else fallen = middle
  }
  return healthy as Ticks
}

type Held = Pick<AccountRow, 'market' | 'isolated' | 'lots' | 'cost' | 'wallet'>

/** Each position with the sums of the other positions in its scope, in the given order. */
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
