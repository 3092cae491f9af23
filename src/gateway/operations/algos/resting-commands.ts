// Converts requests of algos with resting orders to commands, and their outcomes to replies.

import type { PlaceChase, PlaceIceberg } from '../../../core/index.ts'
import type { CreateChaseBody, CreateIcebergBody } from '../../../protocol/schemas/algos.ts'
import { expiryOf, type Grid, lotsOf, quotedLotsOf, ticksOf } from '../order-fields.ts'
import type { PreparedOrder } from '../orders/order-commands.ts'
import { ask, eventIn, type MarketRef, marketOf, type Principal } from '../principal.ts'

export function placeChaseOf(
  principal: Principal,
  body: CreateChaseBody,
): PreparedOrder<PlaceChase> {
  const market = marketOf(principal, body.symbol)
  const command: PlaceChase = { type: 'PlaceChase', ...restingFields(principal, market, body) }
  return { command, market, clientOrderId: command.clientOrderId }
}

export function placeIcebergOf(
  principal: Principal,
  body: CreateIcebergBody,
): PreparedOrder<PlaceIceberg> {
  const market = marketOf(principal, body.symbol)
  const fields = restingFields(principal, market, body)
  const { params } = market
  // A display_amount of 0 is rejected by the core, whose message names the allowed sizes.
  const display = quotedLotsOf(
    { params, refusals: principal.refusals },
    'display_amount',
    body.display_amount,
  )
  const command: PlaceIceberg = { type: 'PlaceIceberg', ...fields, display }
  return { command, market, clientOrderId: command.clientOrderId }
}

export async function placeAlgo(
  principal: Principal,
  { command, market, clientOrderId }: PreparedOrder<PlaceChase | PlaceIceberg>,
) {
  const events = await ask(principal, command, { params: market.params, clientOrderId })
  return { order_id: eventIn(events, 'AlgoPlaced').order }
}

function restingFields(principal: Principal, market: MarketRef, body: CreateChaseBody) {
  const { account, proof, refusals } = principal
  const grid: Grid = { params: market.params, refusals }
  return {
    account,
    proof,
    market: market.id,
    side: body.side,
    size: lotsOf(grid, 'amount', body.amount),
    price: ticksOf(grid, 'price', body.price),
    reduceOnly: body.reduce_only,
    expireTime: null,
    clientOrderId: body.client_order_id ?? null,
    ...expiryOf(body),
  }
}
