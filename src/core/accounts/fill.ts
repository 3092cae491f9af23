// One side of a match or forced transfer: the position, the money and the record of it (UNITS-2,
// FEE-1, MARGIN-6, ORDER-6). Writes; whoever calls has checked.

import { mulPpmCeil, mulPpmFloor, shareTrunc } from '../../units/rounding.ts'
import { type EventLog, kindOfEvent } from '../events/event-log.ts'
import { addIncome } from '../liquidation/insurance.ts'
import type { Market } from '../markets/market.ts'
import type { State } from '../state.ts'
import { FEES } from './account-pool.ts'
import { initialFraction } from './margin.ts'
import { walletShare } from './margin-checks.ts'

const FILLED = kindOfEvent('Filled')

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
  const { positions } = state
  const before = positions.lots[row]!
  const held = before < 0 ? -before : before
  const closing = before * sign < 0 ? Math.min(held, fill.lots) : 0
  const opening = fill.lots - closing
  if (closing > 0) {
    const value = opening === 0 ? fill.value : closing * fill.price * market.unitValue
    closePart(state, log, market, row, sign, closing, value, fill)
  }
  if (opening > 0) {
    const value = closing === 0 ? fill.value : opening * fill.price * market.unitValue
    openPart(state, log, market, row, sign, opening, value, fill)
  }
  const after = positions.lots[row]!
  market.openInterest += (after > 0 ? after : 0) - (before > 0 ? before : 0)
  positions.updatedAt[row] = state.atMs
  touch(state, positions.account[row]!)
}

/** The account's liquidation triggers have to be computed anew before the next price. */
export function touch(state: State, account: number): void {
  if (state.accounts.dirty[account] === 1) return
  state.accounts.dirty[account] = 1
  state.dirty.push(account)
}

/** FEE-1: what this side pays, taken from nobody yet; the fee account or fund has it already. */
function chargeFee(state: State, value: number, fill: Fill): number {
  const { balance } = state.accounts
  if (fill.feePpm >= 0) {
    const fee = mulPpmCeil(value, fill.feePpm)
    if (fill.feeToFund) addIncome(state, fee)
    else balance[FEES] = balance[FEES]! + fee
    return fee
  }
  const rebate = Math.min(mulPpmFloor(value, -fill.feePpm), balance[FEES]!)
  if (rebate === 0) return 0
  balance[FEES] = balance[FEES]! - rebate
  return -rebate
}

function closePart(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  lots: number,
  value: number,
  fill: Fill,
): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  const held = Math.abs(positions.lots[row]!)
  const share = lots === held ? positions.cost[row]! : shareTrunc(positions.cost[row]!, lots, held)
  const realised = -sign * value - share
  const fee = chargeFee(state, value, fill)
  positions.cost[row] = positions.cost[row]! - share
  positions.lots[row] = positions.lots[row]! + sign * lots
  positions.feesPaid[row] = positions.feesPaid[row]! + fee
  if (positions.isolated[row] === 0) {
    accounts.balance[account] = accounts.balance[account]! + realised - fee
  } else if (fill.keepShare) {
    positions.wallet[row] = positions.wallet[row]! + realised - fee
  } else {
    const part = walletShare(positions.wallet[row]!, lots, held)
    const out = part + realised - fee
    accounts.balance[account] = accounts.balance[account]! + Math.max(0, out)
    positions.wallet[row] = positions.wallet[row]! - part + Math.min(0, out)
  }
  const kind = (sign < 0 ? CLOSE_LONG : CLOSE_SHORT) + (fill.forced ? FORCED : 0)
  record(state, log, market, row, kind, lots, value, fill)
  const at = (log.count - 1) * 16
  log.rows[at + 12] = fee
  log.rows[at + 13] = realised - fee
  log.rows[at + 14] = share
  log.rows[at + 15] = -sign * lots
}

function openPart(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  lots: number,
  value: number,
  fill: Fill,
): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  if (positions.lots[row] === 0) {
    positions.fundingEpoch[row] = market.epoch
    positions.openedAt[row] = state.atMs
    positions.fundingPaid[row] = 0
    positions.feesPaid[row] = 0
  }
  const fee = chargeFee(state, value, fill)
  positions.lots[row] = positions.lots[row]! + sign * lots
  positions.cost[row] = positions.cost[row]! + sign * value
  positions.feesPaid[row] = positions.feesPaid[row]! + fee
  if (positions.isolated[row] === 0) {
    accounts.balance[account] = accounts.balance[account]! - fee
  } else {
    const margin = mulPpmCeil(value, initialFraction(market, positions.leverage[row]!))
    accounts.balance[account] = accounts.balance[account]! - margin - fee
    positions.wallet[row] = positions.wallet[row]! + margin
  }
  const kind = sign > 0 ? OPEN_LONG : OPEN_SHORT
  record(state, log, market, row, kind, lots, value, fill)
  const at = (log.count - 1) * 16
  log.rows[at + 12] = fee
  log.rows[at + 13] = fee === 0 ? 0 : -fee
  log.rows[at + 14] = positions.cost[row]!
  log.rows[at + 15] = positions.lots[row]!
}

/** The `Filled` row but for its last four numbers, which the caller knows. */
function record(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  kind: number,
  lots: number,
  value: number,
  fill: Fill,
): void {
  const at = log.append(FILLED)
  const { rows } = log
  rows[at + 1] = state.nextHistoryId++
  rows[at + 2] = state.positions.account[row]!
  rows[at + 3] = fill.counterparty
  rows[at + 4] = fill.order
  rows[at + 5] = market.id
  rows[at + 6] = kind
  rows[at + 7] = fill.role
  rows[at + 8] = fill.cause
  rows[at + 9] = lots
  rows[at + 10] = fill.price
  rows[at + 11] = value
}
