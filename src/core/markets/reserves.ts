// The exchange's own money (MARKET-3, FEE-4, LIQ-5): moves by an operator, the hourly share of fees
// that goes to the insurance fund, and the share that the fund may pay per day.

import { broken } from '../../units/invariant.ts'
import { mulPpmFloor } from '../../units/rounding.ts'
import { PPM, ppm } from '../../units/units.ts'
import { accountRefusal } from '../admission/admit.ts'
import { moveDayHighs } from '../admission/key-limit.ts'
import type { CommandOf } from '../commands/commands.ts'
import { amountRefusal, type Rejection, refuse } from '../commands/rejections.ts'
import type { EventLog } from '../events/event-log.ts'
import { AccountSums, sumAccount, withdrawableOf } from '../margin/margin.ts'
import { DEFICIT, FEES, INSURANCE } from '../pools/account-pool.ts'
import { addIncome } from '../solvency/insurance.ts'
import { touch } from '../solvency/update-index.ts'
import type { State } from '../state/state.ts'

export type ReserveMove = Pick<CommandOf<'MoveReserve'>, 'from' | 'to' | 'amount'>

/** Executes a move that `moveRefusal` accepts. */
export function moveReserve(state: State, log: EventLog, move: ReserveMove): void {
  const { from, to, amount } = move
  const { balance, pending } = state.accounts
  if (!(balance[from]! >= amount)) broken('a reserve gives more than it has', balance[from]!)
  add(state, from, -amount)
  add(state, to, amount)
  log.write({
    type: 'ReserveMoved',
    from,
    to,
    amount,
    fromBalance: balance[from]!,
    fromPending: pending[from]!,
    toBalance: balance[to]!,
    toPending: pending[to]!,
  })
}

export function moveRefusal(state: State, { from, to, amount }: ReserveMove): Rejection | null {
  const unknown = accountRefusal(state, from) ?? accountRefusal(state, to)
  if (unknown !== null) return unknown
  const { reserved } = state.accounts
  const owes = from === DEFICIT || to === DEFICIT
  if (owes || from === to || (reserved[from] === 0 && reserved[to] === 0))
    return refuse('UNSUPPORTED_OPERATION')
  const invalid = amountRefusal(amount, Number.MAX_SAFE_INTEGER)
  if (invalid !== null) return invalid
  const available = availableOf(state, from)
  return amount > available ? refuse('FUND_TOO_SMALL', amount, available) : null
}

const sums = new AccountSums()

/** The amount that an account can give. A backstop keeps the losses of its positions, a client
 *  account the amount required by MARGIN-7. */
function availableOf(state: State, account: number): number {
  const { reserved, balance } = state.accounts
  if (reserved[account] === 0) return Math.max(0, withdrawableOf(state, account))
  if (account === FEES || account === INSURANCE) return balance[account]!
  sumAccount(state, account, 0, sums)
  return Math.max(0, Math.min(balance[account]!, sums.equity))
}

/** The moved amount counts neither as income of the fee account nor as a daily loss of a
 *  backstop. */
function add(state: State, account: number, amount: number): void {
  const { balance, reserved } = state.accounts
  balance[account] = balance[account]! + amount
  if (account === FEES) state.feesShared += amount
  moveDayHighs(state, account, amount)
  if (reserved[account] === 0) touch(state, account)
  for (const market of state.markets)
    if (market?.backstop === account) market.backstopDayEquity += amount
}

export function setInsuranceShare(
  state: State,
  log: EventLog,
  { sharePpm }: CommandOf<'SetInsuranceShare'>,
): Rejection | null {
  const refusal = partRefusal(sharePpm)
  if (refusal !== null) return refusal
  state.insuranceSharePpm = ppm(sharePpm)
  log.write({ type: 'InsuranceShareSet', sharePpm: ppm(sharePpm) })
  return null
}

/** Sets the daily maximum of the fund (LIQ-5). It applies to today, too. */
export function setFundDailyMax(
  state: State,
  log: EventLog,
  { dailyMax }: CommandOf<'SetFundDailyMax'>,
): Rejection | null {
  const refusal = partRefusal(dailyMax)
  if (refusal !== null) return refusal
  state.fundDailyMax = ppm(dailyMax)
  log.write({ type: 'FundDailyMaxSet', dailyMax: ppm(dailyMax) })
  return null
}

function partRefusal(part: number): Rejection | null {
  if (!Number.isSafeInteger(part)) return refuse('INVALID_PARAMETER', 0)
  return part >= 0 && part <= PPM ? null : refuse('INVALID_PARAMETER', part)
}

/** At the full hour: pays the fund's share of the income of the fee account since the previous
 *  hour. */
export function shareFees(state: State, log: EventLog): void {
  const { balance } = state.accounts
  state.feesHour += 1
  if (!(balance[FEES]! >= 0)) broken('fees are shared of less than nothing', balance[FEES]!)
  const gained = balance[FEES]! - state.feesShared
  const part = gained > 0 ? mulPpmFloor(gained, state.insuranceSharePpm) : 0
  // An operator may already have moved the income.
  const amount = Math.min(part, balance[FEES]!)
  balance[FEES] = balance[FEES]! - amount
  state.feesShared = balance[FEES]!
  if (amount === 0) return
  addIncome(state, amount)
  const fund = balance[INSURANCE]!
  const deficit = balance[DEFICIT]!
  log.write({ type: 'FeesShared', amount, fees: balance[FEES]!, fund, deficit })
}
