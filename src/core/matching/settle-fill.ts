// Settles one side of a match or forced transfer: position and money (UNITS-2, FEE-1, MARGIN-6,
// ORDER-6). It writes; the caller has checked, and logs the results in the `Fill`.

import { broken } from '../../units/invariant.ts'
import { mulPpmCeil, mulPpmFloor, shareTrunc } from '../../units/rounding.ts'
import { columnsOf, headOf } from '../events/event-columns.ts'
import type { EventLog } from '../events/event-log.ts'
import type { Fill } from '../margin/fill.ts'
import * as fills from '../margin/fill.ts'
import { addedMargin, openingLoss, walletShare } from '../margin/margin-checks.ts'
import * as pool from '../pools/account-pool.ts'
import { noteProfit } from '../solvency/brake.ts'
import { addIncome } from '../solvency/insurance.ts'
import { touch } from '../solvency/update-index.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

// A module constant is compiled into the machine code (docs/performance.md).
const { FEES } = pool
const safeMax = Number.MAX_SAFE_INTEGER
const MARGIN_MOVED = headOf('IsolatedMarginMoved')
const marginMoved = columnsOf('IsolatedMarginMoved')

// Module constants are compiled into the machine code (docs/performance.md).
const { SHARE_LEAVES, SHARE_STAYS } = fills

/** Settles `fill` on this row for the side with this sign: closes first, then opens. */
export function settleFill(
  state: State,
  log: EventLog,
  market: Market,
  row: number,
  sign: number,
  fill: Fill,
): void {
  const { positions } = state
  const { balance } = state.accounts
  const account = positions.account[row]!
  const before = positions.lots[row]!
  const cost = positions.cost[row]!
  const wallet = positions.wallet[row]!
  const money = balance[account]!
  if (before === 0 && (cost !== 0 || wallet !== 0)) brokenFlat(cost, wallet)
  settleSide(state, log, market, row, sign, fill)
  const after = positions.lots[row]!
  const openInterest = market.openInterest + (after > 0 ? after : 0) - (before > 0 ? before : 0)
  // A side pays the value of its lots and the fee, whichever part was closed or opened.
  const left = balance[account]!
  const brought = left - money + (positions.wallet[row]! - wallet)
  const due = positions.cost[row]! - cost - sign * fill.value - fill.fee
  const isRight = after - before === sign * fill.lots && brought === due
  if (!(isRight && left <= safeMax && left >= -safeMax && openInterest >= 0))
    brokenFill(after - before - sign * fill.lots, brought - due, left, openInterest)
  market.openInterest = openInterest
  if (fill.closed > 0 && state.brake.setting !== null) noteProfit(state, row, fill.gained)
}

function brokenFlat(cost: number, wallet: number): never {
  if (cost !== 0) broken('a flat position has a cost', cost)
  return broken('a flat position has a wallet', wallet)
}

function brokenFill(lots: number, money: number, left: number, openInterest: number): never {
  if (lots !== 0) broken('a fill moves other lots than its own, too many by', lots)
  if (!(Math.abs(left) <= safeMax)) broken('a fill leaves an unsafe balance', left)
  if (!(openInterest >= 0)) broken('open interest is below zero', openInterest)
  return broken('a fill makes or loses money', money)
}

/** Like `settleFill`, but does not update open interest: copied accounts count their own. */
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
  const held = Math.abs(before)
  const closing = before * sign < 0 ? Math.min(held, fill.lots) : 0
  const opening = fill.lots - closing
  fill.closed = closing
  fill.closedCost = 0
  fill.gained = 0
  fill.fee = 0
  if (closing > 0) {
    fill.partLots = closing
    fill.partValue = opening === 0 ? fill.value : closing * fill.price * market.unitValue
    closePart(state, row, sign, fill)
  }
  if (opening > 0) {
    fill.partLots = opening
    fill.partValue = closing === 0 ? fill.value : fill.value - fill.partValue
    openPart(state, log, market, row, sign, fill)
  }
  positions.updatedAt[row] = state.commandAtMs
  touch(state, positions.account[row]!)
}

/** FEE-1: credits this side's fee for the part to the fee account or the fund. The caller deducts
 *  it from the account. */
function chargeFee(state: State, fill: Fill): void {
  const { balance } = state.accounts
  if (fill.feePpm < 0) {
    const rebate = Math.min(mulPpmFloor(fill.partValue, -fill.feePpm), balance[FEES]!)
    balance[FEES] = balance[FEES]! - rebate
    fill.partFee = 0 - rebate
    fill.fee += fill.partFee
    return
  }
  const fee = mulPpmCeil(fill.partValue, fill.feePpm)
  fill.partFee = fee
  fill.fee += fee
  if (fill.feeToFund) addIncome(state, fee)
  else balance[FEES] = balance[FEES]! + fee
  if (!(balance[FEES]! >= 0)) broken('the fee account is below zero', balance[FEES]!)
}

function closePart(state: State, row: number, sign: number, fill: Fill): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  const lots = fill.partLots
  const before = positions.lots[row]!
  const held = Math.abs(before)
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
  } else if (fill.wallets !== SHARE_LEAVES) {
    positions.wallet[row] = positions.wallet[row]! + gained
    if (lots === held && fill.wallets === SHARE_STAYS) sendHome(state, row)
  } else {
    const part = walletShare(positions.wallet[row]!, lots, held)
    const out = part + gained
    accounts.balance[account] = accounts.balance[account]! + Math.max(0, out)
    positions.wallet[row] = positions.wallet[row]! - part + Math.min(0, out)
  }
  fill.closedCost = share
  fill.gained = gained
  fill.balance = accounts.balance[account]!
  fill.wallet = positions.wallet[row]!
}

/** MARGIN-6: empties the wallet of a flat position. A shortfall is paid later (LIQ-5). */
export function sendHome({ accounts, positions }: State, row: number): void {
  const account = positions.account[row]!
  const left = Math.max(0, positions.wallet[row]!)
  accounts.balance[account] = accounts.balance[account]! + left
  positions.wallet[row] = positions.wallet[row]! - left
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
    positions.openedAt[row] = state.commandAtMs
    positions.fundingPaid[row] = 0
    positions.feesPaid[row] = 0
  }
  chargeFee(state, fill)
  const value = fill.partValue
  const fee = fill.partFee
  positions.lots[row] = before + sign * fill.partLots
  positions.cost[row] = positions.cost[row]! + (sign > 0 ? value : -value)
  positions.feesPaid[row] = positions.feesPaid[row]! + fee
  const balance = accounts.balance[account]! - fee
  accounts.balance[account] = balance
  fill.balance = balance
  fill.wallet = positions.wallet[row]!
  if (positions.isolated[row] === 0) return
  const held = Math.abs(before) * market.lotValue
  const margin =
    addedMargin(market, positions.leverage[row]!, held, value) +
    openingLoss(market, sign, fill.partLots, value)
  if (margin === 0) return
  accounts.balance[account] = balance - margin
  positions.wallet[row] = positions.wallet[row]! + margin
  const at = log.append(MARGIN_MOVED)
  const { rows } = log
  rows[at + marginMoved.account] = account
  rows[at + marginMoved.market] = market.id
  rows[at + marginMoved.amount] = margin
  rows[at + marginMoved.wallet] = positions.wallet[row]!
  rows[at + marginMoved.balance] = accounts.balance[account]!
  rows[at + marginMoved.lots] = positions.lots[row]!
  rows[at + marginMoved.cost] = positions.cost[row]!
}
