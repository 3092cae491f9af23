// What would have been accepted in place of a refused order: asked only once it was refused, on the
// exchange as it is then.

import type {
  Command,
  EditOrder,
  ExchangeView,
  OrderWish,
  RejectionName,
} from '../../core/index.ts'
import { ratioCeil } from '../../units/wide.ts'
import type { Acceptable, Numbers } from '../refusal-text.ts'

/** Refusals that a smaller size may cure. */
const tooLarge: ReadonlySet<RejectionName> = new Set<RejectionName>([
  'ORDER_AMOUNT_TOO_HIGH',
  'OPEN_INTEREST_LIMIT_EXCEEDED',
  'POSITION_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'IMMEDIATE_LIQUIDATION',
  'TOO_MANY_ORDERS_TO_CHECK',
])

/** Null: nothing is known to be nearest. `leverage`: as if that were set; 0: the one in force. */
export function acceptableOf(
  view: ExchangeView,
  command: Command,
  name: RejectionName,
  [value, bound]: Numbers,
  leverage = 0,
): Acceptable | null {
  if (!isOrder(command)) return null
  // The value of an order is its size times a whole number.
  if (name === 'ORDER_AMOUNT_TOO_LOW') return { least: ratioCeil([bound, command.size], [value]) }
  if (command.type === 'EditOrder')
    return tooLarge.has(name) ? { most: view.orders.largestEdit(command) } : null
  if (tooLarge.has(name)) return { most: view.orders.preview(command, leverage).most }
  if (name !== 'NO_REASONABLE_PRICE') return null
  const opposite = command.side === 'bid' ? 'ask' : 'bid'
  return { best: view.books.bestPrice(command.market, opposite) }
}

function isOrder(command: Command): command is OrderWish | EditOrder {
  return (
    command.type === 'PlaceOrder' ||
    command.type === 'PlaceMarketOrder' ||
    command.type === 'EditOrder'
  )
}
