// Logs a deferred action that was rejected at its release or dropped before (ORDER-10). Its sender
// received a positive reply, so history and streams show an order, stop or level with its own id
// that was closed immediately.

import { type cancelReasons, sides } from '../../words/order-words.ts'
import type { EditOrder, KeptAction, Level, PlaceQuote } from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import { findClientId } from '../drafts/client-ids.ts'
import { sideOf } from '../drafts/draft.ts'
import type { EventLog } from '../events/event-log.ts'
import { rowOf } from '../margin/position-row.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import type { State } from '../state/state.ts'
import { STOP, STOP_LOSS, TAKE_PROFIT, triggerKindOf } from '../state/trigger-kinds.ts'
import { logEnded } from '../triggers/end-trigger.ts'
import { logPlaced, startTrail, triggerOf } from '../triggers/trigger-life.ts'
import { findEditable } from './find-order.ts'

/** `code` is that of the rejection, or 0. */
export type End = Readonly<{ reason: (typeof cancelReasons)[number]; code: number }>

/** A cancel logs nothing, because its order is already closed. */
export function logUnplaced(state: State, log: EventLog, action: KeptAction, end: End): void {
  const side = 'side' in action ? sideOf(action.side) : 0
  if (action.type === 'PlaceStop')
    logStop(state, log, action, { kind: STOP, side, level: action.level }, end)
  if (action.type === 'SetPositionTpsl') {
    for (const level of levelList(action.takeProfit))
      logStop(state, log, action, { kind: TAKE_PROFIT, side: 1 - side, level }, end)
    for (const level of levelList(action.stopLoss))
      logStop(state, log, action, { kind: STOP_LOSS, side: 1 - side, level }, end)
  }
  if (action.type === 'Quote' && action.size !== 0)
    logOrder(state, log, action, { side, reduceOnly: false, parent: 0 }, end)
  if (action.type !== 'EditOrder') return
  const slot = findEditable(state, action.account, action.market, action)
  if (slot === 0) return
  const { orders } = state
  const reduceOnly = (orders.flags(slot) & REDUCE_ONLY) !== 0
  const of = { side: orders.side(slot), reduceOnly, parent: orders.id(slot) }
  logOrder(state, log, action, of, end)
}

/** Returns `null` if an open order already uses the client id. */
function clientIdOf(state: State, account: number, id: string | null): string | null {
  return id === null || findClientId(state, account, id) !== 0 ? null : id
}

type Stop = Readonly<{ kind: number; side: number; level: Level }>

function logStop(
  state: State,
  log: EventLog,
  { account, market, proof, ...action }: KeptAction,
  { kind, side, level }: Stop,
  { reason, code }: End,
): void {
  const named = { ...level, clientOrderId: clientIdOf(state, account, level.clientOrderId) }
  const trigger = triggerOf(state, named, {
    agent: proof?.agent ?? null,
    position: rowOf(state, state.markets[market]!, account),
    side,
    kind,
    reduceOnly: action.type === 'PlaceStop' ? action.reduceOnly : true,
    up: ('up' in action ? action.up : null) ?? triggerKindOf(kind).firesAbove(side),
    expireTime: null,
    parent: 0,
    armed: true,
  })
  state.nextOrderId += 1
  startTrail(state, trigger)
  logPlaced(state, log, trigger)
  logEnded(state, log, trigger, reason, code)
}

type Terms = Readonly<{ side: number; reduceOnly: boolean; parent: number }>

function logOrder(
  state: State,
  log: EventLog,
  action: EditOrder | PlaceQuote,
  { side, reduceOnly, parent }: Terms,
  { reason, code }: End,
): void {
  const { account, market, price, size } = action
  const order = state.nextOrderId++
  const common = { order, account, market, side: sides[side]!, price }
  log.write({
    type: 'OrderPlaced',
    ...common,
    size,
    tif: 'ALO',
    reduceOnly,
    origin: 'user',
    parent,
    waiting: false,
    orderType: 'limit',
    clientOrderId: parent === 0 ? clientIdOf(state, account, action.clientOrderId) : null,
  })
  log.write({
    type: 'OrderCancelled',
    ...common,
    remaining: size,
    reason,
    rejection: code,
    levelLots: -1,
  })
}
