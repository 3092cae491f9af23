// The last resort: closes a position against those on the other side, the most profitable and most
// leveraged first, at mark, or at a price that leaves the account at exactly zero (LIQ-6).

import { divCeil, mulDivFloor } from '../../units/rounding.ts'
import { compareProducts } from '../../units/wide.ts'
import type { EventLog } from '../events/event-log.ts'
import { settleFunding } from '../funding/settle-funding.ts'
import { Health, sumScope } from '../margin/equity.ts'
import { maintenanceOf } from '../margin/margin.ts'
import { DEFICIT, INSURANCE } from '../pools/account-pool.ts'
import { addIncome, coverBalance, coverWallet } from '../solvency/insurance.ts'
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
import { BestEntries } from './best-entries.ts'
import { payMargin, transferByForce } from './forced-transfer.ts'
import { takeoverMargin } from './takeover.ts'

/** The sale to be placed: total lots and value, and the margin for a number of these lots. */
type Sale = Readonly<{
  market: Market
  row: number
  lots: number
  value: number
  marginOf(lots: number): number
}>

type Candidate = Readonly<{
  row: number
  account: number
  lots: number
  profit: number
  notional: number
  cost: number
  equity: number
  /** profit·notional ÷ (cost·equity), as a rounded float. */
  score: number
  /** 1: the account stays above maintenance; 2: it stays above zero; 3: it cannot pay. */
  pass: number
}>

type Score = Pick<Candidate, 'profit' | 'notional' | 'cost' | 'equity' | 'score'>

/** Profit per dollar of cost, times the leverage in use. */
export function scoreOf({ profit, notional, cost, equity }: Omit<Score, 'score'>): number {
  return (profit * notional) / (cost * equity)
}

export function deleverageTurn(state: State, log: EventLog, number: number): void {
  const scope = scopeOf(number)
  settleFunding(state, log, scope.account)
  const health = healthOf(state, scope)
  if (isHealthy(health)) return
  const reachable = reachableOf(state, health)
  if (reachable.length === 0) return
  const debts = debtsOf(health)
  for (const position of reachable)
    deleverage(state, log, saleOf(state, health, position, debts.get(position.row)!))
  if (scope.market === 0) coverBalance(state, log, scope.account)
  else for (const { row } of health.positions) coverWallet(state, log, row)
}

/** The debt of the scope by row, split by notional. The share of a position whose market cannot be
 *  used now stays with that position. */
function debtsOf({ equity, positions }: ScopeHealth): Map<number, number> {
  const byMarket = [...positions].sort((one, other) => one.market.id - other.market.id)
  const total = notionalOf(byMarket)
  const debt = Math.max(0, -equity)
  const debts = new Map<number, number>()
  let left = debt
  let largest = byMarket[0]!
  for (const position of byMarket) {
    const part = portionOf(debt, position, total)
    debts.set(position.row, part)
    left -= part
    if (position.notional > largest.notional) largest = position
  }
  debts.set(largest.row, debts.get(largest.row)! + left)
  return debts
}

/** Total notional of the positions, which may exceed a safe integer. */
function notionalOf(positions: readonly ScopePosition[]): bigint {
  return positions.reduce((sum, { notional }) => sum + BigInt(notional), 0n)
}

function portionOf(amount: number, { notional }: ScopePosition, total: bigint): number {
  return +((BigInt(amount) * BigInt(notional)) / total).toString()
}

function saleOf(state: State, health: ScopeHealth, position: ScopePosition, debt: number): Sale {
  const { row, market, notional } = position
  const signed = state.positions.lots[row]!
  const held = Math.abs(signed)
  const value = signed > 0 ? notional + debt : Math.max(0, notional - debt)
  const marginOf = (lots: number) => takeoverMargin(health, position, lots, held)
  return { market, row, lots: held, value, marginOf }
}

function deleverage(state: State, log: EventLog, sale: Sale): void {
  const candidates = candidatesOf(state, log, sale)
  const given: { candidate: Candidate; lots: number }[] = []
  const buckets = sale.market.rules.liquidation.deleverageBuckets
  let left = sale.lots
  for (const pass of [1, 2]) {
    const ranked = candidates.filter((each) => each.pass === pass).sort(byRank)
    for (const [candidate, lots] of shares(ranked, left, buckets)) {
      given.push({ candidate, lots })
      left -= lots
    }
  }
  let paid = 0
  let placed = 0
  for (const { candidate, lots } of given) {
    placed += lots
    const value =
      placed === sale.lots ? sale.value - paid : mulDivFloor(sale.value, lots, sale.lots)
    paid += value
    transferByForce(state, log, {
      market: sale.market,
      from: sale.row,
      to: candidate.row,
      lots,
      price: 0,
      value,
      cause: 'deleverage',
    })
    const margin = sale.marginOf(lots)
    payMargin(state, sale.row, margin)
    addIncome(state, margin)
    logDeleveraged(state, log, sale, { row: candidate.row, lots, value, margin })
    if (state.positions.isolated[candidate.row] === 1) coverWallet(state, log, candidate.row)
    else coverBalance(state, log, candidate.account)
  }
}

