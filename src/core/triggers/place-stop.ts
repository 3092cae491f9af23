// Stop orders, which are dormant until their price is reached (TRIG-2).

import { marketAdmissionRefusal } from '../admission/admit.ts'
import { textRefusal } from '../admission/text-refusal.ts'
import type { Level, PlaceStop } from '../commands/commands.ts'
import { levelList } from '../commands/level-ids.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { findClientId, repeatsClientId } from '../drafts/client-ids.ts'
import { sideOf } from '../drafts/draft.ts'
import type { StandingLeg } from '../drafts/standing-leg.ts'
import type { EventLog } from '../events/event-log.ts'
import { attachLevels } from '../levels/attached.ts'
import {
  attachedSizeRefusal,
  attachedSlippageRefusal,
  attachedTickRefusal,
} from '../levels/attached-checks.ts'
import {
  firstRefusal,
  kindCountRefusal,
  levelOnGrid,
  levelSizeRefusal,
  slippageRefusal,
  trailCountRefusal,
  trailRefusal,
  watchesPrice,
  watchPrices,
} from '../levels/level-checks.ts'
import { type Asking, askingOf, rowOf } from '../margin/position-row.ts'
import { plannedRefusal } from '../policies/check-policy.ts'
import { trades } from '../prices/trading.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { STOP, triggerKindOf } from '../state/trigger-kinds.ts'
import { timeRefusal } from '../timing/expiry.ts'
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
  const refusal = stopRefusal(state, command, askingOf(state, command))
  if (refusal !== null) return refusal
  const setting = settingOf(state, command)
  const { id } = addTrigger(state, log, command.level, setting)
  const brought = broughtOf(command)
  if (brought.all.length !== 0) {
    const { agent, position: row, side } = setting
    attachLevels(state, log, id, { agent, row, side, ...brought })
  }
  return null
}

type Brought = Readonly<Record<'takeProfits' | 'stopLosses' | 'all', readonly Level[]>>

