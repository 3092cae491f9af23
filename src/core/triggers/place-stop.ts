// Stop orders: dormant until their price is reached (TRIG-2).

import { rowOf } from '../accounts/position-row.ts'
import { marketAdmissionRefusal } from '../admit.ts'
import type { PlaceStop } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Market } from '../markets/market.ts'
import { trades } from '../markets/trading.ts'
import { isTriggerBy, levelOnGrid, levelSizeRefusal } from '../orders/check-order.ts'
import { findClientId } from '../orders/client-ids.ts'
import { sideOf } from '../orders/draft.ts'
import { timeRefusal } from '../orders/expiry.ts'
import { triggerByOf } from '../orders/run-order.ts'
import { plannedRefusal } from '../policies/check-policy.ts'
import type { State } from '../state/state.ts'
import { textRefusal } from '../texts/text-refusal.ts'
import { STOP, triggerKindOf } from './trigger-kinds.ts'
import { addTrigger } from './trigger-life.ts'
import { isReached, wholePrice } from './trigger-price.ts'

export function placeStop(state: State, log: EventLog, command: PlaceStop): Rejection | null {
  return (
    marketAdmissionRefusal(state, log, command, 'trade') ?? placeAdmittedStop(state, log, command)
  )
}

export function placeAdmittedStop(
  state: State,
  log: EventLog,
  command: PlaceStop,
): Rejection | null {
  const refusal = stopRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, level } = command
  const market = state.markets[command.market]!
  const side = sideOf(command.side)
  addTrigger(state, log, {
    id: state.nextOrderId++,
    account,
    agent: command.proof?.agent ?? null,
    position: rowOf(state, market, account),
    market: market.id,
    side,
    kind: STOP,
    stopPrice: level.stopPrice,
    limitPrice: level.limitPrice ?? 0,
    wanted: level.size ?? 0,
    size: level.size ?? 0,
    cut: 0,
    triggerBy: triggerByOf(level.triggerBy),
    reduceOnly: command.reduceOnly,
    up: triggerKindOf(STOP).firesAbove(side),
    expireTime: command.expireTime ?? null,
    parent: 0,
    armed: true,
    clientOrderId: level.clientOrderId,
    createdAt: state.atMs,
    updatedAt: state.atMs,
    wave: 0,
    distance: 0,
  })
  return null
}

/** Whether the account may set triggers on the market now. */
export function settingRefusal(state: State, account: number, market: Market): Rejection | null {
  if (trades(state, market) && state.accounts.frozen[account] === 0) return null
  return refuse('TRADING_DISABLED')
}

/** All open orders of the account, then its stops alone. */
function countRefusal({ accounts, rules }: State, account: number): Rejection | null {
  const { ordersPerAccount, stopsPerAccount } = rules.limits
  const open = accounts.openCount[account]!
  if (open >= ordersPerAccount) return refuse('OPEN_ORDER_LIMIT_REACHED', open, ordersPerAccount)
  const stops = accounts.stopCount[account]!
  if (stops < stopsPerAccount) return null
  return refuse('OPEN_ORDER_LIMIT_REACHED', stops, stopsPerAccount)
}

function stopRefusal(state: State, command: PlaceStop): Rejection | null {
  const { account, level } = command
  const market = state.markets[command.market]!
  const side = sideOf(command.side)
  const disabled = settingRefusal(state, account, market)
  if (disabled !== null) return disabled
  if (side < 0 || !isTriggerBy(level.triggerBy)) return refuse('INVALID_ORDER_TYPE')
  const untimely = timeRefusal(state, command.expireTime ?? null)
  if (untimely !== null) return untimely
  if (level.clientOrderId !== null && findClientId(state, account, level.clientOrderId) !== 0)
    return refuse('DUPLICATE_CLIENT_ORDER_ID')
  const crowded = countRefusal(state, account)
  if (crowded !== null) return crowded
  if (!levelOnGrid(market, level)) return refuse('INVALID_STOP_TICK', 0, 0)
  const triggerBy = triggerByOf(level.triggerBy)
  if (isReached(market, triggerBy, level.stopPrice, triggerKindOf(STOP).firesAbove(side)))
    return refuse('INVALID_STOP_TICK', level.stopPrice, wholePrice(market, triggerBy))
  if (level.size === null && !command.reduceOnly) return refuse('INVALID_STOP_ORDER_AMOUNT', 0, 0)
  const size =
    level.size === null || levelSizeRefusal(level.size, Number.MAX_SAFE_INTEGER) === null
      ? null
      : refuse('INVALID_STOP_ORDER_AMOUNT', Number.isSafeInteger(level.size) ? level.size : 0, 0)
  return size ?? limitRefusal(state, command) ?? textRefusal(level.clientOrderId)
}

/** By the policy of the key, if it has one; its price is for the moment in which it fires. */
function limitRefusal(state: State, command: PlaceStop): Rejection | null {
  const { account, proof, side, level, reduceOnly } = command
  const market = state.markets[command.market]!
  return plannedRefusal(state, {
    agent: proof?.agent ?? null,
    account,
    market,
    row: rowOf(state, market, account),
    side,
    size: level.size,
    reduceOnly,
    slippagePpm: 0,
    takes: !reduceOnly,
  })
}
