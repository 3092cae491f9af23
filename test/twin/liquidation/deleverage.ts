// Deleveraging: positions that cannot be placed elsewhere go to the accounts that gained (LIQ-6).

import { accountOf, emit, holdingOf, isIsolated } from '../core/lookup.ts'
import { settleFunding } from '../funding/funding.ts'
import type { Position } from '../margin/margin.ts'
import * as margin from '../margin/margin.ts'
import { type Filling, fill, followPosition } from '../orders/fills.ts'
import { bookOf } from '../rule-books.ts'
import { type Account, DEFICIT, INSURANCE, type Market, type Naive, type Scope } from '../state.ts'
import { abs, ceilDiv, floorDiv, max, min, num, signOf } from '../units/numbers.ts'
import { addToScope, clearDebt, income } from './insurance.ts'
import { byMaintenance, canReach, reachesAny } from './liquidation.ts'
import { takeoverMargin } from './takeover.ts'

type Candidate = {
  account: Account
  lots: bigint
  equity: bigint
  equityAfter: bigint
  maintenanceAfter: bigint
  profit: bigint
  notional: bigint
  cost: bigint
}
type Gift = { account: Account; lots: bigint }

export function deleverageTurn(naive: Naive, { account: id, scope }: Scope): void {
  const account = accountOf(naive, id)
  settleFunding(naive, account)
  const health = margin.healthOf(naive, account, scope)
  if (health.equity >= health.maintenance && health.maintenance > 0n) return
  if (!reachesAny(naive, account, scope)) return
  const positions = byMaintenance(margin.positionsOf(naive, account, scope))
  const debts = debtsOf(positions, health.equity)
  for (const [at, position] of positions.entries())
    if (canReach(naive, position)) deleverageOne(naive, account, position, debts[at] ?? 0n, health)
  clearDebt(naive, account, scope)
}

/** What the scope owes, by notional rounded down, the rest on the largest notional, then the lowest
 *  market id. */
function debtsOf(positions: Position[], equity: bigint): bigint[] {
  const debt = max(0n, -equity)
  const total = sumBy(positions, notionalOf)
  const shares = positions.map((one) => floorDiv(debt * notionalOf(one), total))
  const [largest] = [...positions].sort((one, other) => {
    const more = notionalOf(other) - notionalOf(one)
    return more === 0n ? one.market.id - other.market.id : num(more)
  })
  const rest = debt - shares.reduce((sum, one) => sum + one, 0n)
  return positions.map((one, at) => (shares[at] ?? 0n) + (one === largest ? rest : 0n))
}

function notionalOf({ market, holding }: Position): bigint {
  return margin.valueAtMark(market, holding.lots)
}

function sumBy(positions: Position[], of: (position: Position) => bigint): bigint {
  return positions.reduce((sum, one) => sum + of(one), 0n)
}

function deleverageOne(
  naive: Naive,
  account: Account,
  position: Position,
  debt: bigint,
  health: { equity: bigint; maintenance: bigint },
): void {
  const { market, holding } = position
  const lots = abs(holding.lots)
  const atMark = margin.valueAtMark(market, lots)
  const value = holding.lots > 0n ? atMark + debt : max(0n, atMark - debt)
  const candidates = findCandidates(naive, account, position, value)
  const first = candidates.filter((one) => one.equityAfter >= one.maintenanceAfter)
  const second = candidates.filter((one) => !first.includes(one) && one.equityAfter >= 0n)
  const gifts = share(naive, rank(first), lots)
  const placed = gifts.reduce((sum, gift) => sum + gift.lots, 0n)
  if (placed < lots) gifts.push(...share(naive, rank(second), lots - placed))
  const whole = { held: lots, own: margin.maintenanceOf(market, lots) }
  let leftLots = lots
  let leftValue = value
  for (const gift of gifts) {
    const isLast = gift.lots === leftLots
    const price = isLast ? leftValue : floorDiv(value * gift.lots, lots)
    const paid = takeoverMargin(market, gift.lots, whole, health)
    transfer(naive, account, market, gift, { value: price, margin: paid })
    leftLots -= gift.lots
    leftValue -= price
  }
}

/** LIQ-6 step 2: every account with the opposite position, and its equity after it. */
function findCandidates(
  naive: Naive,
  account: Account,
  position: Position,
  value: bigint,
): Candidate[] {
  const { market, holding } = position
  const lots = abs(holding.lots)
  const sign = signOf(holding.lots)
  const opposite = naive.accounts.filter((other) => {
    const held = other.holdings[market.id]?.lots ?? 0n
    return other.id !== account.id && signOf(held) === -sign
  })
  const requested = bestEntered(naive, opposite, market)
  naive.units += requested.length
  for (const other of requested) settleFunding(naive, other)
  return requested.map((other) => {
    const scope = margin.scopeIn(other, market)
    const own = holdingOf(other, market)
    const take = min(abs(own.lots), lots)
    const takeValue = floorDiv(value * take, lots)
    const equity = margin.equityOf(naive, other, scope)
    return {
      account: other,
      lots: abs(own.lots),
      equity,
      equityAfter: equity - sign * (takeValue - take * market.mark * market.K),
      maintenanceAfter:
        margin.maintenanceOfScope(naive, other, scope) -
        margin.maintenanceOf(market, own.lots) +
        margin.maintenanceOf(market, own.lots + sign * take),
      profit: margin.unrealised(market, own),
      notional: margin.valueAtMark(market, own.lots),
      cost: abs(own.cost),
    }
  })
}

