// The two margin checks of an order (docs/rules/margin.md §4, §5): whether the account can carry
// the additional lots, and whether it may close this much at this price. Both only read.

import { feeOf } from '../../units/fee.ts'
import { divFloor, shareTrunc } from '../../units/rounding.ts'
import type { Ppm, Quote } from '../../units/units.ts'
import { compareProducts } from '../../units/wide.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import { fairPrice } from '../prices/order-prices.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { Health, sumGuardedScope } from './equity.ts'
import { takerPpmOf } from './fee-tier.ts'
import {
  AccountSums,
  availableOf,
  guardedValue,
  initialMargin,
  maintenanceOf,
  requirementOf,
  sumAccount,
} from './margin.ts'

/** The effect of an order or one fill on a row. Each caller reuses one instance. */
export class Change {
  /** +1 buy, −1 sell. */
  sign = 0
  /** Lots and value that it takes, and the part of them that opens. The closing part comes
   *  first. */
  lots = 0
  value = 0
  openLots = 0
  openValue = 0
  /** Lots that then remain open, and their entry losses in tick·lots. */
  rest = 0
  restLosses = 0
  /** Lots of a maker's order that currently count as open, and their entry losses. */
  freed = 0
  freedLosses = 0
  feePpm = 0
  /** Whether the initial margin of an isolated position was checked for the whole order
   *  (MARGIN-5). */
  tested = false
}

/** Lots that a row would close, and its guarded scope before the close. Each caller reuses one
 *  instance. */
export class Close {
  lots = 0
  value = 0
  feePpm = 0
  readonly scope = new Health()
}

const sums = new AccountSums()
const close = new Close()

function feeOfParts(change: Change): number {
  const ppm = change.feePpm as Ppm
  const closing = (change.value - change.openValue) as Quote
  return feeOf(closing, ppm) + feeOf(change.openValue as Quote, ppm)
}

/** MARGIN-4, and MARGIN-5 for a fill that adds. Returns `null` if the account can carry it. */
export function carryRefusal(
  state: State,
  market: Market,
  row: number,
  change: Change,
): Rejection | null {
  const { accounts, positions } = state
  const account = positions.account[row]!
  const alone = accounts.rows[account] === row && positions.nextOfAccount[row] === 0
  const { sign, lots } = change
  const before = positions.lots[row]!
  const after = before + sign * lots
  const open = change.rest - change.freed
  state.counters.marginChecks += 1
  let equity = accounts.balance[account]!
  let required = requirementOf(
    state,
    market,
    row,
    after,
    positions.buys[row]! + (sign > 0 ? open : 0),
    positions.sells[row]! + (sign < 0 ? open : 0),
    positions.losses[row]! + change.restLosses - change.freedLosses,
    takerPpmOf(state, account),
  )
  if (!alone || positions.isolated[row] === 1) {
    sumAccount(state, account, row, sums)
    equity = sums.guarded
    required += sums.requirement
    if (positions.isolated[row] === 1) return isolatedRefusal(state, market, row, change, required)
  }
  // The resulting position at its own guarded price, which a flip changes.
  equity += guardedValue(market, after) - positions.cost[row]!
  equity -= sign * change.value + feeOfParts(change)
  if (equity < required) return refuse('INSUFFICIENT_BALANCE', required, equity)
  if (alone || lots === change.openLots || mayTurn(state, market, row, change)) return null
  return refuse('INSUFFICIENT_BALANCE', 0, close.scope.equity)
}

/** Checks the closing part of a flip separately, for an account with other positions. */
function mayTurn(state: State, market: Market, row: number, change: Change): boolean {
  sumGuardedScope(state, row, close.scope)
  const held = Math.abs(state.positions.lots[row]!) * market.lotValue
  if (close.scope.maintenance === maintenanceOf(market, held)) return true
  close.lots = change.lots - change.openLots
  close.value = change.value - change.openValue
  close.feePpm = change.feePpm
  return mayClose(state, market, row, change.sign, close)
}

/** Balance and wallet after the closing part of a change (MARGIN-6). Reused. */
const closed = { balance: 0, wallet: 0, lots: 0, cost: 0 }

function closeIsolated(state: State, row: number, change: Change): void {
  const { positions } = state
  const account = positions.account[row]!
  const held = Math.abs(positions.lots[row]!)
  const lots = change.lots - change.openLots
  closed.balance = state.accounts.balance[account]!
  closed.wallet = positions.wallet[row]!
  closed.lots = positions.lots[row]! + change.sign * lots
  closed.cost = positions.cost[row]!
  if (lots === 0) return
  const value = change.value - change.openValue
  const fee = feeOf(value as Quote, change.feePpm as Ppm)
  const share = walletShare(closed.wallet, lots, held)
  const costShare = shareTrunc(closed.cost, lots, held)
  const out = share - change.sign * value - costShare - fee
  closed.balance += Math.max(0, out)
  closed.wallet -= share - Math.min(0, out)
  closed.cost -= costShare
}

/** ⌊wallet × part ÷ whole⌋. A negative wallet is rounded down too. */
export function walletShare(wallet: number, part: number, whole: number): number {
  if (wallet >= 0) return shareTrunc(wallet, part, whole)
  const truncated = shareTrunc(wallet, part, whole)
  return compareProducts([truncated, whole], [wallet, part]) === 0 ? truncated : truncated - 1
}

