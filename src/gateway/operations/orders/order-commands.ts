// Converts request bodies to commands, for single operations and batches.

import type {
  CancelAllOrders,
  CancelOrder,
  CancelStop,
  EditOrder,
  Level,
  Levels,
  PlaceMarketOrder,
  PlaceOrder,
  PlaceQuote,
  PlaceStop,
  SetPositionTpsl,
} from '../../../core/index.ts'
import type {
  CancelAllBody,
  CreateMarketOrderBody,
  CreateOrderBody,
  CreateStopBody,
  EditOrderBody,
  LevelBody,
  OrderRefBody,
  QuoteBody,
  TickLevelBody,
  TpslBody,
} from '../../../protocol/schemas/order-requests.ts'
import { apiError } from '../../api-error.ts'
import {
  directionOf,
  expiryOf,
  type Grid,
  isLevelList,
  levelOf,
  levelsOf,
  lotsOf,
  optionsOf,
  percentOf,
  quotedLotsOf,
  refOf,
  tickLevelOf,
  ticksOf,
} from '../order-fields.ts'
import { type MarketRef, marketOf, type Principal } from '../principal.ts'

export type PreparedOrder<C> = Readonly<{
  command: C
  market: MarketRef
  clientOrderId: string | null
}>
/** `market`: `null` for all markets. */
export type Prepared<C> = Omit<PreparedOrder<C>, 'market'> & Readonly<{ market: MarketRef | null }>

const common = ({ account, proof }: Principal, market: MarketRef) => ({
  account,
  proof,
  market: market.id,
})
const gridOf = ({ refusals }: Principal, { params }: MarketRef): Grid => ({ params, refusals })

export function placeOrderOf(
  principal: Principal,
  body: CreateOrderBody,
): PreparedOrder<PlaceOrder> {
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const clientOrderId = body.client_order_id ?? null
  const command: PlaceOrder = {
    type: 'PlaceOrder',
    ...common(principal, market),
    side: body.side,
    price: ticksOf(grid, 'price', body.price),
    size: lotsOf(grid, 'amount', body.amount),
    tif: body.tif,
    reduceOnly: body.reduce_only,
    clientOrderId,
    takeProfit: levelsOf(grid, 'take_profit', body.take_profit),
    stopLoss: levelsOf(grid, 'stop_loss', body.stop_loss),
    ...expiryOf(body),
    ...optionsOf(body),
  }
  return { command, market, clientOrderId }
}

export function placeMarketOrderOf(
  principal: Principal,
  body: CreateMarketOrderBody,
): PreparedOrder<PlaceMarketOrder> {
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const clientOrderId = body.client_order_id ?? null
  const command: PlaceMarketOrder = {
    type: 'PlaceMarketOrder',
    ...common(principal, market),
    side: body.side,
    size: lotsOf(grid, 'amount', body.amount),
    slippagePpm: percentOf(principal.refusals, 'slippage_percent', body.slippage_percent),
    reduceOnly: body.reduce_only,
    clientOrderId,
    takeProfit: levelsOf(grid, 'take_profit', body.take_profit),
    stopLoss: levelsOf(grid, 'stop_loss', body.stop_loss),
    ...optionsOf(body),
  }
  return { command, market, clientOrderId }
}

export function quoteOf(principal: Principal, body: QuoteBody): PreparedOrder<PlaceQuote> {
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const clientOrderId = body.client_order_id
  const command: PlaceQuote = {
    type: 'Quote',
    ...common(principal, market),
    side: body.side,
    price: ticksOf(grid, 'price', body.price),
    size: quotedLotsOf(grid, 'amount', body.amount),
    clientOrderId,
    ...optionsOf(body),
  }
  return { command, market, clientOrderId }
}

export function placeStopOf(principal: Principal, body: CreateStopBody): PreparedOrder<PlaceStop> {
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const level = levelOf(grid, 'stop_order', body.stop_order)
  const { take_profit, stop_loss } = body
  const command: PlaceStop = {
    type: 'PlaceStop',
    ...common(principal, market),
    side: body.side,
    reduceOnly: body.reduce_only,
    level,
    ...(take_profit == null ? {} : { takeProfit: levelsOf(grid, 'take_profit', take_profit) }),
    ...(stop_loss == null ? {} : { stopLoss: levelsOf(grid, 'stop_loss', stop_loss) }),
    ...expiryOf(body),
    ...directionOf(body.stop_order),
  }
  return { command, market, clientOrderId: level.clientOrderId }
}

