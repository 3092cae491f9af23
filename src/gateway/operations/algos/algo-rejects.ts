// Rules that may reject an algo with resting orders, for the documents.

import type { RejectionName } from '../../../core/index.ts'
import { marketRejections } from '../orders/rejects.ts'

export const algoRejections = [
  ...marketRejections,
  'TRADING_DISABLED',
  'INVALID_TICK_SIZE',
  'INVALID_TICK_LEVEL',
  'INVALID_AMOUNT',
  'INVALID_TIME',
  'ORDER_AMOUNT_TOO_LOW',
  'ORDER_AMOUNT_TOO_HIGH',
  'PRICE_TOO_FAR_FROM_MARK',
  'DUPLICATE_CLIENT_ORDER_ID',
  'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
  'INVALID_REDUCE_ONLY_ORDER_SIDE',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'AGENT_LIMIT',
  'LIMIT_REACHED',
] as const satisfies readonly RejectionName[]
