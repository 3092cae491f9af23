// Fractions, requirements, equity, maintenance and what can be withdrawn (docs/rules/margin.md,
// MARGIN-1 to 3 and 7). Everything is worked out from orders and positions each time.

import type { RuleBook } from '../../../src/core/rules/rule-book.ts'
import { holdingOf, isIsolated, marketOf } from '../core/lookup.ts'
import { ratesOf } from '../fees/fees.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Gap, Holding, Market, Naive, Rules } from '../state.ts'
import { abs, ceilDiv, floorDiv, MILLION, max, min, signOf } from '../units/numbers.ts'

/** Lots of a position and of the orders that count, with their entry losses (MARGIN-2). */
export type Exposure = { lots: bigint; buys: bigint; sells: bigint; losses: bigint }
/** "As if this account had that exposure in this market." */
export type Supposed = { market: Market; exposure: Exposure }
export type Position = { market: Market; holding: Holding }

export function leverageOf(account: Account, market: Market): bigint {
  const set = holdingOf(account, market).leverage ?? market.rules.leverageMax
  return min(set, market.rules.leverageMax)
}

/** MARGIN-1: the initial fraction in ppm at a leverage. */
function fractionAt(market: Market, leverage: bigint): bigint {
  const { openInterestLower: lower, openInterestUpper: upper } = market.rules
  return scaledFraction(ceilDiv(MILLION, leverage), market.openInterestMoney, lower, upper)
}

export function scaledFraction(base: bigint, oi: bigint, lower: bigint, upper: bigint): bigint {
  if (upper <= lower || oi <= lower) return base
  return min(MILLION, base + ceilDiv((oi - lower) * (MILLION - base), upper - lower))
}

type Tier = { from: bigint; fraction: bigint; deduction: bigint }

/** MARGIN-1: the whole table of a market, with some fraction of each row's leverage. */
function tableOf(rules: Rules, fractionOf: (leverage: bigint) => bigint): Tier[] {
  const rows = [{ from: 0n, leverage: rules.leverageMax }, ...rules.tiers]
  const table: Tier[] = []
  for (const { from, leverage } of rows) {
    const below = table.at(-1)
    const fraction = fractionOf(leverage)
    const deduction = below
      ? below.deduction + floorDiv(from * (fraction - below.fraction), MILLION)
      : 0n
    table.push({ from, fraction, deduction })
  }
  return table
}

function marginBy(table: Tier[], notional: bigint): bigint {
  const { fraction, deduction } = table.findLast(({ from }) => from <= notional)!
  return notional === 0n ? 0n : ceilDiv(notional * fraction, MILLION) - deduction
}

/** I(N) of MARGIN-1. */
export function initialMargin(account: Account, market: Market, notional: bigint): bigint {
  const own = leverageOf(account, market)
  const table = tableOf(market.rules, (leverage) => fractionAt(market, min(own, leverage)))
  return marginBy(table, notional)
}

/** MARGIN-1: the maintenance fraction in ppm of a tier with this leverage. */
export function maintenanceAt(leverage: bigint, { margin }: RuleBook): bigint {
  return ceilDiv(MILLION, BigInt(margin.maintenanceParts) * leverage)
}

/** MARGIN-1: the market's own, then those that it keeps. */
function maintenanceTables(market: Market): Tier[][] {
  const kept = market.changes.flatMap(({ keeps }) => keeps ?? [])
  const book = bookOf(market)
  return [market.rules, ...kept].map((rules) => {
    return tableOf(rules, (leverage) => maintenanceAt(leverage, book))
  })
}

/** MARGIN-1: the first of the tables that ask least for a notional. */
function mildestTable(market: Market, notional: bigint): Tier[] {
  return maintenanceTables(market).reduce((best, table) => {
    return marginBy(table, notional) < marginBy(best, notional) ? table : best
  })
}

/** FUND-1: the largest leverageMax, also of tiers that are kept. */
export function largestLeverage(market: Market): bigint {
  return market.changes.reduce((most, { keeps }) => {
    return max(most, keeps?.leverageMax ?? 0n)
  }, market.rules.leverageMax)
}

