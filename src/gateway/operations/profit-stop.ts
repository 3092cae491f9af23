// A take-profit from existing clients that can only send it as a stop: without a direction, at a
// price that the market has not reached. Their port reverses its direction (docs/api/ccxt.md).

import type { PlaceStop } from '../../core/index.ts'
import type { CreateStopBody } from '../../protocol/schemas/order-requests.ts'
import { type PreparedOrder, placeStopOf } from './orders/order-commands.ts'
import type { Principal } from './principal.ts'

/** Reverses the direction of a reduce-only stop whose price is already reached, if that price is
 *  better than both the mark and the entry price of its position. */
export function placeProfitStopOf(
  principal: Principal,
  body: CreateStopBody,
): PreparedOrder<PlaceStop> {
  const prepared = placeStopOf(principal, body)
  const { command } = prepared
  if (!takesProfit(principal, command)) return prepared
  return { ...prepared, command: { ...command, up: command.side === 'ask' } }
}

function takesProfit({ exchange }: Principal, command: PlaceStop): boolean {
  const { account, market: id, side, reduceOnly, up, level } = command
  const { stopPrice, trail, triggerBy } = level
  if (!reduceOnly || up != null || trail != null) return false
  const { markets, positions } = exchange.view
  const market = markets.get(id)!
  const position = positions.holdingOf(account, id)
  if (position === null || position.lots > 0 !== (side === 'ask')) return false
  if (!market.isReached(triggerBy, stopPrice, side === 'bid')) return false
  const { lots, cost } = position
  // For a short position both values are negative: the lower the price, the larger the profit.
  const worth = BigInt(lots) * BigInt(stopPrice) * BigInt(market.unitValue)
  const isBeyondMark = side === 'ask' ? stopPrice > market.mark : stopPrice < market.mark
  return isBeyondMark && worth > BigInt(cost)
}
