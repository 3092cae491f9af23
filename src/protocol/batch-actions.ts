// Batch actions: their names, the request of each, and the maximum per batch.

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

/** Actions that are also separate requests, and one that is not. */
export type RequestActionType = keyof typeof batchActions
export type BatchActionType = RequestActionType | 'Quote'
export const requestActionTypes = Object.keys(batchActions) as RequestActionType[]
export const batchActionTypes: readonly BatchActionType[] = [...requestActionTypes, 'Quote']

/** Maximum number of actions with one signature for all, and with a signature for each. */
export const batchActionsMax = 50
export const batchActionsEachMax = 10
