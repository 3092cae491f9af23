// Requests that place, change and cancel orders, without their signing fields.

import { batchActionsEachMax, batchActionsMax, batchActionTypes } from '../batch-actions.ts'
import {
  type OptionName,
  type OptionWords,
  optionNames,
  orderOptions,
  type TakerOptionName,
  takerOptionNames,
  tifs,
  timesInForce,
} from '../words.ts'
import { clientOrderId, decimal, optional, orderId, side, symbol, timeMs } from './field-types.ts'
import { signingFields } from './signing-fields.ts'
import { type Static, type TSchema, Type } from './typebox.ts'

export const tif = Type.Enum(tifs, {
  description: tifs.map((word) => `${word} ${timesInForce[word].about}`).join('; '),
})

const wordField = <K extends OptionName>(_name: K) =>
  optional(Type.Unsafe<NonNullable<OptionWords[K]>>(Type.Any()))
type OptionFields = { [K in OptionName]: ReturnType<typeof wordField<K>> }

function fieldOf(name: OptionName) {
  const { words, about: description } = orderOptions[name]
  return optional(
    words === null ? Type.Boolean({ description }) : Type.Enum(words, { description }),
  )
}

/** Options of orders that may rest. */
export const optionFields = Object.fromEntries(
  optionNames.map((name) => [name, fieldOf(name)]),
) as unknown as OptionFields

/** Options of orders that never rest. */
export const takerOptionFields = Object.fromEntries(
  takerOptionNames.map((name) => [name, optionFields[name]]),
) as unknown as Pick<OptionFields, TakerOptionName>

export const expireTime = timeMs(
  'Time at which the order expires. Must be at least `expire_ahead_ms` (see /info/risk) in the ' +
    'future',
)

export const triggerPriceType = Type.Enum(['mark_price', 'last_trade_price', 'mid_price'], {
  description: 'Price that triggers it (default: mark_price)',
})

const levelFields = {
  limit_price: optional(decimal('Limit price of the order it places (default: a market order)')),
  amount: optional(decimal('Size to close (default: the whole position)')),
  client_order_id: optional(clientOrderId),
  trigger_price_type: optional(triggerPriceType),
}

export const level = Type.Object(
  { stop_price: decimal('Trigger price'), ...levelFields },
  { description: 'A take-profit or stop-loss level' },
)

/** Fields that replace the stop price of a trailing stop (TRIG-11). */
const trailingFields = {
  stop_price: optional(decimal('Trigger price; omit it for a trailing stop')),
  trailing_percent: optional(
    decimal('How far behind the best mark it follows: 0.1 to 50 percent, at most four decimals'),
  ),
  trailing_distance: optional(decimal('The same as a distance of prices')),
  activation_price: optional(decimal('Activation mark (default: active immediately)')),
}

const byOne = 'given by exactly one of stop_price, trailing_percent and trailing_distance'
const aboutTrailingLevel = `A stop-loss level, ${byOne}`
export const trailingLevel = Type.Object(
  { ...trailingFields, ...levelFields },
  { description: aboutTrailingLevel },
)

/** Maximum slippage of a stop. Not allowed for levels attached to an order, the contract's levels,
 *  or OCO legs (TRIG-3). */
const ownSlippage = {
  slippage_percent: optional(
    decimal(
      'Without limit_price: how far from mark its order may go, in percent, up to 10 ' +
        '(default: stop_slippage_percent of /info/risk)',
    ),
  ),
}
const slippingLevel = Type.Object(
  { ...level.properties, ...ownSlippage },
  { description: 'A take-profit level' },
)
const slippingTrailingLevel = Type.Object(
  { ...trailingLevel.properties, ...ownSlippage },
  { description: aboutTrailingLevel },
)
export type LevelBody = Static<typeof slippingTrailingLevel>
export type LevelsBody = LevelBody | readonly LevelBody[] | null | undefined

export const triggerDirection = Type.Enum(['gte', 'lte'], {
  description: 'Fires at or above (gte) or at or below (lte) stop_price (default: by the side)',
})

const stopLevel = Type.Object(
  {
    ...trailingFields,
    ...levelFields,
    ...ownSlippage,
    trigger_direction: optional(triggerDirection),
  },
  { description: `Trigger of the stop, ${byOne}` },
)

/** One TP or SL level, or a list of levels (TRIG-12). */
const severally = <T extends TSchema>(one: T) =>
  Type.Union([one, Type.Array(one, { description: 'At most levels_per_kind of /info/risk' })])

export const attached = {
  take_profit: optional(severally(level)),
  stop_loss: optional(severally(trailingLevel)),
}

export const createOrderBody = Type.Object({
  symbol,
  price: decimal('Limit price, a multiple of tick_size'),
  amount: decimal('Size, a multiple of lot_size'),
  side: side('bid buys, ask sells'),
  tif,
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  client_order_id: optional(clientOrderId),
  ...attached,
  expire_time: optional(expireTime),
  ...optionFields,
})
export type CreateOrderBody = Static<typeof createOrderBody>

export const createMarketOrderBody = Type.Object({
  symbol,
  amount: decimal('Size, a multiple of lot_size'),
  side: side('bid buys, ask sells'),
  slippage_percent: decimal(
    'Maximum distance of the worst price from the mark, in percent, such as 0.5',
  ),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  client_order_id: optional(clientOrderId),
  ...attached,
  ...takerOptionFields,
})
export type CreateMarketOrderBody = Static<typeof createMarketOrderBody>

