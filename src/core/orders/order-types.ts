// Types of orders, each under the name that its row has everywhere: in events, in the view, in
// history and on the wire. What all orders do is in check-order.ts and run-order.ts; a row says in
// what its type differs. A new one goes to the end: events keep the place.

import type { TriggerKindName } from '../triggers/trigger-kinds.ts'

export type OrderType = Readonly<{
  /** What makes it run: it arrives, or a trigger of this kind fires (TRIG-3). */
  trigger: TriggerKindName | null
  /** It has no limit but a worst price, fixed when it runs or begins to wait; so it is IOC, valued
   *  at mark and outside the band, and refused when nothing is there to take (ORDER-1). */
  atMarket: boolean
}>

export const orderTypes = {
  limit: { trigger: null, atMarket: false },
  market: { trigger: null, atMarket: true },
  stop_limit: { trigger: 'stop', atMarket: false },
  stop_market: { trigger: 'stop', atMarket: true },
  take_profit_limit: { trigger: 'take_profit', atMarket: false },
  take_profit_market: { trigger: 'take_profit', atMarket: true },
  stop_loss_limit: { trigger: 'stop_loss', atMarket: false },
  stop_loss_market: { trigger: 'stop_loss', atMarket: true },
} as const satisfies Readonly<Record<string, OrderType>>

export type OrderTypeName = keyof typeof orderTypes

export const orderTypeNames = Object.keys(orderTypes) as readonly OrderTypeName[]

// Places of those that are orders as they arrive.
export const LIMIT = 0
export const MARKET = 1

/** The type of a trigger of this kind, with a limit or without. */
export function stopTypeOf(kind: TriggerKindName, atMarket: boolean): OrderTypeName {
  const isIt = (name: OrderTypeName) =>
    orderTypes[name].trigger === kind && orderTypes[name].atMarket === atMarket
  return orderTypeNames.find(isIt)!
}
