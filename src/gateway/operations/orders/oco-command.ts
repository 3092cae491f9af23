// Converts the body of an OCO to its command.

import type { PlaceOco, RestingLeg, StopLeg } from '../../../core/index.ts'
import {
  type CreateOcoBody,
  type LegBody,
  restingLeg,
  type StopLegBody,
} from '../../../protocol/schemas/order-requests.ts'
import { closedCheckOf } from '../body-check.ts'
import { directionOf, expiryOf, type Grid, levelOf, lotsOf, ticksOf } from '../order-fields.ts'
import { marketOf, type Principal } from '../principal.ts'

export function placeOcoOf(principal: Principal, body: CreateOcoBody) {
  const market = marketOf(principal, body.symbol)
  const { account, proof, refusals } = principal
  const grid: Grid = { params: market.params, refusals }
  const command: PlaceOco = {
    type: 'PlaceOco',
    account,
    proof,
    market: market.id,
    legs: body.legs.map((leg, at) => legOf(grid, `legs[${at}]`, leg)),
    ...expiryOf(body),
  }
  return { command, market }
}

function legOf(grid: Grid, field: string, body: LegBody): RestingLeg | StopLeg {
  const { side, amount, reduce_only: reduceOnly, client_order_id = null } = body
  // A null price counts as absent.
  if (!('price' in body) || body.price === null) return stopOf(grid, field, body)
  // With another type of price, the leg could have been taken for a stop.
  closedCheckOf(restingLeg)(body, field)
  return {
    side,
    price: ticksOf(grid, `${field}.price`, body.price),
    size: lotsOf(grid, `${field}.amount`, amount),
    reduceOnly,
    clientOrderId: client_order_id,
  }
}

function stopOf(grid: Grid, field: string, body: StopLegBody): StopLeg {
  const { side, reduce_only: reduceOnly } = body
  return { side, reduceOnly, level: levelOf(grid, field, body), ...directionOf(body) }
}