export const createStopBody = Type.Object({
  symbol,
  side: side(
    'Side of the order that the stop places. By default a bid fires at or above ' +
      'stop_price, an ask at or below (see trigger_direction)',
  ),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  stop_order: stopLevel,
  ...attached,
  expire_time: optional(expireTime),
})
export type CreateStopBody = Static<typeof createStopBody>

const legFields = {
  side: side('bid buys, ask sells'),
  amount: decimal('Size, a multiple of lot_size'),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
  client_order_id: optional(clientOrderId),
}

export const restingLeg = Type.Object(
  { ...legFields, price: decimal('Limit price: it rests there, or the whole request is refused') },
  { description: 'An order that rests' },
)

const stopLeg = Type.Object(
  {
    ...legFields,
    ...trailingFields,
    limit_price: optional(decimal('Limit price of the order it places (default: a market order)')),
    trigger_price_type: optional(triggerPriceType),
    trigger_direction: optional(triggerDirection),
  },
  { description: `A stop, ${byOne}` },
)
export type StopLegBody = Static<typeof stopLeg>
export type LegBody = Static<typeof restingLeg> | StopLegBody

export const createOcoBody = Type.Object({
  symbol,
  legs: Type.Array(Type.Union([restingLeg, stopLeg]), {
    minItems: 2,
    maxItems: 2,
    description: 'Two stops, or an order and a stop of the same side, amount and reduce_only',
  }),
  expire_time: optional(expireTime),
})
export type CreateOcoBody = Static<typeof createOcoBody>

const oneId = {
  order_id: optional(orderId),
  client_order_id: optional(clientOrderId),
}

export const orderRefBody = Type.Object({ symbol, ...oneId })
export type OrderRefBody = Static<typeof orderRefBody>

export const editOrderBody = Type.Object({
  symbol,
  price: decimal('New limit price'),
  amount: decimal('Total size of the new order'),
  ...oneId,
})
export type EditOrderBody = Static<typeof editOrderBody>

export const cancelAllBody = Type.Object({
  all_symbols: Type.Boolean({ description: 'True for all markets, false for `symbol` only' }),
  exclude_reduce_only: Type.Boolean({ description: 'True to keep reduce-only orders and stops' }),
  symbol: optional(symbol),
})
export type CancelAllBody = Static<typeof cancelAllBody>

/** The contract's level, with prices in ticks. */
export const tickLevel = Type.Object(
  {
    stop_tick_level: Type.Integer({ minimum: 1, description: 'Trigger, in ticks' }),
    limit_tick_level: optional(Type.Integer({ minimum: 1, description: 'Limit, in ticks' })),
    amount: optional(decimal('Size to close (default: the whole position)')),
  },
  { description: 'A level in ticks (price = ticks × tick_size)' },
)
export type TickLevelBody = Static<typeof tickLevel>

const ofPosition = {
  symbol,
  side: side('Side of the position if the body has `user`; the closing side if it has `account`'),
}

/** The given levels replace all existing ones of their kind; null removes them. */
export const tpslBody = Type.Object({
  ...ofPosition,
  take_profit: Type.Optional(Type.Union([tickLevel, severally(slippingLevel), Type.Null()])),
  stop_loss: Type.Optional(Type.Union([tickLevel, severally(slippingTrailingLevel), Type.Null()])),
})
export type TpslBody = Static<typeof tpslBody>

/** The contract's body with `user`: one level of each kind, in ticks. */
export const tpslUserBody = Type.Object({
  ...ofPosition,
  take_profit: Type.Optional(Type.Union([tickLevel, level, Type.Null()])),
  stop_loss: Type.Optional(Type.Union([tickLevel, level, Type.Null()])),
})

/** Allowed only as an action of a batch. */
export const quoteBody = Type.Object({
  symbol,
  side: side('bid buys, ask sells'),
  price: decimal('Price of the order, a multiple of tick_size'),
  amount: decimal('New remaining size, a multiple of lot_size; 0 cancels the order'),
  client_order_id: clientOrderId,
  mmp: optionFields.mmp,
})
export type QuoteBody = Static<typeof quoteBody>

const keepProtective = optional(
  Type.Boolean({ description: 'Spare reduce-only stops and TP/SL levels; true by default' }),
)

export const scheduleCancelBody = Type.Object({
  time: Type.Union(
    [timeMs('When to cancel, at least 5 s ahead of engine_now of GET /time'), Type.Null()],
    {
      description: 'Null removes the schedule',
    },
  ),
  keep_protective: keepProtective,
})

/** Served only over the websocket, because it concerns the connection. */
export const cancelOnDisconnectBody = Type.Object({ keep_protective: keepProtective })

export const batchBody = Type.Object({
  actions: Type.Array(
    Type.Object({
      type: Type.Enum(batchActionTypes, { description: 'Kind of action' }),
      data: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Body of the corresponding single request: with its own signature, or without ' +
            'signing fields if the whole batch is signed',
        },
      ),
    }),
    {
      minItems: 1,
      maxItems: batchActionsMax,
      description:
        'Actions, run in order and without other requests in between; ' +
        `at most ${batchActionsEachMax} if each is signed`,
    },
  ),
  ...Object.fromEntries(
    Object.entries(signingFields).map(([name, schema]) => [name, optional(schema)]),
  ),
})
