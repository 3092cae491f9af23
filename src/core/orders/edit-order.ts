// Editing: cancel and new in one command (ORDER-9). The new order is ALO; a refusal changes
// nothing.

import { marketAdmissionRefusal } from '../admit.ts'
import type { EditOrder, PlaceQuote } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { adopt } from '../levels/attached.ts'
import type { Market } from '../markets/market.ts'
import { priceRefusal } from '../markets/order-prices.ts'
import { trades } from '../markets/trading.ts'
import { cutLeg } from '../oco/cut-leg.ts'
import { linkLegs, unlink } from '../oco/links.ts'
import type { State } from '../state/state.ts'
import { notFound } from './cancel-order.ts'
import { amountRefusal, EDIT, orderRefusal } from './check-order.ts'
import { Draft, FROM_ALGO, FROM_USER, noLevels, RUNS_NOW } from './draft.ts'
import { expireTimeOf } from './expiry.ts'
import { findEditable } from './find-order.ts'
import { cancelSlot, crosses, POST_ONLY_REJECTED, REPLACED, restOrder } from './order-life.ts'
import { optionsOf } from './order-options.ts'
import { ATTACHED, PROTECTED, REDUCE_ONLY, RESTING } from './order-pool.ts'
import { enterOrder } from './run-order.ts'
import { ALO } from './times-in-force.ts'

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
  const refused = editRefusal(state, market, slot, state.orders.position(slot), command)
  if (refused !== null) return refused
  if (crosses(market, draft.side, draft.price)) enterCrossing(state, log)
  else replace(state, log, market, slot)
  return null
}

/** The quote in `slot` is to stand as this one says. Unlike an edit it does not stay where it was
 *  when it would cross (ORDER-17). */
export function requoteAdmitted(
  state: State,
  log: EventLog,
  quote: PlaceQuote,
  slot: number,
): Rejection | null {
  const market = state.markets[quote.market]!
  const refused = shapeRefusal(state, market, quote) ?? requoteRefusal(state, market, slot, quote)
  if (refused !== null) return refused
  if (!crosses(market, draft.side, draft.price)) replace(state, log, market, slot)
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
  prepare(state, market, slot, quote, quote.proof?.agent ?? null)
  draft.options = optionsOf(quote)
  draft.row = state.orders.position(slot)
  return orderRefusal(state, draft, EDIT)
}

type Mover = Readonly<{ id: number; account: number; agent: string | null }>

/** The checks of an order that its algo wants elsewhere (ALGO-2): where it would stand then. */
export function tryMove(
  state: State,
  slot: number,
  { id, account, agent }: Mover,
  price: number,
  size: number,
): Rejection | number {
  const market = state.markets[state.orders.market(slot)]!
  prepare(state, market, slot, { account, price, size }, agent)
  draft.row = state.orders.position(slot)
  draft.origin = FROM_ALGO
  draft.parent = id
  return priceRefusal(market, price) ?? orderRefusal(state, draft, EDIT) ?? draft.price
}

/** Right after `tryMove` found nothing wrong: the id of the new order. */
export function makeMove(state: State, log: EventLog, slot: number): number {
  return replace(state, log, draft.market, slot)
}

type Wanted = Readonly<{ account: number; price: number; size: number }>

/** What is asked before the old order is looked at. */
function shapeRefusal(state: State, market: Market, wanted: Wanted): Rejection | null {
  if (!trades(state, market) || state.accounts.frozen[wanted.account] === 1)
    return refuse('TRADING_DISABLED')
  return priceRefusal(market, wanted.price) ?? amountRefusal(wanted.size, Number.MAX_SAFE_INTEGER)
}

/** The checks of the new order as if the old one, in `slot`, were not there. `row`: the account's
 *  in this state. */
export function editRefusal(
  state: State,
  market: Market,
  slot: number,
  row: number,
  command: EditOrder,
): Rejection | null {
  prepare(state.exchange, market, slot, command, command.proof?.agent ?? null)
  draft.row = row
  return orderRefusal(state, draft, EDIT)
}

function prepare(
  state: State,
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

/** The new order would take: it ends at once, and the old one stays, with its client id. */
function enterCrossing(state: State, log: EventLog): void {
  draft.clientOrderId = null
  const slot = enterOrder(state, log, draft)
  cancelSlot(state, log, slot, POST_ONLY_REJECTED, 0)
}

/** The id of the new order. */
function replace(state: State, log: EventLog, market: Market, slot: number): number {
  const { orders, levels } = state
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
  // The levels go with the new order: the old one ends without them.
  state.attached.delete(old)
  orders.setFlags(slot, orders.flags(slot) & ~ATTACHED)
  cancelSlot(state, log, slot, REPLACED, 0)
  const entered = enterOrder(state, log, draft)
  if (attached !== undefined) adopt(state, attached, entered)
  // The level of an order that was alone is gone, and comes anew.
  if (keepsPlace && !alone) restOrder(state, log, market, entered, level, before)
  else restOrder(state, log, market, entered)
  if (keepsPlace) orders.setStageAt(entered, placedAt)
  const id = orders.id(entered)
  if (stop === 0) return id
  linkLegs(state, id, stop)
  cutLeg(state, log, id, orders.remaining(entered))
  return id
}
