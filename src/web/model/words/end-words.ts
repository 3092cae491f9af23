// Explains why an order, a stop or an algo ended. If it was refused when it was triggered, the
// reason is the name of the rule.

import { endReasons } from '../../../protocol/text/end-words.ts'
import { wordsOf } from '../number-text.ts'

const ends: Readonly<Record<string, string>> = { ...endReasons, owner: 'by you' }

/** Texts by the names of the rules. */
const refusals: Readonly<Record<string, string>> = {
  ORDER_AMOUNT_TOO_LOW: 'the order was too small',
  ORDER_AMOUNT_TOO_HIGH: 'the order was too large',
  INSUFFICIENT_BALANCE: 'not enough margin',
  IMMEDIATE_LIQUIDATION: 'the position would have been liquidated immediately',
  OPEN_INTEREST_LIMIT_EXCEEDED: 'open interest limit of the market',
  POSITION_LIMIT_EXCEEDED: 'larger than you may hold in this market',
  PRICE_TOO_FAR_FROM_MARK: 'the price was too far from the mark',
  INVALID_TICK_LEVEL: 'the price was out of range',
  NO_REASONABLE_PRICE: 'no orders to trade with at a fair price',
  NO_POSITION_FOR_REDUCE_ONLY_ORDER: 'no position left to reduce',
  INVALID_REDUCE_ONLY_ORDER_SIDE: 'the order would not have reduced the position',
  INVALID_REDUCE_ONLY_ORDER_AMOUNT: 'more than the position',
  OPEN_ORDER_LIMIT_REACHED: 'too many open orders',
  BOOK_SIDE_FULL: 'the book had no room for another price',
  TRADING_DISABLED: 'the market accepted no orders',
  ORACLE_NOT_AVAILABLE: 'the market had no fresh price',
  AGENT_LIMIT: "beyond the policy of the agent's key",
  AGENT_NOT_ALLOWED: "not allowed for the agent's key",
}

/** A reason as text. Unknown reasons are shown in lower case. */
export function endWords(reason: string): string {
  const refused = /^[A-Z_]+$/.test(reason)
  if (!refused) return ends[reason] ?? wordsOf(reason).toLowerCase()
  return `refused: ${refusals[reason] ?? wordsOf(reason.toLowerCase()).toLowerCase()}`
}