/** LIQ-6 step 2: of too many those with the best entry price, in order of account id. */
function bestEntered(naive: Naive, accounts: Account[], market: Market): Account[] {
  const { deleverageCandidates } = bookOf(naive).limits
  const better = (a: Account, b: Account): number => {
    const [one, other] = [holdingOf(a, market), holdingOf(b, market)]
    const worse = abs(one.cost) * abs(other.lots) - abs(other.cost) * abs(one.lots)
    return Number(signOf(one.lots) * worse) || a.id - b.id
  }
  const best = [...accounts].sort(better).slice(0, deleverageCandidates)
  return accounts.filter((account) => best.includes(account))
}

/** LIQ-6 step 3: the largest gain in relation to equity first. */
function rank(candidates: Candidate[]): Candidate[] {
  const gains = (one: Candidate): boolean => one.profit > 0n && one.equity > 0n
  return [...candidates].sort((a, b) => {
    if (gains(a) !== gains(b)) return gains(a) ? -1 : 1
    if (gains(a)) {
      if ((a.cost === 0n) !== (b.cost === 0n)) return a.cost === 0n ? -1 : 1
      const one = a.profit * a.notional * b.cost * b.equity
      const other = b.profit * b.notional * a.cost * a.equity
      if (a.cost !== 0n && one !== other) return one > other ? -1 : 1
    }
    return a.account.id - b.account.id
  })
}

/** Buckets of a part of the count; the one that has too much gives in proportion. */
function share(naive: Naive, ranked: Candidate[], lots: bigint): Gift[] {
  const { deleverageBuckets } = bookOf(naive).liquidation
  const size = Number(ceilDiv(BigInt(ranked.length), BigInt(deleverageBuckets)))
  const gifts: Gift[] = []
  let left = lots
  for (let at = 0; at < ranked.length && left > 0n; at += size) {
    const bucket = ranked.slice(at, at + size)
    const total = bucket.reduce((sum, one) => sum + one.lots, 0n)
    const given = bucket.map((one) => {
      return total <= left ? one.lots : floorDiv(left * one.lots, total)
    })
    left -= given.reduce((sum, one) => sum + one, 0n)
    for (let back = bucket.length - 1; back >= 0 && total > 0n; back -= 1) {
      const free = (bucket[back] as Candidate).lots - (given[back] as bigint)
      const more = min(left, free)
      given[back] = (given[back] as bigint) + more
      left -= more
    }
    for (const [index, one] of bucket.entries()) {
      const gift = given[index] as bigint
      if (gift > 0n) gifts.push({ account: one.account, lots: gift })
    }
  }
  return gifts
}

/** LIQ-6 steps 5 and 6 */
function transfer(
  naive: Naive,
  account: Account,
  market: Market,
  gift: Gift,
  paid: { value: bigint; margin: bigint },
): void {
  const { value } = paid
  const before = holdingOf(account, market).lots
  const otherBefore = holdingOf(gift.account, market).lots
  const both = {
    market,
    order: 0,
    cause: 'deleverage',
    price: 0n,
    fee: 'none',
  } as const
  const giving: Filling = {
    ...both,
    account,
    counterparty: gift.account.id,
    sign: -signOf(before),
    role: 'taker',
    wallet: 'takeover',
    debt: 'later',
  }
  const taking: Filling = {
    ...both,
    account: gift.account,
    counterparty: account.id,
    sign: signOf(before),
    role: 'maker',
    wallet: 'forced',
    debt: 'later',
  }
  fill(naive, giving, gift.lots, value)
  fill(naive, taking, gift.lots, value)
  followPosition(naive, account, market, before)
  followPosition(naive, gift.account, market, otherBefore)
  payMargin(naive, account, market, paid.margin)
  emit(naive, {
    type: 'Deleveraged',
    account: account.id,
    counterparty: gift.account.id,
    market: market.id,
    lots: num(gift.lots),
    value: num(value),
    accountLots: num(holdingOf(account, market).lots),
    accountBalance: num(account.balance),
    accountWallet: num(holdingOf(account, market).wallet),
    counterpartyLots: num(holdingOf(gift.account, market).lots),
    counterpartyBalance: num(gift.account.balance),
    counterpartyWallet: num(holdingOf(gift.account, market).wallet),
    margin: num(paid.margin),
    fund: num(accountOf(naive, INSURANCE).balance),
    deficit: num(accountOf(naive, DEFICIT).balance),
  })
  clearDebt(naive, gift.account, isIsolated(gift.account, market) ? market.id : 0)
}

/** To the fund; then the wallet of a closed position goes back to its owner. */
function payMargin(naive: Naive, account: Account, market: Market, amount: bigint): void {
  addToScope(naive, account, margin.scopeIn(account, market), -amount)
  income(naive, amount)
  const holding = holdingOf(account, market)
  if (!isIsolated(account, market) || holding.lots !== 0n || holding.wallet <= 0n) return
  account.balance += holding.wallet
  holding.wallet = 0n
}
