// Finds the order that replaced an edited order. The new order has the client id of the old one. An
// order without a client id is recognised by the requested values, if no other order matches them.

import type { Fields } from '../requests.ts'
import { type Found, type Lookup, type OrderRow, orderOf, pageMax } from './lookup.ts'

export async function editedOrder(lookup: Lookup, body: Fields): Promise<Found> {
  const found = await orderOf(lookup, body)
  if (found === null) return 'nothing'
  const { rows } = await lookup.read('get_order_history', {
    account: body.account,
    limit: pageMax,
  })
  const old = oldOf(rows, body.order_id ?? null, found.client_order_id)
  if (old === undefined) return 'unknown'
  const candidates = rows.filter(
    (row) => row.order_id > old.order_id && matchesRequest(row, old, body),
  )
  const fits = (row: OrderRow) =>
    old.reason === 'replaced' ? isNext(row, old) : row.reason === 'post_only_rejected'
  const made = candidates.filter(
    (row) => fits(row) && !lookup.known.has('edit_order', body, row.order_id),
  )
  if (made.length === 0) return 'nothing'
  return made.length === 1 ? { reply: { order_id: made[0]!.order_id } } : 'unknown'
}

/** Returns the order that was to be edited. If only its client id is known, this is the last
 *  replaced order with that client id, or else the newest order that has it. */
function oldOf(rows: readonly OrderRow[], id: unknown, clientId: string | null) {
  if (id !== null) return rows.find(({ order_id }) => order_id === id)
  const chain = rows.filter(({ client_order_id }) => client_order_id === clientId)
  return chain.find(({ reason }) => reason === 'replaced') ?? chain[0]
}

function matchesRequest(row: OrderRow, old: OrderRow, { price, amount }: Fields): boolean {
  return (
    row.symbol === old.symbol &&
    row.side === old.side &&
    plain(row.initial_price) === plain(price) &&
    plain(row.amount) === plain(amount)
  )
}

/** Whether the command that ended `old` created this row. */
function isNext(row: OrderRow, old: OrderRow): boolean {
  return (
    row.reason !== 'post_only_rejected' &&
    row.client_order_id === old.client_order_id &&
    row.created_at === old.updated_at
  )
}

/** A decimal without redundant zeros, as the exchange writes it. */
function plain(decimal: unknown): string {
  const text = String(decimal).replace(/^0+(?=\d)/, '')
  return text.includes('.') ? text.replace(/\.?0*$/, '') : text
}
