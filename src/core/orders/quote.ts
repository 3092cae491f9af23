// Places a quote, or replaces the order with its client id (ORDER-17).

import type { PlaceQuote } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { findClientId } from '../drafts/client-ids.ts'
import { RUNS_NOW, sideOf } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { LINKED, PROTECTED, REDUCE_ONLY, RESTING } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { requoteAdmitted } from './edit-order.ts'
import { BY_OWNER, cancelSlot } from './order-life.ts'
import { placeAdmitted } from './place-order.ts'

export function quoteAdmitted(state: State, log: EventLog, quote: PlaceQuote): Rejection | null {
  const { account, proof, market, side, price, size, clientOrderId, mmp } = quote
  if (clientOrderId === null) return refuse('INVALID_PARAMETER', 0)
  const order = findClientId(state, account, clientOrderId)
  const own = { account, proof, market }
  if (order === 0) {
    if (size === 0) return null
    const plain = { tif: 'ALO', reduceOnly: false, takeProfit: null, stopLoss: null } as const
    const wish = { side, price, size, clientOrderId, mmp: mmp === true }
    return placeAdmitted(state, log, { type: 'PlaceOrder', ...own, ...wish, ...plain }, RUNS_NOW)
  }
  const slot = state.orders.slotOf(order)
  if (!isQuote(state, slot, quote)) return refuse('DUPLICATE_CLIENT_ORDER_ID')
  const { orders } = state
  if (size === 0) {
    cancelSlot(state, log, slot, BY_OWNER, 0)
    return null
  }
  const protects = (orders.flags(slot) & PROTECTED) !== 0
  const same = orders.price(slot) === price && orders.remaining(slot) === size
  if (same && protects === (mmp === true)) return null
  return requoteAdmitted(state, log, quote, slot)
}

/** Levels that came with an order may have ended before it. */
function hasLevels({ attached }: State, order: number): boolean {
  const levels = attached.get(order)
  return levels !== undefined && levels.takeProfit.length + levels.stopLoss.length > 0
}

/** Slot 0 belongs to a stop or a level, which is not a quote. */
function isQuote(state: State, slot: number, { market, side }: PlaceQuote): boolean {
  const { orders } = state
  return (
    slot !== 0 &&
    orders.stage(slot) === RESTING &&
    orders.market(slot) === market &&
    orders.side(slot) === sideOf(side) &&
    (orders.flags(slot) & (LINKED | REDUCE_ONLY)) === 0 &&
    !hasLevels(state, orders.id(slot))
  )
}
