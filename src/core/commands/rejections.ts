// Every rejection, **in order of precedence**: when several apply, the first in this table is
// returned (CORE-4). A rejection is a value: its code and the numbers that explain it, in the order
// named here. Codes below 1000 are the public engine codes; the edge translates codes from 1000 on.
// Never reuse or renumber a code.

export const rejections = {
  ACCOUNT_NOT_FOUND: { code: 1, numbers: ['account'] },
  AGENT_NOT_ALLOWED: { code: 1001, numbers: ['cause'] },
  EXPIRED: { code: 1028, numbers: ['expires', 'mark'] },
  REPLAYED: { code: 1002, numbers: [] },
  TEXT_MEMORY_FULL: { code: 1003, numbers: ['max', 'until'] },
  NOT_MAIN_ACCOUNT: { code: 40, numbers: [] },
  BOOK_NOT_FOUND: { code: 3, numbers: ['market'] },
  UNSUPPORTED_OPERATION: { code: 51, numbers: [] },
  TRADING_DISABLED: { code: 38, numbers: [] },
  INVALID_TICK_SIZE: { code: 52, numbers: ['price'] },
  INVALID_TICK_LEVEL: { code: 4, numbers: ['price', 'min', 'max'] },
  INVALID_AMOUNT: { code: 59, numbers: ['amount'] },
  INVALID_ORDER_TYPE: { code: 20, numbers: [] },
  INVALID_TIME: { code: 1010, numbers: ['time', 'min', 'max'] },
  ORACLE_NOT_AVAILABLE: { code: 119, numbers: ['age'] },
  MMP_FROZEN: { code: 1026, numbers: ['until'] },
  ORDER_NOT_FOUND: { code: 6, numbers: ['order'] },
  POSITION_NOT_FOUND: { code: 13, numbers: [] },
  ORDER_AMOUNT_TOO_LOW: { code: 7, numbers: ['value', 'min'] },
  ORDER_AMOUNT_TOO_HIGH: { code: 8, numbers: ['value', 'max'] },
  PRICE_TOO_FAR_FROM_MARK: { code: 30, numbers: ['price', 'min', 'max'] },
  DUPLICATE_CLIENT_ORDER_ID: { code: 36, numbers: [] },
  OPEN_ORDER_LIMIT_REACHED: { code: 10, numbers: ['open', 'max'] },
  POSITION_TPSL_LIMIT_EXCEEDED: { code: 49, numbers: ['count', 'max'] },
  NO_POSITION_FOR_REDUCE_ONLY_ORDER: { code: 23, numbers: [] },
  INVALID_REDUCE_ONLY_ORDER_SIDE: { code: 21, numbers: [] },
  INVALID_REDUCE_ONLY_ORDER_AMOUNT: { code: 22, numbers: ['amount', 'max'] },
  INVALID_STOP_TICK: { code: 16, numbers: ['stop', 'price'] },
  INVALID_STOP_ORDER_SIDE: { code: 17, numbers: [] },
  INVALID_STOP_ORDER_AMOUNT: { code: 18, numbers: ['amount', 'max'] },
  INVALID_STOP_ORDER_REDUCE_ONLY: { code: 19, numbers: [] },
  WOULD_TAKE: { code: 1027, numbers: ['price', 'best'] },
  NO_REASONABLE_PRICE: { code: 25, numbers: ['worst'] },
  OPEN_INTEREST_LIMIT_EXCEEDED: { code: 41, numbers: ['open', 'max'] },
  POSITION_LIMIT_EXCEEDED: { code: 1019, numbers: ['open', 'max'] },
  AGENT_LIMIT: { code: 1025, numbers: ['rule', 'value', 'max'] },
  INSUFFICIENT_BALANCE: { code: 5, numbers: ['required', 'available'] },
  IMMEDIATE_LIQUIDATION: { code: 28, numbers: ['equity', 'maintenance'] },
  TOO_MANY_ORDERS_TO_CHECK: { code: 1018, numbers: ['looked', 'found', 'size'] },
  BOOK_SIDE_FULL: { code: 1015, numbers: ['max'] },
  INVALID_LEVERAGE: { code: 11, numbers: ['leverage', 'min', 'max'] },
  CANNOT_UPDATE_MARGIN: { code: 12, numbers: [] },
  TWAP_CLIENT_ORDER_ID_IN_USE: { code: 43, numbers: [] },
  TWAP_SUB_ORDER_AMOUNT: { code: 45, numbers: ['value', 'min'] },
  TWAP_DURATION: { code: 46, numbers: ['seconds', 'min', 'max'] },
  TWAP_NOT_FOUND: { code: 47, numbers: ['order'] },
  TWAP_LIMIT_REACHED: { code: 48, numbers: ['max'] },
  WITHDRAWAL_BLOCKED: { code: 32, numbers: [] },
  SUBACCOUNT_WITHDRAWAL_NOT_ALLOWED: { code: 34, numbers: [] },
  WITHDRAW_AMOUNT_TOO_LOW: { code: 29, numbers: ['amount', 'min'] },
  DAILY_WITHDRAW_LIMIT_EXCEEDED: { code: 31, numbers: ['amount', 'left'] },
  OVER_WITHDRAWAL: { code: 9, numbers: ['amount', 'available'] },
  INVALID_TRANSFER_RELATIONSHIP: { code: 33, numbers: [] },
  SUBACCOUNT_CANNOT_CREATE_SUBACCOUNT: { code: 35, numbers: [] },
  ACCOUNT_ALREADY_EXISTS: { code: 2, numbers: ['account'] },
  LIMIT_REACHED: { code: 1004, numbers: ['max'] },
  AGENT_NOT_FOUND: { code: 1005, numbers: [] },
  API_KEY_NOT_FOUND: { code: 1006, numbers: [] },
  API_KEY_EXISTS: { code: 1007, numbers: [] },
  WITHDRAWAL_NOT_FOUND: { code: 1008, numbers: ['withdrawal'] },
  WITHDRAWAL_NOT_APPROVED: { code: 1021, numbers: ['withdrawal', 'approvals', 'needed'] },
  WITHDRAWAL_ALREADY_APPROVED: { code: 1022, numbers: ['withdrawal', 'needed'] },
  WITHDRAWAL_APPROVER_REPEATED: { code: 1023, numbers: ['withdrawal', 'approvals', 'needed'] },
  VENUE_WITHDRAW_LIMIT_EXCEEDED: { code: 1024, numbers: ['amount', 'left'] },
  CHANGE_NOT_FOUND: { code: 1020, numbers: ['change'] },
  DEPOSIT_CONFLICT: { code: 1016, numbers: ['account', 'amount'] },
  DEPOSIT_REFERENCE_USED: { code: 1009, numbers: [] },
  CREDIT_NOT_FOUND: { code: 1029, numbers: ['credit'] },
  CREDIT_APPROVER_REPEATED: { code: 1030, numbers: ['credit'] },
  CREDIT_WAITS: { code: 1031, numbers: ['credit'] },
  NOT_ARMED: { code: 1017, numbers: [] },
  INVALID_PARAMETER: { code: 1011, numbers: ['value'] },
  MARKET_EXISTS: { code: 1012, numbers: ['market'] },
  INVALID_PRICE: { code: 1013, numbers: ['price'] },
  FUND_TOO_SMALL: { code: 1014, numbers: ['amount', 'available'] },
} as const

export type RejectionName = keyof typeof rejections

/** A rejection with up to three numbers, named by the table above. `of` is only for previews; no
 *  rule or event uses it. It says whether the close or the margin of an isolated position is too
 *  small. */
export type Rejection = Readonly<{
  name: RejectionName
  numbers: readonly number[]
  of?: 'close' | 'wallet'
}>

export function refuse(name: RejectionName, ...numbers: readonly number[]): Rejection {
  return { name, numbers }
}

export function amountRefusal(amount: number, most: number): Rejection | null {
  if (Number.isSafeInteger(amount) && amount >= 1 && amount <= most) return null
  return refuse('INVALID_AMOUNT', Number.isSafeInteger(amount) ? amount : 0)
}
