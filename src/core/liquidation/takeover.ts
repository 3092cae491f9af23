// The fund pays what a scope owes, and the markets' backstops take its positions at mark (LIQ-4).

import { compareProducts, ratioFloor } from '../../units/wide.ts'
import { AccountSums, sumAccount } from '../accounts/margin.ts'
import { rowOf } from '../accounts/position-row.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import type { Market } from '../markets/market.ts'
import { limits } from '../rules/limits.ts'
import type { State } from '../state/state.ts'
import { transferByForce } from './forced-transfer.ts'
import { coverBalance, payDebt } from './insurance.ts'
import { stepOf } from './liquidation-step.ts'
import {
  addToScope,
  healthOf,
  isHealthy,
  reachableOf,
  type Scope,
  type ScopeHealth,
  type ScopePosition,
  scopeOf,
} from './scope.ts'

export function takeoverTurn(state: State, log: EventLog, number: number): void {
  const scope = scopeOf(number)
  settleFunding(state, log, scope.account)
  let health = healthOf(state, scope)
  if (isHealthy(health) || reachableOf(state, health).length === 0) return
  const owed = health.equity < 0
  if (owed) {
    payDebt(state, log, scope, debtOf(state, log, health))
    health = healthOf(state, scope)
    if (health.equity < 0) {
      state.deleverageQueue.add(number)
      return
    }
  }
  const taken = reachableOf(state, health).filter((position) => !isFull(state, log, position))
  const funds = owed ? health.equity : health.equity + behindOfOthers(health, taken)
  for (const position of taken)
    takeOver(state, log, scope, position, marginOf(position, health, funds))
  if (owed) takeUnreachable(state, log, scope, health)
  const left = healthOf(state, scope)
  // With nothing left to hold no more than the equity was taken, so that nothing is owed (LIQ-5).
  if (reachableOf(state, left).length === 0) return
  // What it kept may be enough for what it holds now.
  if (!owed && isHealthy(left)) return
  if (owed || !mayWait(state, left)) state.deleverageQueue.add(number)
  else stepOf(state, log, scope, left)
}

/** Who would owe at the oracle after an hour's funding must not wait for a book that he keeps
 *  empty. */
function mayWait({ rules }: State, { equity, ahead, maintenance }: ScopeHealth): boolean {
  const { fullOracleParts } = rules.liquidation
  return compareProducts([fullOracleParts, equity - ahead], [1, maintenance]) >= 0
}

/** What those that are not taken over are behind the oracle by: their owner keeps it. */
function behindOfOthers({ positions }: ScopeHealth, taken: readonly ScopePosition[]): number {
  let behind = 0
  for (const position of positions) if (!taken.includes(position)) behind += position.behind
  return behind
}

/** What the fund is asked for. Where a backstop is full, others close at mark: what that is behind
 *  the oracle by is then theirs to pay, and not the fund's. */
function debtOf(state: State, log: EventLog, health: ScopeHealth): number {
  const { equity, behind } = health
  const isOpen = (position: ScopePosition) => !isFull(state, log, position)
  if (behind === 0 || reachableOf(state, health).every(isOpen)) return -equity
  return Math.max(0, -equity - behind)
}

/** Whoever the fund has paid for keeps nothing: what would be left to him is a free option. */
function takeUnreachable(state: State, log: EventLog, scope: Scope, health: ScopeHealth): void {
  const reachable = reachableOf(state, health)
  for (const position of health.positions) {
    if (reachable.includes(position)) continue
    settleFunding(state, log, position.market.backstop)
    const margin = marginOf(position, health, health.equity)
    if (isBounded(state, position)) takeOver(state, log, scope, position, margin)
  }
}

const sums = new AccountSums()

/** Whether the market's backstop cannot take this position. */
function isFull(state: State, log: EventLog, position: ScopePosition): boolean {
  const { market } = position
  settleFunding(state, log, market.backstop)
  const { backstopValueMax, backstopDailyLossMax } = market.params
  return (
    backstopLoss(state, market) > backstopDailyLossMax ||
    heldWith(state, position) * market.mark > backstopValueMax ||
    !isBounded(state, position)
  )
}

/** UNITS-4 would hold for the backstop with the position. */
function isBounded(state: State, position: ScopePosition): boolean {
  return heldWith(state, position) * position.market.params.tickMax <= limits.moneyMax
}

/** What the backstop would hold with the position, at one tick. */
function heldWith(state: State, { row, market }: ScopePosition): number {
  // The row first: making one may replace the pool's arrays.
  const backstop = rowOf(state, market, market.backstop)
  const { lots } = state.positions
  return Math.abs(lots[backstop]! + lots[row]!) * market.unitValue
}

/** What the backstop has lost since it was first looked at today; below zero it has gained. */
function backstopLoss(state: State, market: Market): number {
  sumAccount(state, market.backstop, 0, sums)
  if (market.backstopDay !== state.day) {
    market.backstopDay = state.day
    market.backstopDayEquity = sums.equity
  }
  return market.backstopDayEquity - sums.equity
}

/** What is left in the wallet of an isolated position that is gone is the account's again. */
function returnWallet({ accounts, positions }: State, row: number): void {
  const account = positions.account[row]!
  accounts.balance[account] = accounts.balance[account]! + positions.wallet[row]!
  positions.wallet[row] = 0
}

/** What a position is ahead by, as far as what there is goes for what all are. */
function aheadPaid(position: ScopePosition, ahead: number, funds: number): number {
  if (funds >= ahead) return position.ahead
  return funds <= 0 ? 0 : ratioFloor([funds, position.ahead], [ahead])
}

/** What it is ahead by comes first, then its share of what that leaves of `funds`, which the scope
 *  has for all its takeovers. */
function marginOf(position: ScopePosition, health: ScopeHealth, funds: number): number {
  const { market, maintenance } = position
  const free = Math.max(0, funds - health.ahead)
  return (
    aheadPaid(position, health.ahead, funds) +
    Math.min(
      ratioFloor([maintenance, market.params.liquidationConcessionPpm], [1_000_000]),
      ratioFloor([free, maintenance], [health.maintenance]),
    )
  )
}

function takeOver(
  state: State,
  log: EventLog,
  scope: Scope,
  position: ScopePosition,
  margin: number,
): void {
  const { accounts, positions } = state
  const { row, market } = position
  const lots = positions.lots[row]!
  const held = Math.abs(lots)
  const value = held * market.lotValue
  transferByForce(state, log, {
    market,
    from: row,
    to: rowOf(state, market, market.backstop),
    lots: held,
    price: market.mark,
    value,
    cause: 'backstop_liquidation',
  })
  addToScope(state, scope, -margin)
  if (scope.market !== 0) returnWallet(state, row)
  accounts.balance[market.backstop] = accounts.balance[market.backstop]! + margin
  log.write({
    type: 'BackstopTookOver',
    account: scope.account,
    market: market.id,
    backstop: market.backstop,
    lots,
    value,
    margin,
    balance: accounts.balance[scope.account]!,
    wallet: positions.wallet[row]!,
    backstopBalance: accounts.balance[market.backstop]!,
  })
  coverBalance(state, log, market.backstop)
}