function logDeleveraged(
  { accounts, positions }: State,
  log: EventLog,
  { market, row }: Sale,
  { row: other, ...given }: Readonly<{ row: number; lots: number; value: number; margin: number }>,
): void {
  const account = positions.account[row]!
  const counterparty = positions.account[other]!
  log.write({
    ...{ type: 'Deleveraged', account, counterparty, market: market.id, ...given },
    fund: accounts.balance[INSURANCE]!,
    deficit: accounts.balance[DEFICIT]!,
    accountLots: positions.lots[row]!,
    accountBalance: accounts.balance[account]!,
    accountWallet: positions.wallet[row]!,
    counterpartyLots: positions.lots[other]!,
    counterpartyBalance: accounts.balance[counterparty]!,
    counterpartyWallet: positions.wallet[other]!,
  })
}

function candidatesOf(state: State, log: EventLog, sale: Sale): Candidate[] {
  const { positions } = state
  const { market, row } = sale
  const sign = positions.lots[row]! > 0 ? 1 : -1
  const best = new BestEntries(positions, state.rules.limits.deleverageCandidates)
  for (let account = 1; account < market.rowOf.length; account++) {
    const other = market.rowOf[account]!
    if (positions.lots[other]! * sign < 0) best.consider(other)
  }
  const rows = best.byAccount()
  state.unitsUsed += rows.length
  for (const other of rows) settleFunding(state, log, positions.account[other]!)
  return rows.map((other) => candidateOf(state, sale, other))
}

const sums = new Health()

function candidateOf(state: State, sale: Sale, row: number): Candidate {
  const { positions } = state
  const { market } = sale
  const signed = positions.lots[row]!
  const held = Math.abs(signed)
  const lotValue = market.lotValue
  sumScope(state, row, sums)
  const { equity, maintenance } = sums
  const take = Math.min(held, sale.lots)
  const value = mulDivFloor(sale.value, take, sale.lots)
  // A short buys back for `value`, a long sells for it. Its gain is measured against mark.
  const after = equity + (signed > 0 ? value - take * lotValue : take * lotValue - value)
  const needed =
    maintenance -
    maintenanceOf(market, held * lotValue) +
    maintenanceOf(market, (held - take) * lotValue)
  const profit = signed * lotValue - positions.cost[row]!
  const notional = held * lotValue
  const cost = Math.abs(positions.cost[row]!)
  return {
    row,
    account: positions.account[row]!,
    lots: held,
    profit,
    notional,
    cost,
    equity,
    score: scoreOf({ profit, notional, cost, equity }),
    pass: after >= needed ? 1 : after >= 0 ? 2 : 3,
  }
}

/** Sorts by profit·notional ÷ (|cost|·equity), falling, then by account id. Losing positions come
 *  last. */
function byRank(one: Candidate, other: Candidate): number {
  const wins = one.profit > 0 && one.equity > 0
  const otherWins = other.profit > 0 && other.equity > 0
  if (wins !== otherWins) return wins ? -1 : 1
  if (wins) {
    const difference = compareScores(one, other)
    if (difference !== 0) return difference
  }
  return one.account - other.account
}

/** Two products and a quotient have a relative error below 10^-15, so scores that differ by more
 *  than this share of the larger one need no exact comparison. A score may be infinite (cost 0),
 *  and is then always compared exactly. */
const scoreError = 1e-14

/** Sorts the higher score first, exactly. */
export function compareScores(one: Score, other: Score): number {
  const difference = other.score - one.score
  const larger = Math.max(one.score, other.score)
  if (Math.abs(difference) > scoreError * larger) return difference
  return compareProducts(
    [other.profit, other.notional, one.cost, one.equity],
    [one.profit, one.notional, other.cost, other.equity],
  )
}

/** Splits `wanted` lots among the candidates: bucket by bucket, pro rata in the bucket that is too
 *  large. */
function shares(
  ranked: readonly Candidate[],
  wanted: number,
  buckets: number,
): [Candidate, number][] {
  const size = divCeil(ranked.length, buckets)
  const given: [Candidate, number][] = []
  let left = wanted
  for (let start = 0; start < ranked.length && left > 0; start += size) {
    const bucket = ranked.slice(start, start + size)
    const total = bucket.reduce((sum, { lots }) => sum + lots, 0)
    const parts = total <= left ? bucket.map(({ lots }) => lots) : proRata(bucket, total, left)
    bucket.forEach((candidate, at) => {
      const lots = parts[at]!
      if (lots > 0) given.push([candidate, lots])
      left -= lots
    })
  }
  return given
}

function proRata(bucket: readonly Candidate[], total: number, wanted: number): number[] {
  const parts = bucket.map(({ lots }) => mulDivFloor(wanted, lots, total))
  let rest = wanted - parts.reduce((sum, lots) => sum + lots, 0)
  // Each share was rounded down by less than a lot and is below the candidate's lots, so the first
  // candidates always have room for the remainder.
  for (let at = bucket.length - 1; rest > 0; at--) {
    const more = Math.min(rest, bucket[at]!.lots - parts[at]!)
    parts[at] = parts[at]! + more
    rest -= more
  }
  return parts
}