function isolatedRefusal(
  state: State,
  market: Market,
  row: number,
  change: Change,
  required: number,
): Rejection | null {
  const { positions } = state
  const before = state.accounts.balance[positions.account[row]!]!
  closeIsolated(state, row, change)
  // A flip must not leave a debt in the wallet of the closed position.
  if (change.openLots > 0 && closed.lots === 0 && closed.wallet < 0)
    return refuse('INSUFFICIENT_BALANCE', -closed.wallet, 0)
  const leverage = positions.leverage[row]!
  const { lotValue } = market
  const kept = Math.abs(closed.lots) * lotValue
  const { sign, openLots, openValue } = change
  const entry = openingLoss(market, sign, openLots, openValue)
  const margin = addedMargin(market, leverage, kept, openValue) + entry
  const fee = feeOf(openValue as Quote, change.feePpm as Ppm)
  const moved = margin + fee
  const equity = sums.guarded + closed.balance - before - moved
  if (equity < required) return refuse('INSUFFICIENT_BALANCE', required, equity)
  if (openLots === 0) return null
  sums.guarded += closed.balance - before
  const available = Math.max(0, availableOf(sums, closed.balance, required, state.rules))
  if (moved > available) return refuse('INSUFFICIENT_BALANCE', moved, available)
  const lots = closed.lots + sign * openLots
  const cost = closed.cost + sign * openValue
  const held = closed.wallet + margin + guardedValue(market, lots) - cost
  // The loss against the guarded price is reserved. The wallet already includes `entry` of it.
  const opens = guardedValue(market, sign * openLots)
  const slipped = Math.max(0, sign * openValue - opens) - entry
  // New lots count at their purchase value if that is lower, because their margin was based on it.
  const opened = Math.min(openValue, openLots * lotValue)
  const initial = initialMargin(market, leverage, kept + opened)
  if (!change.tested && held + slipped < initial)
    return { ...refuse('INSUFFICIENT_BALANCE', initial, held + slipped), of: 'wallet' }
  const maintenance = maintenanceOf(market, Math.abs(lots) * lotValue)
  return held < maintenance ? refuse('IMMEDIATE_LIQUIDATION', held, maintenance) : null
}

/** Initial margin that opening for `value` moves into the wallet of a position worth `held` at mark
 *  (MARGIN-6). */
export function addedMargin(market: Market, leverage: number, held: number, value: number): number {
  return initialMargin(market, leverage, held + value) - initialMargin(market, leverage, held)
}

/** Loss of lots opened for `value` against the mark, which is moved together with the margin
 *  (MARGIN-6). */
export function openingLoss(market: Market, sign: number, lots: number, value: number): number {
  return Math.max(0, sign * (value - lots * market.lotValue))
}

/** Whether this row may close these lots (MARGIN-5, first rule). */
export function mayClose(
  state: State,
  market: Market,
  row: number,
  sign: number,
  close: Close,
): boolean {
  const { lots, value, scope } = close
  const { lotValue } = market
  const position = state.positions.lots[row]!
  const held = Math.abs(position)
  const fee = feeOf(value as Quote, close.feePpm as Ppm)
  // The closed lots were valued at the guarded price of the position.
  const lost = sign < 0 ? lots * market.longValue - value : value - lots * market.shortValue
  const equity = scope.equity - lost - fee
  const own = maintenanceOf(market, held * lotValue)
  const rest = scope.maintenance - own + maintenanceOf(market, (held - lots) * lotValue)
  if (
    scope.ungapped - lostUngapped(market, sign, close) - fee >= rest &&
    isNearMark(market, sign, close)
  )
    return true
  // While the mark is still moving to a better price, its gain must not be given away.
  const ahead = Math.abs(fairPrice(market, sign) - market.mark) * market.unitValue
  const had = scope.equity + ahead * held
  if (compareProducts([equity + ahead * (held - lots), scope.maintenance], [had, rest]) >= 0)
    return true
  // No worse than the bankruptcy price: these lots use at most their share of equity.
  const share = [had, own, lots]
  return compareProducts([lost + ahead * lots + fee, scope.maintenance, held], share) <= 0
}

function lostUngapped(
  { longUngapped, shortUngapped }: Market,
  sign: number,
  { lots, value }: Close,
): number {
  return sign < 0 ? lots * longUngapped - value : value - lots * shortUngapped
}

/** Whether the close loses no more than the default slippage of a fired stop (TRIG-3). */
function isNearMark(market: Market, sign: number, { lots, value }: Close): boolean {
  const usual = divFloor(market.baseFractionPpm, 2)
  const fair = fairPrice(market, sign) * market.unitValue
  const lost = sign * (value - lots * fair)
  return compareProducts([lost, 1_000_000], [lots, fair, usual]) <= 0
}

/** The limit that a reduce-only order may have (MARGIN-5): its own, the nearest permitted limit, or
 *  0. The check fills in `close`. */
export function reducingLimit(
  state: State,
  market: Market,
  row: number,
  sign: number,
  lots: number,
  limit: number,
  close: Close,
): number {
  state.counters.marginChecks += 1
  sumGuardedScope(state, row, close.scope)
  close.lots = lots
  close.value = lots * limit * market.unitValue
  close.feePpm = takerPpmOf(state, state.positions.account[row]!)
  if (mayClose(state, market, row, sign, close)) return limit
  return nearestLimit(state, market, row, sign, limit, close)
}

/** Permitted prices are contiguous: above some price for an ask, below some price for a bid. */
function nearestLimit(
  state: State,
  market: Market,
  row: number,
  sign: number,
  limit: number,
  close: Close,
): number {
  const allows = (price: number): boolean => {
    close.value = close.lots * price * market.unitValue
    return mayClose(state, market, row, sign, close)
  }
  let refused = limit
  let allowed: number = sign < 0 ? market.params.tickMax : market.params.tickMin
  if (!allows(allowed)) return 0
  while (Math.abs(allowed - refused) > 1) {
    const middle = divFloor(allowed + refused, 2)
    if (allows(middle)) allowed = middle
    else refused = middle
  }
  return allowed
}