/** FUND-1: r, the largest premium, in ppm. */
export function premiumPpm(market: Market): bigint {
  const { premiumParts, premiumPpmMax } = bookOf(market).funding
  return min(MILLION / (BigInt(premiumParts) * largestLeverage(market)), BigInt(premiumPpmMax))
}

/** MARGIN-1: the maintenance fraction of the tier a notional falls in. */
export function maintenanceFraction(market: Market, notional: bigint): bigint {
  return mildestTable(market, notional).findLast(({ from }) => from <= notional)!.fraction
}

export function valueAtMark(market: Market, lots: bigint): bigint {
  return abs(lots) * market.mark * market.K
}

export function maintenanceOf(market: Market, lots: bigint): bigint {
  const notional = valueAtMark(market, lots)
  return marginBy(mildestTable(market, notional), notional)
}

export function unrealised(market: Market, holding: Holding): bigint {
  return holding.lots * market.mark * market.K - holding.cost
}

/** MARGIN-3: what a position of this sign is valued at where its mark may be wrong. */
export function guardedPrice(market: Market, sign: bigint): bigint {
  const { mark, gaps } = market
  const price = ungappedPrice(market, sign)
  if (sign > 0n && gaps.long.length > 0) {
    const lowest = gaps.long.map((gap) => gap.price).reduce(min)
    return min(price, max(lowest, mark - widest(gaps.long)))
  }
  if (sign < 0n && gaps.short.length > 0) {
    const highest = gaps.short.map((gap) => gap.price).reduce(max)
    return max(price, min(highest, mark + widest(gaps.short)))
  }
  return price
}

function widest(gaps: readonly Gap[]): bigint {
  return gaps.map(({ width }) => width).reduce(max)
}

/** MARGIN-5: the same without kept gaps. */
export function ungappedPrice({ mark, raw, catchingUp }: Market, sign: bigint): bigint {
  if (!catchingUp || sign === 0n) return mark
  return sign > 0n ? min(mark, floorDiv(raw, MILLION)) : max(mark, ceilDiv(raw, MILLION))
}

export function guardedUnrealised(
  market: Market,
  holding: Holding,
  priceOf = guardedPrice,
): bigint {
  return holding.lots * priceOf(market, signOf(holding.lots)) * market.K - holding.cost
}

export function exposureOf(naive: Naive, account: Account, market: Market): Exposure {
  const exposure = { lots: holdingOf(account, market).lots, buys: 0n, sells: 0n, losses: 0n }
  for (const orders of [market.book, naive.waiting]) {
    for (const order of orders) {
      if (order.account !== account.id || order.market !== market.id || order.reduceOnly) continue
      if (order.side === 'bid') exposure.buys += order.remaining
      else exposure.sells += order.remaining
      exposure.losses += order.remaining * order.lossPerLot
    }
  }
  return exposure
}

export function entryLossPerLot(market: Market, sign: bigint, price: bigint): bigint {
  return max(0n, sign * (price - market.mark)) * market.K
}

export function worstOf(exposure: Exposure): bigint {
  return max(abs(exposure.lots + exposure.buys), abs(exposure.lots - exposure.sells))
}

/** MARGIN-2 */
export function requirementOf(naive: Naive, account: Account, supposed: Supposed): bigint {
  const { market, exposure } = supposed
  const worst = worstOf(exposure)
  if (worst === 0n) return exposure.losses
  let initial = initialMargin(account, market, valueAtMark(market, worst))
  if (isIsolated(account, market)) {
    initial -= initialMargin(account, market, valueAtMark(market, exposure.lots))
  }
  const open = max(exposure.buys, exposure.sells)
  if (open === 0n) return initial + exposure.losses
  const { taker } = ratesOf(naive, account)
  return initial + ceilDiv(taker * valueAtMark(market, open), MILLION) + exposure.losses
}

