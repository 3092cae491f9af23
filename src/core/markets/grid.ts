// The permitted prices of a market, and the accounts whose worst case would be too large with a
// higher maximum price (UNITS-4).

import { divFloor } from '../../units/rounding.ts'
import type { MarketChange } from '../commands/market-params.ts'
import { worstLots } from '../margin/margin.ts'
import { limits } from '../rules/limits.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** A grid may only grow, because resting orders, triggers and positions keep their prices. */
export function isWiderGrid({ params }: Market, { tickMin, tickMax }: MarketChange): boolean {
  return (
    (tickMin ?? params.tickMin) <= params.tickMin && (tickMax ?? params.tickMax) >= params.tickMax
  )
}

/** The highest tick whose worst case fits the number range for all accounts. */
export function highestTick(state: State, market: Market): number {
  let highest: number = market.rules.limits.tickMaxMost
  for (let account = 1; account < market.rowOf.length; account++) {
    if (market.rowOf[account] === 0) continue
    const elsewhere = worstCase(state, market, account, 0)
    const perTick = worstCase(state, market, account, 1) - elsewhere
    if (perTick > 0) highest = Math.min(highest, divFloor(limits.moneyMax - elsewhere, perTick))
  }
  return highest
}

/** Returns the first account whose worst case would be too large with this highest tick, or 0. */
export function overburdened(state: State, market: Market, tickMax: number): number {
  if (tickMax <= market.params.tickMax) return 0
  for (let account = 1; account < market.rowOf.length; account++)
    if (market.rowOf[account] !== 0 && worstCase(state, market, account, tickMax) > limits.moneyMax)
      return account
  return 0
}

function worstCase(state: State, market: Market, account: number, tickMax: number): number {
  const { accounts, positions } = state
  let sum = 0
  for (let row = accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const held = state.markets[positions.market[row]!]!
    const highest = held === market ? tickMax : held.params.tickMax
    const worst = worstLots(positions.lots[row]!, positions.buys[row]!, positions.sells[row]!)
    sum += worst * highest * held.unitValue
  }
  return sum
}
