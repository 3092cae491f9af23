// Gives every order of a client with several addresses a client id, so that the order can be found
// if the reply is lost.

import type { Fields } from '../requests.ts'

/** Where a request has the client id of its order. Requests that are not listed create no order. */
const idPaths: Readonly<Record<string, 'order' | 'stop' | 'legs'>> = {
  create_order: 'order',
  create_market_order: 'order',
  create_twap_order: 'order',
  create_chase_order: 'order',
  create_iceberg_order: 'order',
  create_stop_order: 'stop',
  create_oco_order: 'legs',
}

export function withOrderId(name: string, fields: Fields): Fields {
  const path = idPaths[name]
  if (path === 'legs') return { ...fields, legs: legsOf(fields).map(withOwnId) }
  if (path === undefined || orderIdIn(name, fields) !== null) return fields
  const client_order_id = newOrderId()
  if (path === 'order') return { ...fields, client_order_id }
  return { ...fields, stop_order: { ...(fields.stop_order as Fields), client_order_id } }
}

/** The client id of the order that a request creates (for an OCO, of its first leg); `null` if
 *  there is none. */
export function orderIdIn(name: string, fields: Fields): string | null {
  const path = idPaths[name]
  if (path === undefined) return null
  if (path === 'legs') return idOf(legsOf(fields)[0])
  return idOf(path === 'order' ? fields : (fields.stop_order as Fields | undefined))
}

/** The client ids of both legs of an OCO. */
export function legIdsIn(fields: Fields): readonly (string | null)[] {
  return legsOf(fields).map(idOf)
}

function legsOf({ legs }: Fields): readonly Fields[] {
  return Array.isArray(legs) ? (legs as readonly Fields[]) : []
}

function withOwnId(leg: Fields): Fields {
  return idOf(leg) === null ? { ...leg, client_order_id: newOrderId() } : leg
}

function idOf(owner: Fields | undefined): string | null {
  const id = owner?.client_order_id
  return typeof id === 'string' ? id : null
}

/** A random UUID. Browsers lack `crypto.randomUUID` on pages without TLS. */
function newOrderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
