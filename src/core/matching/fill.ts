// One side of a match or forced transfer: the position, the money and the record of it (UNITS-2,
// FEE-1, MARGIN-6, ORDER-6). Writes; whoever calls has checked.

import { mulPpmCeil, mulPpmFloor, shareTrunc } from '../../units/rounding.ts'
import * as pool from '../accounts/account-pool.ts'
import { initialFraction } from '../accounts/margin.ts'
import { walletShare } from '../accounts/margin-checks.ts'
import { columnsOf } from '../events/event-columns.ts'
import { type EventLog, kindOfEvent } from '../events/event-log.ts'
import { addIncome } from '../liquidation/insurance.ts'
import { touch } from '../liquidation/update-index.ts'
import type { Market } from '../markets/market.ts'
import type { State } from '../state/state.ts'

// As a constant of this module it is part of the machine code (docs/performance.md).
const { FEES } = pool
const FILLED = kindOfEvent('Filled')
const filled = columnsOf('Filled')
const MARGIN_MOVED = kindOfEvent('IsolatedMarginMoved')
const isolatedMarginMoved = columnsOf('IsolatedMarginMoved')

// Indexes into the word lists of event-fields.ts.
export const MAKER = 0
export const TAKER = 1
export const NORMAL = 0
export const MARKET_LIQUIDATION = 1
export const BACKSTOP_LIQUIDATION = 2
export const DELEVERAGE = 3
export const SETTLEMENT = 4
const OPEN_LONG = 0
const OPEN_SHORT = 1
const CLOSE_LONG = 2
const CLOSE_SHORT = 3
const FORCED = 2

/** What both sides of a fill share, and what the side being settled adds. Reused per match. */
export class Fill {
  lots = 0
  /** Ticks; 0 when only the value is known (a deleveraging). */
  price = 0
  value = 0
  /** Of the market, before it. */
  openInterest = 0
  cause = NORMAL
  role = TAKER
  order = 0
  counterparty = 0
  feePpm = 0
  /** The side is closed against its will: its record says so. */
  forced = false
  /** The fee goes to the insurance fund. */
  feeToFund = false
  /** An isolated close leaves its share in the wallet (MARGIN-6). */
  keepShare = false
  /** The part that is being settled: money goes through fields, not arguments, because a number
   *  beyond 2^31 that crosses a call would be put on the heap. */
  partLots = 0
  partValue = 0
  partFee = 0
}

/** Settles `fill` on this row for the side with this sign: close first, then open. */
export function settleFill(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
): void {
  const before = state.positions.lots[row]!
  settleSide(state, log, market, row, sign, fill)
  const after = state.positions.lots[row]!
  market.openInterest += (after > 0 ? after : 0) - (before > 0 ? before : 0)
}

/** The same without open interest, which a trial counts by itself: it leaves the market alone. */
export function settleSide(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
): void {
  const { positions } = state
  const before = positions.lots[row]!
  const held = before < 0 ? -before : before
  const closing = before * sign < 0 ? (held < fill.lots ? held : fill.lots) : 0
  const opening = fill.lots - closing
  if (closing > 0) {
    fill.partLots = closing
    fill.partValue = opening === 0 ? fill.value : closing * fill.price * market.unitValue
    closePart(state, log, market, row, sign, fill)
  }
  if (opening > 0) {
    fill.partLots = opening
    fill.partValue = closing === 0 ? fill.value : opening * fill.price * market.unitValue
    openPart(state, log, market, row, sign, fill)
  }
  positions.updatedAt[row] = state.toldAtMs
  touch(state, positions.account[row]!)
}

/** FEE-1: what this side pays for the part; the fee account or the fund has it already. */
function chargeFee(state: State, fill: Fill): void {
  const { balance } = state.accounts
  if (fill.feePpm < 0) {
    const rebate = Math.min(mulPpmFloor(fill.partValue, -fill.feePpm), balance[FEES]!)
    balance[FEES] = balance[FEES]! - rebate
    fill.partFee = rebate === 0 ? 0 : -rebate
    return
  }
  const fee = mulPpmCeil(fill.partValue, fill.feePpm)
  fill.partFee = fee
  if (fill.feeToFund) addIncome(state, fee)
  else balance[FEES] = balance[FEES]! + fee
}

