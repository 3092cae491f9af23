// Client order ids: unique among the open orders, stops and levels of an account. A client id is a
// UUID, so its case does not matter (ORDER-8). It is published as it was sent.

import { broken } from '../../units/invariant.ts'
import type { State } from '../state/state.ts'

/** Returns the same key for all spellings of one id. Only ASCII letters are folded, because the
 *  case mapping of other characters may differ between versions of Unicode. */
export function clientIdKey(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

/** Whether two of the ids are the same. `null` entries are ignored. */
export function repeatsClientId(texts: readonly (string | null)[]): boolean {
  const keys = texts.filter((text) => text !== null).map(clientIdKey)
  return new Set(keys).size !== keys.length
}

/** Returns the order with this client id, or 0. */
export function findClientId(state: State, account: number, text: string): number {
  return state.accounts.records[account]!.clientIds?.get(clientIdKey(text)) ?? 0
}

export function rememberClientId(state: State, account: number, id: number, text: string): void {
  const record = state.accounts.records[account]!
  record.clientIds ??= new Map()
  const key = clientIdKey(text)
  const named = record.clientIds.get(key)
  if (named !== undefined) broken('a client id names another order already', named)
  record.clientIds.set(key, id)
  state.clientIds.set(id, text)
}

export function forgetClientId(state: State, account: number, id: number): void {
  const text = state.clientIds.get(id) ?? broken('an order has no client id', id)
  state.clientIds.delete(id)
  const clientIds = state.accounts.records[account]!.clientIds!
  if (clientIds.get(clientIdKey(text)) !== id) broken('a client id does not name its order', id)
  clientIds.delete(clientIdKey(text))
}
