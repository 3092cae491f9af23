// What the actions of a batch are called, the request that each of them is, and how many there are.

import type { SignedName } from './routes.ts'

export const batchActions = {
  Create: 'create_order',
  CreateMarket: 'create_market_order',
  Cancel: 'cancel_order',
  Edit: 'edit_order',
  SetPositionTpsl: 'set_position_tpsl',
  CancelStopOrder: 'cancel_stop_order',
  CreateStop: 'create_stop_order',
  CancelAll: 'cancel_all_orders',
} as const satisfies Readonly<Record<string, SignedName>>

/** Those that are requests of their own, and one that is not. */
export type RequestActionType = keyof typeof batchActions
export type BatchActionType = RequestActionType | 'Quote'
export const requestActionTypes = Object.keys(batchActions) as RequestActionType[]
export const batchActionTypes: readonly BatchActionType[] = [...requestActionTypes, 'Quote']

/** Under one signature, and where each has its own. */
export const batchActionsMax = 50
export const batchActionsEachMax = 10
