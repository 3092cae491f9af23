// The fund pays the debt of a scope, and the backstops of the markets take its positions at mark
// (LIQ-4).

import { divFloor, mulDivFloor, mulPpmFloor } from '../../units/rounding.ts'
import { ratioFloor } from '../../units/wide.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { AccountSums, sumAccount } from '../margin/margin.ts'
import { rowOf } from '../margin/position-row.ts'
import { limits } from '../rules/limits.ts'
import { coverBalance, payDebt } from '../solvency/insurance.ts'
import {
  healthOf,
  isHealthy,
  reachableOf,
  type ScopeHealth,
  type ScopePosition,
  scopeOf,
} from '../solvency/scope.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'
import { payMargin, transferByForce } from './forced-transfer.ts'

export function takeoverTurn(state: State, log: EventLog, number: number): void {
  const scope = scopeOf(number)
  settleFunding(state, log, scope.account)
  let health = healthOf(state, scope)
  if (isHealthy(health) || reachableOf(state, health).length === 0) return
  const owed = -health.equity
  if (owed > 0) {
    if (payDebt(state, log, scope, owed) < owed) {
      state.deleverageQueue.add(number)
      return
    }
    health = healthOf(state, scope)
  }
  const taken = reachableOf(state, health).map(
    (position) => [position, takenOf(state, log, position)] as const,
  )
  for (const [position, lots] of taken) if (lots > 0) takeOver(state, log, health, position, lots)
  if (owed > 0) takeUnreachable(state, log, health)
  const left = healthOf(state, scope)
  // If no position is left, the margin taken did not exceed the equity, so nothing is owed (LIQ-5).
  if (reachableOf(state, left).length === 0) return
  // The scope's remaining margin may be enough for its remaining positions.
  if (owed > 0 || !isHealthy(left)) state.deleverageQueue.add(number)
}

/** A scope whose debt the fund has paid keeps no position, because a position would be a free
 *  option. */
function takeUnreachable(state: State, log: EventLog, health: ScopeHealth): void {
  const reachable = reachableOf(state, health)
  for (const position of health.positions) {
    if (reachable.includes(position)) continue
    settleFunding(state, log, position.market.backstop)
    const held = Math.abs(state.positions.lots[position.row]!)
    if (isBounded(state, position, held)) takeOver(state, log, health, position, held)
  }
}

const sums = new AccountSums()

/** Lots of this position that the market's backstop can take. */
function takenOf(state: State, log: EventLog, position: ScopePosition): number {
  const { market, row } = position
  settleFunding(state, log, market.backstop)
  const { backstopValueMax, backstopDailyLossMax } = market.params
  if (backstopLoss(state, market) > backstopDailyLossMax) return 0
  const signed = state.positions.lots[row]!
  const own = backstopLots(state, market)
  const room = divFloor(backstopValueMax, market.lotValue) - (signed > 0 ? own : -own)
  const lots = Math.min(Math.abs(signed), Math.max(0, room))
  return isBounded(state, position, lots) ? lots : 0
}

/** Whether UNITS-4 would hold for the backstop with these lots of the position. */
function isBounded(state: State, { row, market }: ScopePosition, lots: number): boolean {
  const added = state.positions.lots[row]! > 0 ? lots : -lots
  const held = Math.abs(backstopLots(state, market) + added) * market.unitValue
  return held * market.params.tickMax <= limits.moneyMax
}

/** Signed lots. */
function backstopLots(state: State, market: Market): number {
  // Read the row first, because creating a row may replace the pool's arrays.
  const row = rowOf(state, market, market.backstop)
  return state.positions.lots[row]!
}

/** The backstop's loss since it was first checked today. Negative: a gain. */
function backstopLoss(state: State, market: Market): number {
  sumAccount(state, market.backstop, 0, sums)
  if (market.backstopDay !== state.day) {
    market.backstopDay = state.day
    market.backstopDayEquity = sums.equity
  }
  return market.backstopDayEquity - sums.equity
}

/** The margin that the backstop, or the fund for a deleveraging (LIQ-6), receives for `lots` of the
 *  `held` lots: a share of their maintenance, as far as the equity covers this share for all. */
export function takeoverMargin(
  { equity, maintenance }: ScopeHealth,
  position: ScopePosition,
  lots: number,
  held: number,
): number {
  const { liquidationConcessionPpm } = position.market.params
  const part = mulDivFloor(position.maintenance, lots, held)
  return Math.min(
    mulPpmFloor(part, liquidationConcessionPpm),
    ratioFloor([Math.max(0, equity), part], [maintenance]),
  )
}

function takeOver(
  state: State,
  log: EventLog,
  health: ScopeHealth,
  position: ScopePosition,
  lots: number,
): void {
  const { accounts, positions } = state
  const { row, market } = position
  const account = positions.account[row]!
  const before = positions.lots[row]!
  const value = lots * market.lotValue
  const margin = takeoverMargin(health, position, lots, Math.abs(before))
  transferByForce(state, log, {
    market,
    from: row,
    to: rowOf(state, market, market.backstop),
    lots,
    price: market.mark,
    value,
    cause: 'backstop_liquidation',
  })
  payMargin(state, row, margin)
  accounts.balance[market.backstop] = accounts.balance[market.backstop]! + margin
  log.write({
    type: 'BackstopTookOver',
    account,
    market: market.id,
    backstop: market.backstop,
    lots: before > 0 ? lots : -lots,
    value,
    margin,
    balance: accounts.balance[account]!,
    wallet: positions.wallet[row]!,
    backstopBalance: accounts.balance[market.backstop]!,
  })
  coverBalance(state, log, market.backstop)
}
