// Messages of the websocket outside of channels: acknowledgements, errors, and replies to trading
// requests in the short format of this transport.

import type { ReplyOf, RequestOf } from '../../protocol/route-schemas.ts'
import type { WsName } from '../../protocol/routes.ts'
import type { OrderReply, TradingReplyOf } from '../../protocol/streams/trading-replies.ts'
import type { ApiError } from '../api-error.ts'
import type { Exchange } from '../exchange.ts'
import type { CreditsLeft } from '../intake/door.ts'
import type { Params } from './subscribe-request.ts'

export type RequestId = string | number

const withId = (id: RequestId | null) => (id === null ? {} : { id })

/** The code is nested, so that no client takes the frame for the reply to a request. */
export function errorFrame(error: ApiError, params: unknown, id: RequestId | null) {
  const { message, code } = error
  return { channel: 'error', ...withId(id), data: { error: message, code, params } }
}

export type Acknowledged = 'subscribe' | 'unsubscribe'

/** `resumed`: `null` if it was not requested. */
type Place = Readonly<{ li: number; resumed: boolean | null; id: RequestId | null }>

/** Acknowledges a subscription. The params occur twice, because existing clients look for them in
 *  `data.data`. Everything after `li` will be published. */
export function acknowledgement(channel: Acknowledged, params: Params, { li, resumed, id }: Place) {
  const more = resumed === null ? {} : { resumed }
  return { channel, ...withId(id), data: { ...params, ...more, data: params }, li }
}

type Replied = Readonly<{ id: RequestId; type: string; t: number; rl: CreditsLeft | null }>

export function reply({ id, type, t, rl }: Replied, data: unknown) {
  return { id, type, code: 200, data, t, rl }
}

/** A rejection with the engine's code, regardless of the HTTP status. Existing clients show only
 *  `data` of a rejection. */
export function refusal({ id, type, t, rl }: Replied, error: ApiError) {
  const { message, engineCode, status, seq } = error
  const code = engineCode === 0 ? status : engineCode
  const entry = seq === null ? {} : { seq }
  return { id, type, code, err: message, error: message, data: { error: message }, t, rl, ...entry }
}

type Answered<N extends WsName> = Readonly<{
  exchange: Exchange
  body: RequestOf<N>
  /** The reply of REST. */
  answer: ReplyOf<N>
}>

type Named = Readonly<{ order_id?: number | null; client_order_id?: string | null }>

const orderReply = ({ symbol }: Readonly<{ symbol: string }>, named: Named): OrderReply => ({
  i: named.order_id ?? null,
  I: named.client_order_id ?? null,
  s: symbol,
})

/** Makes the `data` of each operation's reply. */
export const dataOf: { readonly [N in WsName]: (answered: Answered<N>) => TradingReplyOf<N> } = {
  create_order: ({ body, answer }) => orderReply(body, answer),
  create_market_order: ({ body, answer }) => orderReply(body, answer),
  edit_order: ({ exchange, body, answer: { order_id } }) => {
    const client_order_id = body.client_order_id ?? exchange.view.orders.clientIdOf(order_id)
    return orderReply(body, { order_id, client_order_id })
  },
  create_stop_order: ({ body, answer: { order_id } }) => {
    const { client_order_id = null } = body.stop_order
    return orderReply(body, { order_id, client_order_id })
  },
  create_chase_order: ({ body, answer }) => orderReply(body, { ...body, ...answer }),
  create_iceberg_order: ({ body, answer }) => orderReply(body, { ...body, ...answer }),
  create_oco_order: ({ answer }) => answer,
  cancel_order: ({ body }) => orderReply(body, body),
  cancel_stop_order: ({ body }) => orderReply(body, body),
  cancel_all_orders: ({ answer }) => answer,
  schedule_cancel: ({ answer }) => answer,
  set_position_tpsl: () => ({}),
  set_mmp: () => ({}),
  reset_mmp: () => ({}),
  batch_orders: ({ answer: { results } }) => ({
    results: results.map((each) => ({ ...each, i: each.order_id, I: each.client_order_id })),
  }),
}