export function cancelAllOf(principal: Principal, body: CancelAllBody): Prepared<CancelAllOrders> {
  const { all_symbols, exclude_reduce_only, symbol } = body
  if (!all_symbols && symbol == null)
    throw apiError('MALFORMED_REQUEST', 'symbol is required unless all_symbols is true')
  const market = all_symbols ? null : marketOf(principal, symbol!)
  const { account, proof } = principal
  const command: CancelAllOrders = {
    type: 'CancelAllOrders',
    account,
    proof,
    market: market?.id ?? null,
    excludeReduceOnly: exclude_reduce_only,
  }
  return { command, market, clientOrderId: null }
}

export function editOrderOf(principal: Principal, body: EditOrderBody): PreparedOrder<EditOrder> {
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const ref = refOf(body)
  const command: EditOrder = {
    type: 'EditOrder',
    ...common(principal, market),
    ...ref,
    price: ticksOf(grid, 'price', body.price),
    size: lotsOf(grid, 'amount', body.amount),
  }
  return { command, market, clientOrderId: ref.clientOrderId }
}

export function cancelOrderOf(
  principal: Principal,
  body: OrderRefBody,
): PreparedOrder<CancelOrder> {
  const ref = refOf(body)
  const market = marketOf(principal, body.symbol)
  const command: CancelOrder = { type: 'CancelOrder', ...common(principal, market), ...ref }
  return { command, market, clientOrderId: ref.clientOrderId }
}

export function cancelStopOf(principal: Principal, body: OrderRefBody): PreparedOrder<CancelStop> {
  const ref = refOf(body)
  const market = marketOf(principal, body.symbol)
  const command: CancelStop = { type: 'CancelStop', ...common(principal, market), ...ref }
  return { command, market, clientOrderId: ref.clientOrderId }
}

/** Converts a TP/SL body. With `user` it is the contract's body, with prices in ticks and the side
 *  of the position. Otherwise it has prices and the closing side. A client id outside the levels
 *  belongs to the only level (tolerated-fields.ts). */
export function tpslOf(principal: Principal, body: TpslBody): PreparedOrder<SetPositionTpsl> {
  const form = (body as { user?: unknown }).user == null ? 'account' : 'user'
  const market = marketOf(principal, body.symbol)
  const grid = gridOf(principal, market)
  const opposite = body.side === 'bid' ? 'ask' : 'bid'
  const outside = (body as { client_order_id?: string | null }).client_order_id ?? null
  const levels = (field: 'take_profit' | 'stop_loss') => {
    const requested = body[field]
    if (requested == null) return null
    const made = tpslLevels(grid, field, requested, form)
    return outside === null ? made : named(made, outside)
  }
  const command: SetPositionTpsl = {
    type: 'SetPositionTpsl',
    ...common(principal, market),
    side: form === 'user' ? body.side : opposite,
    ...(body.take_profit === undefined ? {} : { takeProfit: levels('take_profit') }),
    ...(body.stop_loss === undefined ? {} : { stopLoss: levels('stop_loss') }),
  }
  return { command, market, clientOrderId: null }
}

/** Adds the client id to the only level, single or in a list. */
function named(levels: Levels, clientOrderId: string): Levels {
  if (levels === null) return null
  const name = (level: Level) => ({ ...level, clientOrderId })
  return isLevelList(levels) ? levels.map(name) : name(levels)
}

function tpslLevels(
  grid: Grid,
  field: string,
  body: LevelBody | readonly LevelBody[] | TickLevelBody,
  form: 'user' | 'account',
): Levels {
  const inTicks = 'stop_tick_level' in body
  if (form === 'user' && inTicks) return tickLevelOf(grid, field, body)
  if (form === 'account' && !inTicks) return levelsOf(grid, field, body)
  const wanted = form === 'user' ? 'stop_tick_level' : 'stop_price'
  throw apiError('MALFORMED_REQUEST', `${field}.${wanted} is required in a body with \`${form}\``)
}
