// Orders as they arrive, and the types of orders that a trigger makes.

import { type OrderTypeName, orderTypeNames, orderTypes } from '../../words/order-words.ts'
import type { TriggerKindName } from '../state/trigger-kinds.ts'

// Places of those that are orders as they arrive.
export const LIMIT = 0
export const MARKET = 1

/** The type of a trigger of this kind, with a limit or without. */
export function stopTypeOf(kind: TriggerKindName, atMarket: boolean): OrderTypeName {
  const isIt = (name: OrderTypeName) =>
    orderTypes[name].trigger === kind && orderTypes[name].atMarket === atMarket
  return orderTypeNames.find(isIt)!
}
