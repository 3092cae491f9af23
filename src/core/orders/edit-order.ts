// Edits an order: cancel and new in one command (ORDER-9). The new order is ALO. A rejection
// changes nothing.

import { marketAdmissionRefusal } from '../admission/admit.ts'
import type { EditOrder, PlaceQuote } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import { Draft, FROM_ALGO, FROM_USER, noLevels, RUNS_NOW } from '../drafts/draft.ts'
import { optionsOf } from '../drafts/order-options.ts'
import { ALO } from '../drafts/times-in-force.ts'
import type { EventLog } from '../events/event-log.ts'
import { adopt } from '../levels/attached.ts'
import { cutLeg } from '../oco/cut-leg.ts'
import { linkLegs, unlink } from '../oco/links.ts'
import { ATTACHED, PROTECTED, REDUCE_ONLY, RESTING } from '../pools/order-pool.ts'
import { priceRefusal } from '../prices/order-prices.ts'
import { trades } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { expireTimeOf } from '../timing/expiry.ts'
import { notFound } from './cancel-order.ts'
import { EDIT, orderRefusal } from './check-order.ts'
import { findEditable } from './find-order.ts'
import { cancelSlot, crosses, POST_ONLY_REJECTED, REPLACED, restOrder } from './order-life.ts'
import { enterOrder } from './run-order.ts'

const draft = new Draft()

export function editOrder(state: State, log: EventLog, command: EditOrder): Rejection | null {
  return marketAdmissionRefusal(state, log, command, 'trade') ?? editAdmitted(state, log, command)
}

export function editAdmitted(state: State, log: EventLog, command: EditOrder): Rejection | null {
  const market = state.markets[command.market]!
  const refusal = shapeRefusal(state, market, command)
  if (refusal !== null) return refusal
  const slot = findEditable(state, command.account, command.market, command)
  if (slot === 0) return notFound(command.order)
  draft.row = state.orders.position(slot)
  const refused = editRefusal(state, draft, market, slot, command)
  if (refused !== null) return refused
  if (crosses(market, draft.side, draft.price)) enterCrossing(state, log)
  else replaceOrder(state, log, draft, slot)
  return null
}

/** Replaces the quote in `slot`. Unlike an edit, a quote that would cross does not leave the old
 *  order in place (ORDER-17). */
export function requoteAdmitted(
  state: State,
  log: EventLog,
  quote: PlaceQuote,
  slot: number,
): Rejection | null {
  const market = state.markets[quote.market]!
  const refused = shapeRefusal(state, market, quote) ?? requoteRefusal(state, market, slot, quote)
  if (refused !== null) return refused
  if (!crosses(market, draft.side, draft.price)) replaceOrder(state, log, draft, slot)
  else {
    cancelSlot(state, log, slot, REPLACED, 0)
    cancelSlot(state, log, enterOrder(state, log, draft), POST_ONLY_REJECTED, 0)
  }
  return null
}

function requoteRefusal(
  state: State,
  market: Market,
  slot: number,
  quote: PlaceQuote,
): Rejection | null {
  prepare(state, draft, market, slot, quote, quote.proof?.agent ?? null)
  draft.options = optionsOf(quote)
  draft.row = state.orders.position(slot)
  return orderRefusal(state, draft, EDIT)
}

type Mover = Readonly<{ id: number; account: number; agent: string | null }>

/** Checks an order that its algo moves to another price (ALGO-2), and fills in its draft. */
export function moveRefusal(
  state: State,
  draft: Draft,
  slot: number,
  { id, account, agent }: Mover,
  price: number,
  size: number,
): Rejection | null {
  const market = state.markets[state.orders.market(slot)]!
  prepare(state, draft, market, slot, { account, price, size }, agent)
  draft.row = state.orders.position(slot)
  draft.origin = FROM_ALGO
  draft.parent = id
  return priceRefusal(market, price) ?? orderRefusal(state, draft, EDIT)
}

