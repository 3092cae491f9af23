// Open, past and previewed orders.

import { orderStatuses, orderTypes } from '../words.ts'
import {
  address,
  clientOrderId,
  decimal,
  optional,
  orderId,
  side,
  symbol,
  timeMs,
} from './field-types.ts'
import { riskTier } from './market-replies.ts'
import {
  attached,
  createOcoBody,
  createStopBody,
  expireTime,
  optionFields,
  tif,
  triggerDirection,
  triggerPriceType,
} from './order-requests.ts'
import { Type } from './typebox.ts'

const nullable = (text: string) => Type.Union([decimal(text), Type.Null()], { description: text })

const orderType = Type.Enum([...orderTypes], {
  description:
    'Kind of order. take_profit is a level of a position, or a reduce-only stop that ' +
    'triggers in the opposite direction from the default of its side',
})

const orderStatus = Type.Enum([...orderStatuses], {
  description:
    'Current status. A stop or level is filled when it fired; its trades are those of ' +
    'the order that has its id in stop_parent_order_id',
})

const identity = {
  order_id: orderId,
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the order, if it has one',
  }),
  symbol,
  side: side('bid buys, ask sells'),
}

const price = decimal('Limit price; the worst price for a market order; 0 for a stop-market order')

const stopFields = {
  stop_price: nullable('Trigger price; null if not a stop with a fixed price'),
  order_type: orderType,
  stop_parent_order_id: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'For a TP/SL level: the order it is attached to. For an order placed by a stop: that stop',
  }),
  reduce_only: Type.Boolean({ description: 'The order may only reduce the position' }),
}

/** Present only in rows of trailing stops. */
export const trailing = {
  trailing: Type.Optional(
    Type.Object(
      {
        trailing_percent: nullable(
          'Distance from the best mark price in percent; null if trailing_distance is set',
        ),
        trailing_distance: nullable(
          'Distance from the best mark, as a price; null if trailing_percent is set',
        ),
        activation_price: nullable(
          'Mark price at which the stop becomes active; null if it was active immediately',
        ),
        extreme_price: nullable(
          'Best mark price since activation; null if not active yet, or if the stop ended ' +
            'without firing',
        ),
      },
      { description: 'For a trailing stop; its stop_price is the current trigger price' },
    ),
  ),
}

/** Present only in rows of orders created by a triggered stop. */
export const firing = {
  triggered: Type.Optional(
    Type.Boolean({
      description:
        'True if a reduce-only market stop fired and this order is retried at each new ' +
        'price, until the position is closed or expire_time is reached',
    }),
  ),
}

/** Present only in rows of market stops and levels with their own maximum slippage. */
const slipping = {
  slippage_percent: Type.Optional(
    decimal(
      'Maximum slippage of the placed order from the mark, in percent (default: that of ' +
        'the market)',
    ),
  ),
}

const ending = {
  expire_time: Type.Optional(timeMs('Expiry time; absent if the order does not expire')),
}

export const protection = {
  mmp: Type.Optional(
    Type.Boolean({
      description: "True if the order is cancelled when the account's maker protection trips",
    }),
  ),
}

/** Present only in rows of orders with these options. */
export const ties = {
  oco_order_id: Type.Optional(
    Type.Integer({
      description: 'The other leg of an OCO: when one executes, the other is cancelled',
    }),
  ),
  parent_order_id: Type.Optional(
    Type.Integer({
      description:
        'Stop that the level is attached to, or TWAP, chase or iceberg that placed the ' + 'order',
    }),
  ),
  trigger_direction: Type.Optional(triggerDirection),
}

/** Present only in rows of some stops and levels, and only in the stream of open orders. */
export const watching = {
  trigger_price_type: Type.Optional(triggerPriceType),
  whole_position: Type.Optional(
    Type.Boolean({
      description: 'True if it closes the whole position, whatever its size when it fires',
    }),
  ),
  ...slipping,
}

const amounts = {
  initial_amount: decimal(
    'Original size; for a stop without one, the size of the position, now or when it ended',
  ),
  filled_amount: decimal('Size filled so far; 0 for a stop, which does not trade itself'),
  cancelled_amount: decimal('Size cancelled so far'),
}

const times = {
  created_at: timeMs('Time of placement'),
  updated_at: timeMs('Time of the last change'),
}

