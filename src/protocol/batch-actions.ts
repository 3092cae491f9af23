// What the actions of a batch are called, and the request that each of them is signed as.

import type { SignedName } from './routes.ts'

export const batchActions = {
  Create: 'create_order',
  CreateMarket: 'create_market_order',
  Cancel: 'cancel_order',
  Edit: 'edit_order',
  SetPositionTpsl: 'set_position_tpsl',
  CancelStopOrder: 'cancel_stop_order',
} as const satisfies Readonly<Record<string, SignedName>>

export type BatchActionType = keyof typeof batchActions
export const batchActionTypes = Object.keys(batchActions) as BatchActionType[]