/** The levels attached to the stop (TRIG-13). */
function broughtOf({ takeProfit, stopLoss }: PlaceStop): Brought {
  const takeProfits = levelList(takeProfit)
  const stopLosses = levelList(stopLoss)
  return { takeProfits, stopLosses, all: [...takeProfits, ...stopLosses] }
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

/** Whether the direction is valid. A trailing stop must omit it: its side decides (TRIG-10). */
function isDirection(up: unknown, level: Level): boolean {
  return up == null || (typeof up === 'boolean' && level.trail == null)
}

/** Whether the stop fires at or above its price (TRIG-10). */
function firesUp({ side, up }: PlaceStop): boolean {
  return up ?? triggerKindOf(STOP).firesAbove(sideOf(side))
}

/** Whether the account may set triggers on the market now. */
export function settingRefusal(state: State, account: number, market: Market): Rejection | null {
  if (trades(state, market) && state.exchange.accounts.frozen[account] === 0) return null
  return refuse('TRADING_DISABLED')
}

/** Enforces the limits on all open orders of the account, on stops, on trailing stops, then on each
 *  kind of level. */
function countRefusal(
  state: State,
  { account, level }: PlaceStop,
  { takeProfits, stopLosses, all }: Brought,
  otherLeg: StandingLeg | null,
): Rejection | null {
  const { accounts, rules } = state
  const { ordersPerAccount, stopsPerAccount } = rules.limits
  const open = accounts.openCount[account]! + (otherLeg === null ? 0 : 1)
  if (open + 1 + all.length > ordersPerAccount)
    return refuse('OPEN_ORDER_LIMIT_REACHED', open, ordersPerAccount)
  const stops = accounts.stopCount[account]! + (otherLeg?.stops ?? 0)
  if (stops >= stopsPerAccount) return refuse('OPEN_ORDER_LIMIT_REACHED', stops, stopsPerAccount)
  return (
    trailCountRefusal(state, account, [level, ...stopLosses], [], otherLeg?.trails) ??
    kindCountRefusal(state, takeProfits, stopLosses)
  )
}

function clientIdRefusal(
  state: State,
  account: number,
  ids: readonly (string | null)[],
): Rejection | null {
  const isTaken = (id: string | null) => id !== null && findClientId(state, account, id) !== 0
  return repeatsClientId(ids) || ids.some(isTaken) ? refuse('DUPLICATE_CLIENT_ORDER_ID') : null
}

/** Prices of a new level must be on the grid and not reached already. */
export function levelTickRefusal(market: Market, level: Level, up: boolean): Rejection | null {
  if (!levelOnGrid(market, level)) return refuse('INVALID_STOP_TICK', 0, 0)
  if (level.trail != null) return trailRefusal(level.trail, !up, market.mark)
  const triggerBy = triggerByOf(level.triggerBy)
  if (!isReached(market, triggerBy, level.stopPrice, up)) return null
  return refuse('INVALID_STOP_TICK', level.stopPrice, wholePrice(market, triggerBy))
}

/** The account and the market exist. `otherLeg`: the leg that already counts. */
export function stopRefusal(
  state: State,
  command: PlaceStop,
  by: Asking,
  otherLeg: StandingLeg | null = null,
): Rejection | null {
  const { account, level, reduceOnly } = command
  const market = state.markets[command.market]!
  const side = sideOf(command.side)
  const disabled = settingRefusal(state, account, market)
  if (disabled !== null) return disabled
  const brought = broughtOf(command)
  const { takeProfits, stopLosses } = brought
  const watches = watchesPrice(level, true) && watchPrices(takeProfits, stopLosses)
  if (side < 0 || !watches || !isDirection(command.up, level)) return refuse('INVALID_ORDER_TYPE')
  const ids = [level, ...brought.all].map(({ clientOrderId }) => clientOrderId)
  const sign = side === 0 ? 1 : -1
  const price = level.trail != null ? null : (level.limitPrice ?? level.stopPrice)
  const { size } = level
  const parent = { market, sign, price, size, reduceOnly, takeProfits, stopLosses }
  return (
    timeRefusal(state, command.expireTime ?? null) ??
    clientIdRefusal(state.exchange, account, [...ids, otherLeg?.clientOrderId ?? null]) ??
    countRefusal(state.exchange, command, brought, otherLeg) ??
    levelTickRefusal(market, level, firesUp(command)) ??
    attachedTickRefusal(parent) ??
    slippageRefusal(market, level) ??
    attachedSlippageRefusal(parent) ??
    sizeRefusal(size, reduceOnly) ??
    attachedSizeRefusal(parent) ??
    limitRefusal(state, command, by, otherLeg) ??
    firstRefusal(ids, textRefusal)
  )
}

/** Only a reduce-only stop may be for the whole position. */
function sizeRefusal(size: number | null, reduceOnly: boolean): Rejection | null {
  if (size === null) return reduceOnly ? null : refuse('INVALID_STOP_ORDER_AMOUNT', 0, 0)
  if (levelSizeRefusal(size, Number.MAX_SAFE_INTEGER) === null) return null
  return refuse('INVALID_STOP_ORDER_AMOUNT', Number.isSafeInteger(size) ? size : 0, 0)
}

/** Checks the policy of the key, if it has one. The price is checked when the stop fires, but a
 *  slippage that it names is checked now. */
function limitRefusal(
  state: State,
  command: PlaceStop,
  { agent, row }: Asking,
  otherLeg: StandingLeg | null,
): Rejection | null {
  const { account, side, level, reduceOnly } = command
  const market = state.markets[command.market]!
  return plannedRefusal(state, {
    agent,
    account,
    market,
    row: row(),
    side,
    size: level.size,
    reduceOnly,
    openLots: otherLeg?.lots ?? 0,
    slippagePpm: 0,
    namedSlippagePpm: level.slippagePpm ?? null,
    takes: !reduceOnly,
  })
}
