// Computes the accounts that a change of a market's parameters would affect now, before it is
// announced, with the code that will apply it. Changes nothing.

import type { Quote } from '../../units/units.ts'
import type { AccountId, MarketId } from '../commands/ids.ts'
import type { MarketChange, MarketParams } from '../commands/market-params.ts'
import { mayStep } from '../liquidation/liquidation-step.ts'
import { AccountSums, sumAccount } from '../margin/margin.ts'
import { REDUCE_ONLY } from '../pools/order-pool.ts'
import { isLively } from '../prices/trading.ts'
import {
  healthOf,
  isHealthy,
  reachableOf,
  rowsOf,
  type Scope,
  type ScopeHealth,
  scopeOfRow,
} from '../solvency/scope.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** A scope that is healthy now and would fall below its maintenance. */
export type FallenScope = Readonly<{
  account: AccountId
  /** The isolated market, or 0 for cross. */
  scope: MarketId | 0
  equity: Quote
  maintenance: Quote
  maintenanceThen: Quote
  /** What the next price triggers (LIQ-2): a step into the book, a takeover by the backstop (the
   *  lots it has no room for are deleveraged), or nothing until the market trades. */
  fate: 'step' | 'backstop' | 'waits'
  /** Orders that the liquidation cancels. */
  orders: number
}>

/** An account that keeps its positions and orders, but cannot open more until it has more
 *  margin. */
export type ShortAccount = Readonly<{
  account: AccountId
  equity: Quote
  requirement: Quote
  requirementThen: Quote
}>

export type ChangePreview = Readonly<{
  /** Number of accounts checked: those with a position or an order in the market. */
  holders: number
  fallen: readonly FallenScope[]
  short: readonly ShortAccount[]
}>

type Standing = Readonly<{ scope: Scope; health: ScopeHealth; equity: number; requirement: number }>

export function previewChange(state: State, market: Market, change: MarketChange): ChangePreview {
  const accounts = holdersOf(state, market)
  const now = accounts.map((account) => standingOf(state, market, account))
  return asIf(market, { ...market.params, ...change }, () => {
    const then = accounts.map((account) => standingOf(state, market, account))
    return {
      holders: accounts.length,
      fallen: then.flatMap((each, at) => fallenOf(state, market, now[at]!, each)),
      short: then.flatMap((each, at) => shortOf(now[at]!, each)),
    }
  })
}

/** Sets the parameters for the duration of this call and restores them. Tiers that are kept for an
 *  hour are ignored, so the result is the final one. A copy of the market would have a different
 *  hidden class and slow down every later order. */
function asIf<T>(market: Market, params: MarketParams, ask: () => T): T {
  const { params: before, changes } = market
  market.changes = []
  market.setParams(params)
  try {
    return ask()
  } finally {
    market.changes = changes
    market.setParams(before)
  }
}

function holdersOf(state: State, market: Market): readonly number[] {
  const { positions, accounts } = state
  const held: number[] = []
  for (let account = 1; account < market.rowOf.length; account++) {
    const row = market.rowOf[account]!
    if (row === 0 || accounts.reserved[account] === 1) continue
    if (positions.lots[row] !== 0 || positions.orderCount[row] !== 0) held.push(account)
  }
  return held
}

const sums = new AccountSums()

function standingOf(state: State, market: Market, account: number): Standing {
  const scope = scopeOfRow(state, market.rowOf[account]!)
  sumAccount(state, account, 0, sums)
  const { equity, requirement } = sums
  return { scope, health: healthOf(state, scope), equity, requirement }
}

function fallenOf(
  state: State,
  market: Market,
  { health: before }: Standing,
  { scope, health }: Standing,
): readonly FallenScope[] {
  if (!isHealthy(before) || isHealthy(health)) return []
  return [
    {
      account: scope.account as AccountId,
      scope: scope.market as MarketId | 0,
      equity: health.equity as Quote,
      maintenance: before.maintenance as Quote,
      maintenanceThen: health.maintenance as Quote,
      fate: fateOf(state, market, scope, health),
      orders: cancelledOf(state, scope),
    },
  ]
}

/** The next action of LIQ-2 for the scope. */
function fateOf(state: State, market: Market, scope: Scope, health: ScopeHealth) {
  if (!isLively(state, market)) return 'waits'
  if (mayStep(state, scope, health)) return 'step'
  return reachableOf(state, health).length > 0 ? 'backstop' : 'step'
}

/** Counts resting and waiting orders that are not reduce-only. */
function cancelledOf(state: State, scope: Scope): number {
  const { orders, positions } = state
  let count = 0
  for (const row of rowsOf(state, scope))
    for (let slot = positions.ordersHead[row]!; slot !== 0; slot = orders.rowNext(slot))
      if ((orders.flags(slot) & REDUCE_ONLY) === 0) count += 1
  return count
}

function shortOf(before: Standing, then: Standing): readonly ShortAccount[] {
  if (before.equity < before.requirement || then.equity >= then.requirement) return []
  return [
    {
      account: then.scope.account as AccountId,
      equity: then.equity as Quote,
      requirement: before.requirement as Quote,
      requirementThen: then.requirement as Quote,
    },
  ]
}