/** Present only in rows of orders in a book, for readers who may see their place. */
export const queue = {
  queue: Type.Optional(
    Type.Union(
      [
        Type.Object({
          ahead: decimal('Size at the same price that executes before this order'),
          behind: decimal('Size at the same price that executes after this order'),
          orders_ahead: Type.Integer({ description: 'Number of orders ahead of this order' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Place in the queue of its price. It is null if more than 100,000 orders would ' +
          'have to be counted, and absent if the order is not in the book or the reader is ' +
          'not its owner',
      },
    ),
  ),
}

export const openOrder = Type.Object({
  ...identity,
  price,
  ...amounts,
  ...stopFields,
  ...trailing,
  ...slipping,
  ...ending,
  ...protection,
  ...ties,
  ...firing,
  ...queue,
  ...times,
})

const averageFilledPrice = nullable('Average price of its fills; null if none')

export const orderHistoryRow = Type.Object({
  ...identity,
  initial_price: decimal('Price at placement'),
  price,
  amount: decimal('The same as initial_amount'),
  ...amounts,
  average_filled_price: averageFilledPrice,
  order_status: orderStatus,
  ...stopFields,
  ...trailing,
  ...ending,
  ...protection,
  ...ties,
  ...firing,
  reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason why the order ended unfilled; null if it did not',
  }),
  ...times,
})

export const orderEventsQuery = Type.Object({
  order_id: optional(orderId),
  account: optional(address('With client_order_id: the account of the order')),
  client_order_id: optional(clientOrderId),
})

export const orderEvent = Type.Object({
  history_id: Type.Integer({ description: 'Id of the event; increasing' }),
  ...identity,
  price,
  ...amounts,
  average_filled_price: averageFilledPrice,
  event_type: Type.String({ description: 'Event: make, fulfill_limit, cancel …' }),
  order_status: orderStatus,
  ...stopFields,
  created_at: timeMs('Time of the event'),
})

/** A limit order has price and tif, a market order slippage_percent. OCO, stop, iceberg and chase
 *  are recognised by one field of their own, and have the fields with which they are placed. */
export const previewRequest = Type.Object({
  account: address('Account address'),
  symbol,
  amount: optional(
    decimal(
      'Size, a multiple of lot_size; omit it for a stop and for legs, which have their ' + 'own',
    ),
  ),
  side: optional(side('bid buys, ask sells; omit it for legs, which have their own')),
  price: optional(decimal('Limit price; requires tif')),
  tif: optional(tif),
  slippage_percent: optional(decimal('For a market order: maximum distance from the mark')),
  reduce_only: optional(Type.Boolean({ description: 'The order may only reduce the position' })),
  client_order_id: optional(clientOrderId),
  ...attached,
  expire_time: optional(expireTime),
  ...optionFields,
  chase: optional(
    Type.Boolean({
      description: 'True to preview a chase (see /orders/chase/create), which has no tif',
    }),
  ),
  display_amount: optional(
    decimal('Visible size, to preview an iceberg (see /orders/iceberg/create), which has no tif'),
  ),
  stop_order: optional(createStopBody.properties.stop_order),
  legs: optional(createOcoBody.properties.legs),
  agent_wallet: optional(
    address(
      'Agent of the account. The preview applies its policy, as if it had signed the ' +
        'order from your IP address',
    ),
  ),
  leverage: optional(
    Type.Integer({ minimum: 1, description: 'Leverage to assume for the market' }),
  ),
})

export const previewReply = Type.Object({
  accepted: Type.Boolean({ description: 'Whether the order would be accepted now' }),
  error: Type.Optional(Type.String({ description: 'Reason why the order would be refused' })),
  code: Type.Optional(Type.Integer({ description: 'Engine code of the refusal' })),
  rejected: Type.Optional(
    Type.String({
      description:
        'Reason why the order would be accepted and then immediately rejected, without any ' +
        'fill',
    }),
  ),
  notional: nullable(
    'Value in USD at the limit price, or at mark for a market order; null for a stop. ' +
      'This and the following values are for the resting order of an OCO, for the first ' +
      'part of an iceberg, and for a chase at the price nearest to its limit at which it ' +
      'would rest now',
  ),
  fee: nullable(
    'Fee in USD if the order fills: taker fee on the part that crosses now, maker fee ' +
      'on the rest',
  ),
  margin: nullable('Margin in USD that the order uses when it is accepted'),
  position_after: nullable('Position after the order has filled; negative is short'),
  liquidation_price: nullable('Liquidation price of that position; null if no price liquidates it'),
  guarded_price: nullable(
    'Price at which that position backs the account: the mark or a worse price (see ' +
      'guarded_price of GET /info/risk)',
  ),
  risk_tier: Type.Union([riskTier, Type.Null()], {
    description: 'Risk tier of position and open orders including this one, in the worst case',
  }),
  max_amount: nullable(
    'Maximum size that would be accepted now; null for a stop, an OCO or an algo',
  ),
})
