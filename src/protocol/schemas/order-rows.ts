// Orders as they are, as they were, and as they would be.

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
    'Kind of order; take_profit: a level of a position, or a reduce-only stop whose ' +
    'trigger_direction is not that of its side',
})

const orderStatus = Type.Enum([...orderStatuses], {
  description:
    'How far it has come; filled of a stop or level: it fired, and what it traded is in the ' +
    'order whose stop_parent_order_id is its order_id',
})

const identity = {
  order_id: orderId,
  client_order_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Your own id of the order, if it has one',
  }),
  symbol,
  side: side('bid buys, ask sells'),
}

const price = decimal('Limit price; the worst price of a market order; 0 on a stop at the market')

const stopFields = {
  stop_price: nullable('Price at which it fires; null: not a stop, or one that trails'),
  order_type: orderType,
  stop_parent_order_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Order a level is attached to, or stop an order came from',
  }),
  reduce_only: Type.Boolean({ description: 'May only shrink the position' }),
}

/** Only of a stop that follows the mark; the rows of all others do not have it. */
export const trailing = {
  trailing: Type.Optional(
    Type.Object(
      {
        trailing_percent: nullable('How far behind the best mark; null: a distance'),
        trailing_distance: nullable('The same as a distance of prices; null: percent'),
        activation_price: nullable('Activation mark; null: active immediately'),
        extreme_price: nullable(
          'The best mark since it follows; null: it does not yet, or it ended without firing',
        ),
      },
      { description: 'Of a stop that follows the mark; its stop_price is where it would fire now' },
    ),
  ),
}

/** Only of the order of a fired stop. */
export const firing = {
  triggered: Type.Optional(
    Type.Boolean({
      description:
        'True: its reduce-only market stop fired, and it runs again with each new price until ' +
        'its position is closed, at most until expire_time',
    }),
  ),
}

/** Only of a stop or level at the market that says it. */
const slipping = {
  slippage_percent: Type.Optional(
    decimal('How far from mark its order may go, in percent; absent: the default of the market'),
  ),
}

const ending = {
  expire_time: Type.Optional(timeMs('When it ends, if not before; absent: nothing ends it then')),
}

export const protection = {
  mmp: Type.Optional(
    Type.Boolean({ description: 'True: it ends when the protection of its account is tripped' }),
  ),
}

/** Only of a few orders; the rows of all others do not have them. */
export const ties = {
  oco_order_id: Type.Optional(
    Type.Integer({ description: 'The other leg of an OCO: of the two one happens' }),
  ),
  parent_order_id: Type.Optional(
    Type.Integer({
      description: 'Stop that brings the level, or TWAP, chase or iceberg whose order it is',
    }),
  ),
  trigger_direction: Type.Optional(triggerDirection),
}

/** Only of a few stops and levels, and only in the stream of open orders. */
export const watching = {
  trigger_price_type: Type.Optional(triggerPriceType),
  whole_position: Type.Optional(
    Type.Boolean({ description: 'True: it closes the whole position, as large as that is then' }),
  ),
  ...slipping,
}

const amounts = {
  initial_amount: decimal(
    'Size it was placed with; of a stop without one, of the position: now, or as it was then',
  ),
  filled_amount: decimal('Size filled so far; 0 of a stop, which trades nothing itself'),
  cancelled_amount: decimal('Size cancelled so far'),
}

const times = {
  created_at: timeMs('When it was placed'),
  updated_at: timeMs('When it last changed'),
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
  ...times,
})

const averageFilledPrice = nullable('Average price of its fills; null: none yet')

export const orderHistoryRow = Type.Object({
  ...identity,
  initial_price: decimal('Price it was placed with'),
  price,
  amount: decimal('As initial_amount'),
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
    description: 'Why it ended unfilled; null: it did not',
  }),
  ...times,
})

export const orderEventsQuery = Type.Object({
  order_id: optional(orderId),
  account: optional(address('With client_order_id: whose it is')),
  client_order_id: optional(clientOrderId),
})

export const orderEvent = Type.Object({
  history_id: Type.Integer({ description: 'Id of the event; grows' }),
  ...identity,
  price,
  ...amounts,
  average_filled_price: averageFilledPrice,
  event_type: Type.String({ description: 'What happened: make, fulfill_limit, cancel …' }),
  order_status: orderStatus,
  ...stopFields,
  created_at: timeMs('When it happened'),
})

/** A limit order with price and tif, a market order with slippage_percent; and, by one field of
 *  their own, the others with the fields that they are placed with: OCO, stop, iceberg, chase. */
export const previewRequest = Type.Object({
  account: address('Account address'),
  symbol,
  amount: optional(decimal('Size, a multiple of lot_size; a stop and legs have their own')),
  side: optional(side('bid buys, ask sells; legs have their own')),
  price: optional(decimal('Limit price; with tif')),
  tif: optional(tif),
  slippage_percent: optional(decimal('Of a market order: how far from mark it may go')),
  reduce_only: optional(Type.Boolean({ description: 'May only shrink the position' })),
  client_order_id: optional(clientOrderId),
  ...attached,
  expire_time: optional(expireTime),
  ...optionFields,
  chase: optional(
    Type.Boolean({ description: 'True: a chase (/orders/chase/create), which has no tif' }),
  ),
  display_amount: optional(
    decimal('Of an iceberg (/orders/iceberg/create), which has no tif: the part that is shown'),
  ),
  stop_order: optional(createStopBody.properties.stop_order),
  legs: optional(createOcoBody.properties.legs),
  agent_wallet: optional(
    address('As if this agent of the account had signed it, from where you ask: with its policy'),
  ),
  leverage: optional(
    Type.Integer({ minimum: 1, description: 'As if this leverage were set in the market first' }),
  ),
})

export const previewReply = Type.Object({
  accepted: Type.Boolean({ description: 'Whether the order would be accepted now' }),
  error: Type.Optional(Type.String({ description: 'Why not' })),
  code: Type.Optional(Type.Integer({ description: 'Engine code of the refusal' })),
  rejected: Type.Optional(
    Type.String({
      description:
        'Why the order would be accepted and then immediately rejected, without any fill',
    }),
  ),
  notional: nullable(
    'USD value: at the limit, a market order’s at mark. This and what follows is of the order ' +
      'that rests of an OCO, of an iceberg’s first part, of a chase at its bound, or as near to ' +
      'it as it would rest now; null: a stop',
  ),
  fee: nullable('USD if it fills: taker fee on what crosses now, maker fee on the rest'),
  margin: nullable('USD of margin it binds on arrival'),
  position_after: nullable('Position when it has filled; negative is short'),
  liquidation_price: nullable('Of that position; null: no price liquidates it'),
  guarded_price: nullable(
    'Price at which that position backs the account: the mark, or a worse one; see guarded_price ' +
      'of GET /info/risk',
  ),
  risk_tier: Type.Union([riskTier, Type.Null()], {
    description: 'Of position and open orders with this one, whichever way they fill',
  }),
  max_amount: nullable('Largest size that would be accepted now; null unless it is an order'),
})
