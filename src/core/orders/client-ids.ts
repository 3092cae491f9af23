// Client order ids: unique among the live orders, stops and levels of an account.

import type { State } from '../state.ts'

/** The order id behind a client id of the account, or 0. */
export function findClientId(state: State, account: number, text: string): number {
  return state.accounts.records[account]!.clientIds?.get(text) ?? 0
}

export function rememberClientId(state: State, account: number, id: number, text: string): void {
  const record = state.accounts.records[account]!
  record.clientIds ??= new Map()
  record.clientIds.set(text, id)
  state.clientIds.set(id, text)
}

export function forgetClientId(state: State, account: number, id: number): void {
  const text = state.clientIds.get(id)!
  state.clientIds.delete(id)
  state.accounts.records[account]!.clientIds!.delete(text)
}
