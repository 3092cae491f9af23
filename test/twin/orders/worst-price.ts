// How far a market order may go (docs/rules/orders.md, ORDER-1).

import type { Side } from '../../../src/core/commands/commands.ts'
import type { Market } from '../state.ts'
import { ceilDiv, clamp, floorDiv, MILLION } from '../units/numbers.ts'

export function worstPrice(market: Market, side: Side, slippage: bigint): bigint {
  const { tickMin, tickMax } = market.rules
  const moved =
    side === 'bid'
      ? floorDiv(market.mark * (MILLION + slippage), MILLION)
      : ceilDiv(market.mark * (MILLION - slippage), MILLION)
  return clamp(moved, tickMin, tickMax)
}