type Wanted = Readonly<{ account: number; price: number; size: number }>

/** The checks that do not need the old order. */
function shapeRefusal(state: State, market: Market, wanted: Wanted): Rejection | null {
  if (!trades(state, market) || state.accounts.frozen[wanted.account] === 1)
    return refuse('TRADING_DISABLED')
  return priceRefusal(market, wanted.price) ?? amountRefusal(wanted.size, Number.MAX_SAFE_INTEGER)
}

/** Checks the new order as if the old order in `slot` did not exist, and fills in its draft. The
 *  caller has set the row. */
export function editRefusal(
  state: State,
  draft: Draft,
  market: Market,
  slot: number,
  command: EditOrder,
): Rejection | null {
  prepare(state.exchange, draft, market, slot, command, command.proof?.agent ?? null)
  return orderRefusal(state, draft, EDIT)
}

function prepare(
  state: State,
  draft: Draft,
  market: Market,
  slot: number,
  wanted: Wanted,
  agent: string | null,
): void {
  const { orders } = state
  draft.market = market
  draft.account = wanted.account
  draft.agent = agent
  draft.side = orders.side(slot)
  draft.sign = draft.side === 0 ? 1 : -1
  draft.price = wanted.price
  draft.size = wanted.size
  draft.tif = ALO
  draft.reduceOnly = (orders.flags(slot) & REDUCE_ONLY) !== 0
  draft.freed = draft.reduceOnly ? 0 : orders.remaining(slot)
  draft.freedLosses = draft.freed * orders.lossTicks(slot)
  draft.isMarket = false
  draft.origin = FROM_USER
  draft.parent = orders.id(slot)
  draft.clientOrderId = state.clientIds.get(draft.parent) ?? null
  draft.takeProfits = noLevels
  draft.stopLosses = noLevels
  draft.expireTime = expireTimeOf(state, slot)
  draft.options = orders.flags(slot) & PROTECTED
  draft.freedMmp = draft.options === 0 ? 0 : 1
  draft.releaseAt = RUNS_NOW
  const alone = state.levels.count[orders.level(slot)] === 1
  draft.frees = orders.stage(slot) === RESTING && alone ? 1 : 0
}

/** The new order would take, so it is closed immediately. The old order stays and keeps its client
 *  id. */
function enterCrossing(state: State, log: EventLog): void {
  draft.clientOrderId = null
  const slot = enterOrder(state, log, draft)
  cancelSlot(state, log, slot, POST_ONLY_REJECTED, 0)
}

/** Replaces the order in `slot` by an accepted draft. Returns the id of the new order. */
export function replaceOrder(state: State, log: EventLog, draft: Draft, slot: number): number {
  const { orders, levels } = state
  const { market } = draft
  const old = orders.id(slot)
  const attached = state.attached.get(old)
  const level = orders.level(slot)
  const before = orders.levelPrev(slot)
  const placedAt = orders.stageAt(slot)
  const keepsPlace =
    orders.stage(slot) === RESTING &&
    orders.price(slot) === draft.price &&
    draft.size < orders.remaining(slot)
  const alone = levels.count[level] === 1
  const stop = unlink(state, old)
  // The levels move to the new order, so the old one must end without them.
  state.attached.delete(old)
  orders.setFlags(slot, orders.flags(slot) & ~ATTACHED)
  cancelSlot(state, log, slot, REPLACED, 0)
  const entered = enterOrder(state, log, draft)
  if (attached !== undefined) adopt(state, attached, entered)
  // If the order was alone at its price, its level was removed and is created again.
  if (keepsPlace && !alone) restOrder(state, log, market, entered, level, before)
  else restOrder(state, log, market, entered)
  if (keepsPlace) orders.setStageAt(entered, placedAt)
  const id = orders.id(entered)
  if (stop === 0) return id
  linkLegs(state, id, stop)
  cutLeg(state, log, id, orders.remaining(entered))
  return id
}
