// The types of incoming orders and of orders that a trigger places.

import { type OrderTypeName, orderTypeNames, orderTypes } from '../../words/order-words.ts'
import type { TriggerKindName } from '../state/trigger-kinds.ts'

// Indexes of the types that incoming orders have.
export const LIMIT = 0
export const MARKET = 1

/** Returns the type of a trigger of this kind, at market or with a limit. */
export function stopTypeOf(kind: TriggerKindName, atMarket: boolean): OrderTypeName {
  const isIt = (name: OrderTypeName) =>
    orderTypes[name].trigger === kind && orderTypes[name].atMarket === atMarket
  return orderTypeNames.find(isIt)!
}
