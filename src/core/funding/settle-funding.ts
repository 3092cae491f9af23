// Funding payments (FUND-4). A pool is open from the epoch until every position that existed then
// has paid or been paid. Accounts settle when a command touches them, all others in slices.

import { broken } from '../../units/invariant.ts'
import { ratioCeil, ratioFloor } from '../../units/wide.ts'
import type { EventLog } from '../events/event-log.ts'
import { DEFICIT, INSURANCE } from '../pools/account-pool.ts'
import { addIncome } from '../solvency/insurance.ts'
import { touch } from '../solvency/update-index.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** Settles all funding that the account owes or receives, markets by rising id. */
export function settleFunding(state: State, log: EventLog, account: number): void {
  if (state.openPools === 0) return
  const { positions } = state
  for (let row = state.accounts.rows[account]!; row !== 0; row = positions.nextOfAccount[row]!) {
    const market = state.markets[positions.market[row]!]!
    if (owes(state, market, row)) payFunding(state, log, market, row)
  }
}

function owes(state: State, market: Market, row: number): boolean {
  const { positions } = state
  return (
    market.poolOpen && positions.lots[row] !== 0 && positions.fundingEpoch[row]! < market.poolEpoch
  )
}

/** The amount that settling would pay to the row now. Negative: the row pays. */
export function owedFunding(state: State, market: Market, row: number): number {
  return owes(state, market, row) ? dueOf(market, state.positions.lots[row]!) : 0
}

function dueOf(market: Market, lots: number): number {
  return paymentOf(market, lots, market.fundingRate, market.fundingOracle)
}

/** The payment of FUND-4. Positive: the position receives it. */
export function paymentOf(
  { unitValue }: Market,
  lots: number,
  rate: number,
  oracle: number,
): number {
  const factors = [Math.abs(lots), oracle, unitValue, Math.abs(rate)]
  const pays = lots > 0 === rate > 0
  const divisors = [1_000_000, 1_000_000_000]
  const amount = pays ? ratioCeil(factors, divisors) : ratioFloor(factors, divisors)
  return pays && amount !== 0 ? -amount : amount
}

function payFunding(state: State, log: EventLog, market: Market, row: number): void {
  const { positions, accounts } = state
  const account = positions.account[row]!
  const lots = positions.lots[row]!
  const payment = dueOf(market, lots)
  positions.fundingEpoch[row] = market.poolEpoch
  positions.fundingPaid[row] = positions.fundingPaid[row]! - payment
  if (positions.isolated[row] === 1) positions.wallet[row] = positions.wallet[row]! + payment
  else accounts.balance[account] = accounts.balance[account]! + payment
  market.pool -= payment
  if (!Number.isSafeInteger(market.pool))
    broken('a funding pool is not a safe integer', market.pool)
  touch(state, account)
  log.write({
    ...{ type: 'FundingPaid', account, market: market.id, epoch: market.poolEpoch, lots, payment },
    cost: positions.cost[row]!,
    balance: accounts.balance[account]!,
    wallet: positions.wallet[row]!,
    fundingPaid: positions.fundingPaid[row]!,
  })
}

/** Settles up to `most` further positions by rising account id and returns how many. Closes the
 *  pool when no position is left, which costs nothing. */
export function settleSlice(state: State, log: EventLog, market: Market, most: number): number {
  let paid = 0
  while (paid < most) {
    const row = nextOwing(state, market)
    if (row === 0) {
      closePool(state, log, market)
      break
    }
    payFunding(state, log, market, row)
    paid += 1
  }
  return paid
}

function nextOwing(state: State, market: Market): number {
  const { rowOf } = market
  for (let account = market.poolCursor; account < rowOf.length; account++) {
    market.poolCursor = account
    const row = rowOf[account]!
    if (row !== 0 && owes(state, market, row)) return row
  }
  return 0
}

function closePool(state: State, log: EventLog, market: Market): void {
  const remainder = market.pool
  if (!market.poolOpen) broken('a funding pool closes that is not open, of market', market.id)
  if (!(remainder >= 0)) broken('a funding pool ends below zero', remainder)
  if (!(state.openPools > 0)) broken('a funding pool closes that was not counted', market.id)
  market.poolOpen = false
  market.pool = 0
  state.openPools -= 1
  addIncome(state, remainder)
  const { balance } = state.accounts
  log.write({
    type: 'FundingClosed',
    market: market.id,
    epoch: market.poolEpoch,
    remainder,
    fund: balance[INSURANCE]!,
    deficit: balance[DEFICIT]!,
  })
}

/** Settles all remaining positions of an open pool in one step (FUND-3, MARKET-4). */
export function settlePool(state: State, log: EventLog, market: Market): void {
  if (market.poolOpen) settleSlice(state, log, market, Number.POSITIVE_INFINITY)
}
