// The liquidation price (LIQ-1): how far the mark of one market may go against a position, all else
// equal, before its scope is below maintenance. Found by asking the engine's own maintenance, tiers
// and rounding included, so that it is the very tick that decides.

import { divFloor } from '../../units/rounding.ts'
import type { Ticks } from '../../units/units.ts'
import { maintenanceOf } from '../margin/margin.ts'
import type { Market } from '../state/market.ts'
import type { AccountRow } from './account-rows.ts'

/** A scope seen from one of its positions. */
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

/** The last price that is still healthy: one tick further and the scope is liquidated. Null when
 *  no price of the market is such a border. */
export function liquidationPrice(standing: Standing): Ticks | null {
  const { lots, market } = standing
  const { tickMin, tickMax } = market.params
  if (lots === 0) return null
  // Health only grows towards one end of the prices: a long's upwards, a short's downwards.
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
