// Converts a reply received over HTTP to the format of the websocket.

import type { WsName } from '../../protocol/routes.ts'
import type { TradingReplyOf } from '../../protocol/streams/trading-replies.ts'
import type { Fields } from '../requests.ts'

type Placed = Readonly<{ order_id?: number; client_order_id?: string | null }>
type Result = Readonly<{ order_id: number | null; client_order_id: string | null }>

export function tradingReplyOf<N extends WsName>(
  name: N,
  body: Fields,
  reply: unknown,
): TradingReplyOf<N> {
  return dataOf(name, body, reply) as TradingReplyOf<N>
}

function dataOf(name: WsName, body: Fields, reply: unknown): unknown {
  switch (name) {
    case 'cancel_all_orders':
    case 'create_oco_order':
    case 'schedule_cancel':
      return reply
    case 'set_position_tpsl':
      return {}
    case 'batch_orders': {
      const { results } = reply as { results: readonly Result[] }
      return {
        results: results.map((each) => ({ ...each, i: each.order_id, I: each.client_order_id })),
      }
    }
    case 'create_stop_order':
      return orderReply(body, reply as Placed, body.stop_order as Fields)
    default:
      return orderReply(body, name.startsWith('cancel') ? {} : (reply as Placed), body)
  }
}

/** The reply to an edit by order id has no client id, as over HTTP. */
function orderReply({ symbol, order_id }: Fields, placed: Placed, named: Fields) {
  const id = placed.order_id ?? order_id ?? null
  return { i: id, I: placed.client_order_id ?? named.client_order_id ?? null, s: symbol }
}
