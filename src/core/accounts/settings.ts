// Account settings in a market: leverage, cross or isolated mode, and isolated margin (MARGIN-6,
// MARGIN-8). Also the operator's freeze (ACCT-6).

import { broken } from '../../units/invariant.ts'
import { accountRefusal, marketAdmissionRefusal } from '../admission/admit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import {
  AccountSums,
  guardedValue,
  initialMargin,
  sumAccount,
  withdrawableOf,
} from '../margin/margin.ts'
import { rowOf } from '../margin/position-row.ts'
import { touch } from '../solvency/update-index.ts'
import { LIVE, type Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

const sums = new AccountSums()

export function setLeverage(
  state: State,
  log: EventLog,
  command: CommandOf<'SetLeverage'>,
): Rejection | null {
  const admission = marketAdmissionRefusal(state, log, command, 'margin')
  if (admission !== null) return admission
  const { account, leverage } = command
  const market = state.markets[command.market]!
  if (isClosedTo(state, account, market)) return refuse('TRADING_DISABLED')
  const { positions } = state
  const row = rowOf(state, market, account)
  const { leverageMax } = market.params
  const setting = positions.leverage[row]!
  const present = setting === 0 ? leverageMax : Math.min(setting, leverageMax)
  if (!(Number.isSafeInteger(leverage) && leverage >= 1 && leverage <= leverageMax)) {
    const given = Number.isSafeInteger(leverage) ? leverage : 0
    return refuse('INVALID_LEVERAGE', given, 1, leverageMax)
  }
  positions.leverage[row] = leverage
  const short = leverage < present ? shortOfMargin(state, market, row) : null
  if (short !== null) {
    positions.leverage[row] = setting
    return short
  }
  positions.settingsAt[row] = state.atMs
  log.write({ type: 'LeverageSet', account, market: market.id, leverage })
  return null
}

/** Returns a rejection if the account cannot carry its positions and orders at the leverage that is
 *  set now (MARGIN-8). */
function shortOfMargin(state: State, market: Market, row: number): Rejection | null {
  const { positions } = state
  sumAccount(state, positions.account[row]!, 0, sums)
  if (sums.requirement > sums.guarded)
    return refuse('INSUFFICIENT_BALANCE', sums.requirement, sums.guarded)
  if (positions.isolated[row] === 0 || positions.lots[row] === 0) return null
  const initial = heldMargin(state, market, row)
  const backed = backedBy(state, market, row)
  return initial > backed ? refuse('INSUFFICIENT_BALANCE', initial, backed) : null
}

function isClosedTo(state: State, account: number, market: Market): boolean {
  return market.settled || state.accounts.frozen[account] === 1
}

export function setMarginMode(
  state: State,
  log: EventLog,
  command: CommandOf<'SetMarginMode'>,
): Rejection | null {
  const admission = marketAdmissionRefusal(state, log, command, 'margin')
  if (admission !== null) return admission
  const { account, isolated } = command
  const market = state.markets[command.market]!
  if (isClosedTo(state, account, market)) return refuse('TRADING_DISABLED')
  const { positions } = state
  const row = rowOf(state, market, account)
  const inUse =
    positions.lots[row] !== 0 ||
    positions.orderCount[row] !== 0 ||
    positions.stopCount[row] !== 0 ||
    positions.algoCount[row] !== 0
  const changes = (positions.isolated[row] === 1) !== isolated
  if (changes && (inUse || (!isolated && market.params.isolatedOnly)))
    return refuse('CANNOT_UPDATE_MARGIN')
  positions.isolated[row] = isolated ? 1 : 0
  positions.settingsAt[row] = state.atMs
  log.write({ type: 'MarginModeSet', account, market: market.id, isolated })
  return null
}

export function moveIsolatedMargin(
  state: State,
  log: EventLog,
  command: CommandOf<'MoveIsolatedMargin'>,
): Rejection | null {
  const refusal =
    marketAdmissionRefusal(state, log, command, 'margin') ?? marginMoveRefusal(state, command)
  if (refusal !== null) return refusal
  const { account, amount } = command
  const { accounts, positions } = state
  const market = state.markets[command.market]!
  const row = rowOf(state, market, account)
  const balance = accounts.balance[account]! - amount
  const wallet = positions.wallet[row]! + amount
  if (amount > 0 && !(balance >= 0)) broken('more is moved to a position than there is', balance)
  if (amount < 0 && !(wallet >= 0)) broken('more is taken from a position than it has', wallet)
  accounts.balance[account] = balance
  positions.wallet[row] = wallet
  positions.updatedAt[row] = state.commandAtMs
  touch(state, account)
  log.write({
    type: 'IsolatedMarginMoved',
    account,
    market: market.id,
    amount,
    wallet: positions.wallet[row]!,
    balance: accounts.balance[account]!,
    lots: positions.lots[row]!,
    cost: positions.cost[row]!,
  })
  return null
}

function marginMoveRefusal(
  state: State,
  command: CommandOf<'MoveIsolatedMargin'>,
): Rejection | null {
  const { account, amount } = command
  const { positions } = state
  const market = state.markets[command.market]!
  if (state.accounts.frozen[account] === 1) return refuse('TRADING_DISABLED')
  if (!Number.isSafeInteger(amount) || amount === 0) return refuse('INVALID_AMOUNT', 0)
  const row = rowOf(state, market, account)
  if (positions.lots[row] === 0) return refuse('POSITION_NOT_FOUND')
  if (positions.isolated[row] === 0) return refuse('CANNOT_UPDATE_MARGIN')
  if (amount > 0) {
    const available = Math.max(0, withdrawableOf(state, account))
    return amount > available ? refuse('INSUFFICIENT_BALANCE', amount, available) : null
  }
  if (market.health !== LIVE) return refuse('WITHDRAWAL_BLOCKED')
  const free = Math.max(0, backedBy(state, market, row) - heldMargin(state, market, row))
  return -amount > free ? refuse('INSUFFICIENT_BALANCE', -amount, free) : null
}

/** Initial margin of a position. */
function heldMargin({ positions }: State, market: Market, row: number): number {
  const value = Math.abs(positions.lots[row]!) * market.lotValue
  return initialMargin(market, positions.leverage[row]!, value)
}

/** The wallet of an isolated position less its guarded loss. Unrealised profit does not count. */
function backedBy({ positions }: State, market: Market, row: number): number {
  const unrealised = guardedValue(market, positions.lots[row]!) - positions.cost[row]!
  return positions.wallet[row]! + Math.min(0, unrealised)
}

export function freezeAccount(
  state: State,
  log: EventLog,
  { account, frozen }: CommandOf<'FreezeAccount'>,
): Rejection | null {
  const unknown = accountRefusal(state, account)
  if (unknown !== null) return unknown
  if (state.accounts.reserved[account] === 1) return refuse('UNSUPPORTED_OPERATION')
  state.accounts.frozen[account] = frozen ? 1 : 0
  log.write({ type: 'AccountFrozen', account, frozen })
  return null
}
