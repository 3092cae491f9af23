// Explains why an order ended because of another order, whose event precedes it in the same
// command.

import { type Event, type EventOf, rejections } from '../../../core/index.ts'
import { endReasons } from '../../../protocol/text/end-words.ts'
import type { MarketWords } from '../explanation.ts'
import type { Found } from '../past.ts'

export type Ended = EventOf<'OrderCancelled'>

export function rejectionOf(code: number): string {
  const named = Object.entries(rejections).find(([, rejection]) => rejection.code === code)
  return named?.[0] ?? 'none'
}

export function whyRefused({ rejection }: Ended): string {
  const name = rejectionOf(rejection)
  if (name !== 'ORACLE_NOT_AVAILABLE') return `refused on release: ${name}`
  return `refused: ${name}, no price observed after its arrival was received in time`
}

const cancels: Readonly<Partial<Record<string, string>>> = {
  Batch: 'batch_orders',
  CancelAllOrders: 'cancel_all_orders',
  CancelOrder: 'cancel_order',
  CancelStop: 'cancel_stop_order',
  CancelTwap: 'cancel_twap_order',
}

/** A reason in words. `found`: the event, whose command is named if the owner has sent it. */
export function reasonText(reason: string, found: Pick<Found, 'entry'> | null = null): string {
  if (reason !== 'owner') return endReasons[reason] ?? reason
  const operation = found?.entry.kind === 'command' ? cancels[found.entry.command.type] : undefined
  return `cancelled by its owner${operation === undefined ? '' : ` (${operation})`}`
}

const legEnds: Readonly<Partial<Record<Ended['reason'], string>>> = {
  owner: 'was cancelled',
  expired: 'expired',
  reduce_only: 'had nothing left to reduce',
}

/** Event of the other leg that ended this one (TRIG-14). */
export function whyOtherLeg(
  { events, at }: Found,
  others: ReadonlySet<number>,
  words: MarketWords,
): string {
  const cause = events.slice(0, at).findLast((event) => ordersOf(event).some((o) => others.has(o)))
  switch (cause?.type) {
    case 'StopTriggered':
      return `the other leg ${cause.order} fired at ${words.price(cause.price)}`
    case 'OrderCancelled': {
      const how = legEnds[cause.reason] ?? `ended: ${reasonText(cause.reason)}`
      return `the other leg ${cause.order} ${how}`
    }
    case 'Traded':
      return `the other leg ${ordersOf(cause).find((order) => others.has(order))} was filled`
    default:
      return 'the other leg ended'
  }
}

/** Orders in an event that may end or reduce the other leg. */
function ordersOf(event: Event): readonly number[] {
  switch (event.type) {
    case 'StopTriggered':
    case 'OrderCancelled':
      return [event.order]
    case 'Traded':
      return [event.makerOrder, event.takerOrder]
    default:
      return []
  }
}

/** Describes what a level that was never armed waited for (TRIG-5, TRIG-13). */
export function whyParent({ events, at }: Found): string {
  const { account, market } = events[at] as Ended
  const cause = events.slice(0, at).findLast((event) => {
    if (event.type === 'OrderCancelled')
      return event.reason !== 'parent_ended' && event.account === account && event.market === market
    return event.type === 'Traded' && filledOf(event, account) !== null && event.market === market
  })
  if (cause?.type === 'Traded')
    return `order ${filledOf(cause, account)} was filled and left nothing to protect`
  if (cause?.type !== 'OrderCancelled') return 'the order that it waited for ended'
  const why = cause.reason === 'refused' ? rejectionOf(cause.rejection) : reasonText(cause.reason)
  return `order ${cause.order}, for which it waited, ended: ${why}`
}

/** The account's order in a trade; `null` if it has none. */
export function filledOf(trade: EventOf<'Traded'>, account: number): number | null {
  if (trade.taker === account) return trade.takerOrder
  return trade.maker === account ? trade.makerOrder : null
}