function closePart(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  const lots = fill.partLots
  const before = positions.lots[row]!
  const held = before < 0 ? -before : before
  const cost = positions.cost[row]!
  const share = lots === held ? cost : shareTrunc(cost, lots, held)
  chargeFee(state, fill)
  const fee = fill.partFee
  const gained = (sign < 0 ? fill.partValue - share : -fill.partValue - share) - fee
  positions.cost[row] = cost - share
  positions.lots[row] = before + sign * lots
  positions.feesPaid[row] = positions.feesPaid[row]! + fee
  if (positions.isolated[row] === 0) {
    accounts.balance[account] = accounts.balance[account]! + gained
  } else if (fill.keepShare) {
    positions.wallet[row] = positions.wallet[row]! + gained
  } else {
    const part = walletShare(positions.wallet[row]!, lots, held)
    const out = part + gained
    accounts.balance[account] = accounts.balance[account]! + Math.max(0, out)
    positions.wallet[row] = positions.wallet[row]! - part + Math.min(0, out)
  }
  const kind = (sign < 0 ? CLOSE_LONG : CLOSE_SHORT) + (fill.forced ? FORCED : 0)
  const at = record(state, log, market, row, kind, fill)
  log.rows[at + filled.pnl] = gained
  log.rows[at + filled.entryCost] = share
  log.rows[at + filled.entryLots] = sign < 0 ? lots : -lots
}

function openPart(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  const before = positions.lots[row]!
  if (before === 0) {
    positions.fundingEpoch[row] = market.epoch
    positions.openedAt[row] = state.toldAtMs
    positions.fundingPaid[row] = 0
    positions.feesPaid[row] = 0
  }
  chargeFee(state, fill)
  const value = fill.partValue
  const fee = fill.partFee
  let margin = 0
  positions.lots[row] = before + sign * fill.partLots
  positions.cost[row] = positions.cost[row]! + (sign > 0 ? value : -value)
  positions.feesPaid[row] = positions.feesPaid[row]! + fee
  if (positions.isolated[row] === 0) {
    accounts.balance[account] = accounts.balance[account]! - fee
  } else {
    margin = mulPpmCeil(value, initialFraction(market, positions.leverage[row]!))
    accounts.balance[account] = accounts.balance[account]! - margin - fee
    positions.wallet[row] = positions.wallet[row]! + margin
  }
  const at = record(state, log, market, row, sign > 0 ? OPEN_LONG : OPEN_SHORT, fill)
  log.rows[at + filled.pnl] = fee === 0 ? 0 : -fee
  log.rows[at + filled.entryCost] = positions.cost[row]!
  log.rows[at + filled.entryLots] = positions.lots[row]!
  if (margin === 0) return
  const moved = log.append(MARGIN_MOVED)
  log.rows[moved + isolatedMarginMoved.account] = account
  log.rows[moved + isolatedMarginMoved.market] = market.id
  log.rows[moved + isolatedMarginMoved.amount] = margin
  log.rows[moved + isolatedMarginMoved.wallet] = positions.wallet[row]!
  log.rows[moved + isolatedMarginMoved.balance] = accounts.balance[account]!
}

/** The `Filled` row but for its last three numbers, which the caller knows; gives its place. */
function record(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  kind: number,
  fill: Fill,
): number {
  const at = log.append(FILLED)
  const { rows } = log
  rows[at + filled.history] = state.nextHistoryId++
  rows[at + filled.account] = state.positions.account[row]!
  rows[at + filled.counterparty] = fill.counterparty
  rows[at + filled.order] = fill.order
  rows[at + filled.market] = market.id
  rows[at + filled.kind] = kind
  rows[at + filled.role] = fill.role
  rows[at + filled.cause] = fill.cause
  rows[at + filled.lots] = fill.partLots
  rows[at + filled.price] = fill.price
  rows[at + filled.value] = fill.partValue
  rows[at + filled.fee] = fill.partFee
  return at
}
