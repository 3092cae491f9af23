// Stop orders: dormant until their price is reached (TRIG-2).

import { rowOf } from '../accounts/position-row.ts'
import { marketAdmissionRefusal } from '../admit.ts'
import type { Level, PlaceStop } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import {
  levelOnGrid,
  levelSizeRefusal,
  trailCountRefusal,
  watchesPrice,
} from '../levels/level-checks.ts'
import type { Market } from '../markets/market.ts'
import { trades } from '../markets/trading.ts'
import { findClientId } from '../orders/client-ids.ts'
import { sideOf } from '../orders/draft.ts'
import { timeRefusal } from '../orders/expiry.ts'
import { plannedRefusal } from '../policies/check-policy.ts'
import type { State } from '../state/state.ts'
import { textRefusal } from '../texts/text-refusal.ts'
import { STOP, triggerKindOf } from './trigger-kinds.ts'
import { addTrigger, type Setting, triggerByOf } from './trigger-life.ts'
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
  addTrigger(state, log, command.level, settingOf(state, command))
  return null
}

export function settingOf(state: State, command: PlaceStop): Setting {
  return {
    agent: command.proof?.agent ?? null,
    position: rowOf(state, state.markets[command.market]!, command.account),
    side: sideOf(command.side),
    kind: STOP,
    reduceOnly: command.reduceOnly,
    up: firesUp(command),
    expireTime: command.expireTime ?? null,
    parent: 0,
    armed: true,
  }
}

/** TRIG-10: a trail goes the way of its side. */
function isDirection(up: unknown, level: Level): boolean {
  return up == null || (typeof up === 'boolean' && level.trail == null)
}

/** TRIG-10. */
function firesUp({ side, up }: PlaceStop): boolean {
  return up ?? triggerKindOf(STOP).firesAbove(sideOf(side))
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

/** Prices of a level that is set now: on the grid, and not reached already. */
export function levelTickRefusal(market: Market, level: Level, up: boolean): Rejection | null {
  if (!levelOnGrid(market, level)) return refuse('INVALID_STOP_TICK', 0, 0)
  const triggerBy = triggerByOf(level.triggerBy)
  if (level.trail != null || !isReached(market, triggerBy, level.stopPrice, up)) return null
  return refuse('INVALID_STOP_TICK', level.stopPrice, wholePrice(market, triggerBy))
}

export function stopRefusal(state: State, command: PlaceStop): Rejection | null {
  const { account, level } = command
  const market = state.markets[command.market]!
  const side = sideOf(command.side)
  const disabled = settingRefusal(state, account, market)
  if (disabled !== null) return disabled
  if (side < 0 || !watchesPrice(level, true) || !isDirection(command.up, level))
    return refuse('INVALID_ORDER_TYPE')
  const untimely = timeRefusal(state, command.expireTime ?? null)
  if (untimely !== null) return untimely
  if (level.clientOrderId !== null && findClientId(state, account, level.clientOrderId) !== 0)
    return refuse('DUPLICATE_CLIENT_ORDER_ID')
  const crowded = countRefusal(state, account) ?? trailCountRefusal(state, account, [level], [])
  if (crowded !== null) return crowded
  const unfit = levelTickRefusal(market, level, firesUp(command))
  if (unfit !== null) return unfit
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
