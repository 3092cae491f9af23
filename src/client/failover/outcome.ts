// Finds the outcome of a signed request whose reply was lost. Rebuilds the reply from the orders
// that the exchange returns, which are found by their client id.

import { batchActions } from '../../protocol/batch-actions.ts'
import type { ReplyOf } from '../../protocol/route-schemas.ts'
import type { RouteName } from '../../protocol/routes.ts'
import type { BatchAction } from '../methods.ts'
import type { Fields } from '../requests.ts'
import { editedOrder } from './edited.ts'
import {
  type Finder,
  type Found,
  type Lookup,
  type OrderEvent,
  orderOf,
  orNone,
  pageMax,
} from './lookup.ts'
import { legIdsIn, orderIdIn } from './order-ids.ts'

const finders: Readonly<Partial<Record<RouteName, Finder>>> = {
  create_order: placed('create_order', placedReply),
  create_market_order: placed('create_market_order', placedReply),
  create_stop_order: placed('create_stop_order', ({ order_id }) => ({ order_id })),
  create_twap_order: placedTwap,
  create_chase_order: placedAlgo('create_chase_order'),
  create_iceberg_order: placedAlgo('create_iceberg_order'),
  create_oco_order: placedPair,
  edit_order: editedOrder,
  cancel_order: cancelled({ success: true }),
  cancel_stop_order: cancelled(null),
  cancel_twap_order: cancelledTwap,
  batch_orders: batch,
  update_leverage: setting(({ leverage }, body) => leverage === body.leverage),
  update_margin_mode: setting(({ isolated }, body) => isolated === body.is_isolated),
}

export async function outcomeOf(lookup: Lookup, name: RouteName, body: Fields): Promise<Found> {
  return (await finders[name]?.(lookup, body)) ?? 'unknown'
}

/** The error of an order that was refused, if the reply with the reason was lost. */
export const lostRefusal =
  'REFUSED: the exchange refused this; the answer that said why was lost on the way'

function placedReply({ order_id, client_order_id, order_status }: OrderEvent) {
  return { order_id, client_order_id, order_status }
}

function placed(name: RouteName, replyOf: (order: OrderEvent) => unknown): Finder {
  return async (lookup, body) => {
    const clientId = orderIdIn(name, body)
    if (clientId === null) return 'unknown'
    const order = await orderOf(lookup, { account: body.account, client_order_id: clientId })
    if (order === null || lookup.known.has(name, body, order.order_id)) return 'nothing'
    return { reply: replyOf(order) }
  }
}

/** The exchange places both legs or neither. */
async function placedPair(lookup: Lookup, body: Fields): Promise<Found> {
  const { account } = body
  const order_ids: number[] = []
  for (const client_order_id of legIdsIn(body)) {
    if (client_order_id === null) return 'unknown'
    const order = await orderOf(lookup, { account, client_order_id })
    if (order === null) return 'nothing'
    order_ids.push(order.order_id)
  }
  const [first] = order_ids
  if (first === undefined || lookup.known.has('create_oco_order', body, first)) return 'nothing'
  return { reply: { order_ids } }
}

function cancelled(reply: unknown): Finder {
  return async (lookup, body) => {
    const order = await orderOf(lookup, body)
    if (order?.order_status === 'cancelled' && order.event_type === 'cancel') return { reply }
    // A chase or an iceberg is cancelled with the same request as an order.
    const algo = await algoOf(lookup, body)
    return algo?.reason === 'owner' ? { reply } : 'nothing'
  }
}

async function algoOf({ read }: Lookup, { account, order_id, client_order_id }: Fields) {
  const { rows } = await read('get_algo_history', { account, limit: pageMax })
  return rows.find((row) =>
    order_id == null ? row.client_order_id === client_order_id : row.order_id === order_id,
  )
}

async function placedTwap(lookup: Lookup, body: Fields): Promise<Found> {
  const name = 'create_twap_order'
  const clientId = orderIdIn(name, body)
  if (clientId === null) return 'unknown'
  const twap = await twapOf(lookup, { account: body.account, client_order_id: clientId })
  if (twap === undefined || lookup.known.has(name, body, twap.order_id)) return 'nothing'
  return { reply: { order_id: twap.order_id } }
}

function placedAlgo(name: RouteName): Finder {
  return async (lookup, body) => {
    const clientId = orderIdIn(name, body)
    if (clientId === null) return 'unknown'
    const algo = await algoOf(lookup, { account: body.account, client_order_id: clientId })
    if (algo === undefined || lookup.known.has(name, body, algo.order_id)) return 'nothing'
    return { reply: { order_id: algo.order_id } }
  }
}

async function cancelledTwap(lookup: Lookup, body: Fields): Promise<Found> {
  const twap = await twapOf(lookup, body)
  const byOwner = twap?.order_status === 'cancelled' && twap.event_type === 'cancel'
  return byOwner ? { reply: null } : 'nothing'
}

async function twapOf({ read }: Lookup, { account, order_id, client_order_id }: Fields) {
  if (order_id != null) return (await orNone(read('get_twap_events', { order_id })))?.[0]
  const { rows } = await read('get_twap_history', { account, limit: pageMax })
  return rows.find((row) => row.client_order_id === client_order_id)
}

type Setting = ReplyOf<'get_account_settings'>[number]

/** If the setting has the requested value, the request was executed. Otherwise the outcome is
 *  unknown, because a later request may have changed the setting again. */
function setting(isSet: (setting: Setting, body: Fields) => boolean): Finder {
  return async ({ read }, body) => {
    const settings = await read('get_account_settings', { account: body.account })
    const found = settings.find(({ symbol }) => symbol === body.symbol)
    return found !== undefined && isSet(found, body) ? { reply: null } : 'unknown'
  }
}

/** The exchange executed the actions together; each is looked up separately. */
async function batch(lookup: Lookup, { actions, account, timestamp }: Fields): Promise<Found> {
  const results: unknown[] = []
  for (const { type, data } of actions as readonly BatchAction[]) {
    const body: Fields = { account, timestamp, ...(data as Fields) }
    // The state of a quote does not show which request set it.
    if (type === 'Quote') return 'unknown'
    const found = await outcomeOf(lookup, batchActions[type], body)
    if (found === 'unknown') return 'unknown'
    results.push(await resultOf(lookup, body, found))
  }
  return { reply: { results } }
}

async function resultOf(lookup: Lookup, body: Fields, found: Exclude<Found, 'unknown'>) {
  const common = { client_order_id: body.client_order_id ?? null, symbol: body.symbol }
  if (found === 'nothing') return { success: false, order_id: null, ...common, error: lostRefusal }
  const { order_id } = (found.reply ?? {}) as { order_id?: number }
  // The reply to a cancel does not contain the order id.
  const order = order_id ?? body.order_id ?? (await orderOf(lookup, body))?.order_id ?? null
  return { success: true, order_id: order, ...common, error: null }
}
