// Replies to trading requests over the websocket, in its short format.

import type { ReplyOf } from '../route-schemas.ts'
import type { WsName } from '../routes.ts'

export type OrderReply = Readonly<{
  /** Order id; `null` if the request named the order by client id only. */
  i: number | null
  /** Client id. */
  I: string | null
  /** Symbol. */
  s: string
}>

type BatchResult = ReplyOf<'batch_orders'>['results'][number] & Pick<OrderReply, 'i' | 'I'>

type Replies = Readonly<{
  create_order: OrderReply
  create_market_order: OrderReply
  edit_order: OrderReply
  create_stop_order: OrderReply
  create_chase_order: OrderReply
  create_iceberg_order: OrderReply
  create_oco_order: ReplyOf<'create_oco_order'>
  cancel_order: OrderReply
  cancel_stop_order: OrderReply
  cancel_all_orders: ReplyOf<'cancel_all_orders'>
  schedule_cancel: ReplyOf<'schedule_cancel'>
  set_position_tpsl: Readonly<Record<string, never>>
  set_mmp: Readonly<Record<string, never>>
  reset_mmp: Readonly<Record<string, never>>
  batch_orders: Readonly<{ results: readonly BatchResult[] }>
}>

export type TradingReplyOf<N extends WsName> = Replies[N]