export function requirements(naive: Naive, account: Account, supposed: Supposed | null): bigint {
  let sum = 0n
  for (const market of naive.markets) {
    const here = supposed !== null && supposed.market.id === market.id
    const exposure = here ? supposed.exposure : exposureOf(naive, account, market)
    sum += requirementOf(naive, account, { market, exposure })
  }
  return sum
}

/** UNITS-4: Σ worst × tickMax × K. */
export function worstCase(naive: Naive, account: Account, supposed: Supposed): bigint {
  let sum = 0n
  for (const market of naive.markets) {
    const here = supposed.market.id === market.id
    const exposure = here ? supposed.exposure : exposureOf(naive, account, market)
    sum += worstOf(exposure) * market.rules.tickMax * market.K
  }
  return sum
}

/** The scope a position of the account in this market belongs to: 0 is the cross account. */
export function scopeIn(account: Account, market: Market): number {
  return isIsolated(account, market) ? market.id : 0
}

/** The positions of a scope, in order of market id. */
export function positionsOf(naive: Naive, account: Account, scope: number): Position[] {
  const found: Position[] = []
  for (const market of naive.markets) {
    const holding = account.holdings[market.id]
    if (!holding || holding.lots === 0n) continue
    if (scopeIn(account, market) === scope) found.push({ market, holding })
  }
  return found
}

/** MARGIN-3 */
export function equityOf(naive: Naive, account: Account, scope: number): bigint {
  let equity = scope === 0 ? account.balance : holdingOf(account, marketOf(naive, scope)).wallet
  for (const { market, holding } of positionsOf(naive, account, scope)) {
    equity += unrealised(market, holding)
  }
  return equity
}

/** MARGIN-3 */
export function guardedEquityOf(
  naive: Naive,
  account: Account,
  scope: number,
  priceOf = guardedPrice,
): bigint {
  const cash = scope === 0 ? account.balance : holdingOf(account, marketOf(naive, scope)).wallet
  const worth = positionsOf(naive, account, scope).map(({ market, holding }) => {
    return guardedUnrealised(market, holding, priceOf)
  })
  return worth.reduce((sum, one) => sum + one, cash)
}

export function maintenanceOfScope(naive: Naive, account: Account, scope: number): bigint {
  let sum = 0n
  for (const { market, holding } of positionsOf(naive, account, scope)) {
    sum += maintenanceOf(market, holding.lots)
  }
  return sum
}

export function healthOf(naive: Naive, account: Account, scope: number) {
  const equity = equityOf(naive, account, scope)
  return { equity, maintenance: maintenanceOfScope(naive, account, scope) }
}

/** MARGIN-7: while this holds nothing can be withdrawn, with this balance. */
export function isBlocked(naive: Naive, account: Account, balance: bigint): boolean {
  const equity = guardedEquityOf(naive, account, 0) - account.balance + balance
  return account.frozen || equity < maintenanceOfScope(naive, account, 0)
}

/** MARGIN-7 with a balance and a sum of requirements that may be supposed. */
export function withdrawableWith(
  naive: Naive,
  account: Account,
  balance: bigint,
  required: bigint,
): bigint {
  if (isBlocked(naive, account, balance)) return 0n
  let losses = 0n
  let notional = 0n
  let needed = required
  for (const { market, holding } of positionsOf(naive, account, 0)) {
    losses += min(0n, guardedUnrealised(market, holding))
    const value = valueAtMark(market, holding.lots)
    if (market.health === 'live') notional += value
    else {
      // All that it is worth stays, in place of what it requires.
      const exposure = exposureOf(naive, account, market)
      const own = requirementOf(naive, account, { market, exposure })
      needed += max(own, value) - own
    }
  }
  const kept = max(needed, ceilDiv(notional, BigInt(bookOf(naive).margin.withdrawalParts)))
  return max(0n, min(balance, balance + losses - kept))
}

export function withdrawable(naive: Naive, account: Account): bigint {
  return withdrawableWith(naive, account, account.balance, requirements(naive, account, null))
}
