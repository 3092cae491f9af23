// Equity and requirements of an account (docs/rules/margin.md §1–3, §7). The sums kept per row do
// not depend on prices. Equity, maintenance and requirement are computed from them on demand.

import { broken } from '../../units/invariant.ts'
import { divCeil, mulPpmCeil, mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import { ratioCeil } from '../../units/wide.ts'
import type { RuleBook } from '../rules/rule-book.ts'
import type { Market, Tier } from '../state/market.ts'
import * as markets from '../state/market.ts'
import type { State } from '../state/state.ts'
import { takerPpmOf } from './fee-tier.ts'

// Module constants are compiled into the machine code (docs/performance.md).
const { LIVE } = markets

/** Sums over the rows of one account. Reused: read the result before the next call. */
export class AccountSums {
  /** Cross equity, at mark and guarded (MARGIN-3). */
  equity = 0
  guarded = 0
  maintenance = 0
  requirement = 0
  /** MARGIN-7: Σ min(0, guarded unrealised) of cross positions; Σ notional of cross positions in
   *  live markets; and the excess of notional over requirements in all other markets. */
  losses = 0
  notional = 0
  withheld = 0
  /** The account is frozen, so withdrawals are blocked. */
  frozen = false
  /** The account's taker rate today. */
  takerPpm = 0
}

/** Value of lots at the guarded price for their sign (MARGIN-3). */
export function guardedValue(market: Market, lots: number): number {
  return lots * (lots > 0 ? market.longValue : market.shortValue)
}

/** Initial fraction of the first tier in ppm (MARGIN-1). For another tier, pass its leverage
 *  instead of a larger setting. */
export function initialFraction(market: Market, leverageSetting: number): number {
  const { leverageMax } = market.params
  const leverage =
    leverageSetting === 0 || leverageSetting > leverageMax ? leverageMax : leverageSetting
  let fraction = market.fractions[leverage]!
  if (fraction === 0) {
    fraction = scaledFraction(market, divCeil(PPM, leverage))
    market.fractions[leverage] = fraction
  }
  return fraction
}

/** Initial margin of a notional: I(N) of MARGIN-1. */
export function initialMargin(market: Market, leverageSetting: number, notional: number): number {
  if (notional >= market.tierFrom) return tieredInitialMargin(market, leverageSetting, notional)
  return mulPpmCeil(notional, initialFraction(market, leverageSetting))
}

function tieredInitialMargin(market: Market, leverageSetting: number, notional: number): number {
  const { tiers } = market
  const leverage = leverageSetting === 0 ? market.params.leverageMax : leverageSetting
  let fraction = initialFraction(market, leverage)
  let deduction = 0
  for (let at = 1; at < tiers.length && tiers[at]!.fromValue <= notional; at++) {
    const { fromValue, maxLeverage } = tiers[at]!
    const above = initialFraction(market, leverage < maxLeverage ? leverage : maxLeverage)
    deduction += mulPpmFloor(fromValue, above - fraction)
    fraction = above
  }
  return mulPpmCeil(notional, fraction) - deduction
}

/** base + ⌈(OI − lower) × (10^6 − base) ÷ (upper − lower)⌉, at most 10^6. Sums over accounts may
 *  exceed a safe integer, so this uses BigInt, but only once per tick and leverage. */
export function scaledFraction(market: Market, base: number): number {
  const { openInterestLower, openInterestUpper } = market.params
  if (openInterestUpper <= openInterestLower) return base
  const interest = BigInt(market.interestLots) * BigInt(market.lotValue)
  const excess = interest - BigInt(openInterestLower)
  const span = openInterestUpper - openInterestLower
  if (excess <= 0n) return base
  if (excess >= BigInt(span)) return PPM
  return Math.min(PPM, base + ratioCeil([+excess.toString(), PPM - base], [span]))
}

/** Maintenance of a notional (MARGIN-1). */
export function maintenanceOf(market: Market, notional: number): number {
  if (notional >= market.maintenanceFrom)
    return marginIn(maintenanceTier(market, notional), notional)
  return mulPpmCeil(notional, market.tiers[0]!.fractionPpm)
}

/** The tier that decides the maintenance of a notional: the one with the lowest result among the
 *  current and the kept tables. If equal, the current table wins, then the oldest (MARGIN-1). */
export function maintenanceTier(market: Market, notional: number): Tier {
  const { tables } = market
  let found = tierIn(tables[0]!, notional)
  for (let at = 1; at < tables.length; at++) {
    const kept = tierIn(tables[at]!, notional)
    if (marginIn(kept, notional) < marginIn(found, notional)) found = kept
  }
  return found
}

/** The tier of the market's current table for a notional. Initial margin uses only this table. */
export function tierOfValue(market: Market, notional: number): Tier {
  return tierIn(market.tiers, notional)
}

function tierIn(tiers: readonly Tier[], notional: number): Tier {
  let found = tiers[0]!
  for (const tier of tiers) if (tier.fromValue <= notional) found = tier
  return found
}

function marginIn(tier: Tier, notional: number): number {
  return mulPpmCeil(notional, tier.fractionPpm) - tier.deduction
}

/** Lots open in the worst case: all buys filled, or all sells. */
export function worstLots(lots: number, buys: number, sells: number): number {
  return Math.max(Math.abs(lots + buys), Math.abs(lots - sells))
}

/** Requirement of a row with these lots and open orders (MARGIN-2). `losses` in tick·lots. */
export function requirementOf(
  state: State,
  market: Market,
  row: number,
  lots: number,
  buys: number,
  sells: number,
  losses: number,
  takerPpm: number,
): number {
  const { positions } = state
  const { lotValue } = market
  const leverage = positions.leverage[row]!
  let margin = initialMargin(market, leverage, worstLots(lots, buys, sells) * lotValue)
  // The margin of an isolated position is in its wallet.
  if (positions.isolated[row] === 1)
    margin -= initialMargin(market, leverage, Math.abs(lots) * lotValue)
  const fees = Math.max(buys, sells) * lotValue
  return margin + mulPpmCeil(fees, takerPpm) + losses * market.unitValue
}

/** Sums all rows of the account except the row `except` (0: none), starting from its balance. */
export function sumAccount(state: State, account: number, except: number, sums: AccountSums): void {
  const { positions } = state
  sums.equity = state.accounts.balance[account]!
  sums.guarded = sums.equity
  sums.maintenance = 0
  sums.requirement = 0
  sums.losses = 0
  sums.notional = 0
  sums.withheld = 0
  sums.frozen = state.accounts.frozen[account] === 1
  sums.takerPpm = takerPpmOf(state, account)
  let row = state.accounts.rows[account]!
  while (row !== 0) {
    if (row !== except) addRow(state, row, sums)
    row = positions.nextOfAccount[row]!
  }
}

function addRow(state: State, row: number, sums: AccountSums): void {
  const { positions } = state
  const lots = positions.lots[row]!
  const buys = positions.buys[row]!
  const sells = positions.sells[row]!
  if (lots === 0 && buys === 0 && sells === 0) return
  const market = state.markets[positions.market[row]!]!
  const requirement = requirementOf(
    state,
    market,
    row,
    lots,
    buys,
    sells,
    positions.losses[row]!,
    sums.takerPpm,
  )
  // A copied account may count the lots that an order frees twice, which is the cautious direction.
  if (!(requirement >= 0) && state.exchange === state)
    broken('a row requires less than nothing', requirement)
  sums.requirement += requirement
  if (lots !== 0 && positions.isolated[row] === 0) addCross(state, market, row, requirement, sums)
}

function addCross(
  state: State,
  market: Market,
  row: number,
  requirement: number,
  sums: AccountSums,
): void {
  const { positions } = state
  const lots = positions.lots[row]!
  const cost = positions.cost[row]!
  const value = lots * market.lotValue
  const notional = Math.abs(value)
  const unrealised = guardedValue(market, lots) - cost
  sums.equity += value - cost
  sums.guarded += unrealised
  sums.losses += Math.min(0, unrealised)
  sums.maintenance += maintenanceOf(market, notional)
  if (market.health === LIVE) sums.notional += notional
  else sums.withheld += Math.max(0, notional - requirement)
}

const withdrawSums = new AccountSums()

/** Withdrawable amount of MARGIN-7; −1 if withdrawals are blocked. */
export function withdrawableOf(state: State, account: number): number {
  const sums = withdrawSums
  sumAccount(state, account, 0, sums)
  return availableOf(sums, state.accounts.balance[account]!, sums.requirement, state.rules)
}

/** Amount that may leave a balance, given the sums of its rows and its requirements; −1 if
 *  blocked. */
export function availableOf(
  sums: AccountSums,
  balance: number,
  requirement: number,
  { margin }: RuleBook,
): number {
  if (sums.frozen || sums.guarded < sums.maintenance) return -1
  const tenth = divCeil(sums.notional, margin.withdrawalParts)
  const needed = Math.max(requirement + sums.withheld, tenth)
  return Math.max(0, Math.min(balance, balance + sums.losses - needed))
}
