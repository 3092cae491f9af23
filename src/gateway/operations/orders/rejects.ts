// Rules that may reject an order, for the documents.

import type { RejectionName } from '../../../core/index.ts'

export const askRejections = [
  'ACCOUNT_NOT_FOUND',
  'AGENT_NOT_ALLOWED',
  'EXPIRED',
  'REPLAYED',
  'TEXT_MEMORY_FULL',
] as const satisfies readonly RejectionName[]

export const marketRejections = [
  ...askRejections,
  'BOOK_NOT_FOUND',
  'UNSUPPORTED_OPERATION',
] as const satisfies readonly RejectionName[]

export const orderRejections = [
  ...marketRejections,
  'TRADING_DISABLED',
  'INVALID_TICK_SIZE',
  'INVALID_TICK_LEVEL',
  'INVALID_AMOUNT',
  'ORDER_AMOUNT_TOO_LOW',
  'ORDER_AMOUNT_TOO_HIGH',
  'PRICE_TOO_FAR_FROM_MARK',
  'DUPLICATE_CLIENT_ORDER_ID',
  'OPEN_ORDER_LIMIT_REACHED',
  'POSITION_TPSL_LIMIT_EXCEEDED',
  'NO_POSITION_FOR_REDUCE_ONLY_ORDER',
  'INVALID_REDUCE_ONLY_ORDER_SIDE',
  'INVALID_REDUCE_ONLY_ORDER_AMOUNT',
  'INVALID_STOP_TICK',
  'INVALID_STOP_ORDER_AMOUNT',
  'INVALID_STOP_ORDER_REDUCE_ONLY',
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'POSITION_LIMIT_EXCEEDED',
  'AGENT_LIMIT',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
  'TOO_MANY_ORDERS_TO_CHECK',
  'BOOK_SIDE_FULL',
] as const satisfies readonly RejectionName[]
