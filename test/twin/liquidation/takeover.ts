// Takeovers by the markets' backstops, and the backstops' own turns (LIQ-4).

import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit, holdingOf, isFresh } from '../core/lookup.ts'
import { impactOfAll, settleFunding } from '../funding/funding.ts'
import type { Position } from '../margin/margin.ts'
import * as margin from '../margin/margin.ts'
import { type Filling, fill, followPosition } from '../orders/fills.ts'
import { movedFrom } from '../orders/worst-price.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Scope } from '../state.ts'
import { abs, ceilDiv, floorDiv, MILLION, max, min, num, signOf } from '../units/numbers.ts'
import { addToScope, clearDebt, payFromFund } from './insurance.ts'
import * as liquidation from './liquidation.ts'

/** LIQ-4 */
export function takeoverTurn(naive: Naive, turn: Scope): void {
  const account = accountOf(naive, turn.account)
  const { scope } = turn
  settleFunding(naive, account)
  if (isHealthy(naive, turn) || !liquidation.reachesAny(naive, account, scope)) return
  const paid = coverDebt(naive, turn)
  if (equityOf(naive, turn) < 0n) {
    liquidation.enqueue(naive.deleverageQueue, turn)
  } else {
    takePositions(naive, account, scope, paid)
    const isLeft = liquidation.reachesAny(naive, account, scope)
    if (isLeft && (paid || !isHealthy(naive, turn))) {
      liquidation.enqueue(naive.deleverageQueue, turn)
    }
  }
  clearDebt(naive, account, scope)
}

function equityOf(naive: Naive, turn: Scope): bigint {
  return margin.equityOf(naive, accountOf(naive, turn.account), turn.scope)
}

function isHealthy(naive: Naive, turn: Scope): boolean {
  const health = margin.healthOf(naive, accountOf(naive, turn.account), turn.scope)
  return health.equity >= health.maintenance
}

/** Below zero the fund pays what it can; says whether it paid. */
function coverDebt(naive: Naive, turn: Scope): boolean {
  const debt = -equityOf(naive, turn)
  if (debt <= 0n) return false
  return payFromFund(naive, accountOf(naive, turn.account), turn.scope, debt) > 0n
}

/** LIQ-4: the margin of this many lots of a position, where the scope has this equity and
 *  maintenance. `held` and `own`: lots of the whole position, and its maintenance. */
export function takeoverMargin(
  market: Market,
  lots: bigint,
  whole: { held: bigint; own: bigint },
  scope: { equity: bigint; maintenance: bigint },
): bigint {
  const part = floorDiv(whole.own * lots, whole.held)
  return min(
    floorDiv(part * market.rules.liquidation.concession, MILLION),
    floorDiv(max(0n, scope.equity) * part, scope.maintenance),
  )
}

/** The reachable ones, as many lots as their backstops have room for. After a payment of the fund
 *  also all of the others, as far as their backstops can count them at all. */
function takePositions(naive: Naive, account: Account, scope: number, paid: boolean): void {
  const health = margin.healthOf(naive, account, scope)
  const positions = liquidation.byMaintenance(margin.positionsOf(naive, account, scope))
  const taken: { position: Position; lots: bigint }[] = []
  for (const position of positions) {
    if (!liquidation.canReach(naive, position)) continue
    const backstop = accountOf(naive, position.market.backstop)
    settleFunding(naive, backstop)
    taken.push({ position, lots: roomOf(naive, backstop, position) })
  }
  for (const { position, lots } of taken) takeOne(naive, account, position, lots, health)
  if (!paid) return
  for (const position of positions) {
    if (liquidation.canReach(naive, position)) continue
    const backstop = accountOf(naive, position.market.backstop)
    settleFunding(naive, backstop)
    const lots = abs(position.holding.lots)
    if (isUnbounded(naive, backstop, position, lots)) continue
    takeOne(naive, account, position, lots, health)
  }
}

function takeOne(
  naive: Naive,
  account: Account,
  position: Position,
  lots: bigint,
  health: { equity: bigint; maintenance: bigint },
): void {
  if (lots === 0n) return
  const { market, holding } = position
  const before = holding.lots
  const sign = signOf(before)
  const scope = margin.scopeIn(account, market)
  const backstop = accountOf(naive, market.backstop)
  const backstopBefore = holdingOf(backstop, market).lots
  const value = margin.valueAtMark(market, lots)
  const whole = { held: abs(before), own: margin.maintenanceOf(market, before) }
  const share = takeoverMargin(market, lots, whole, health)
  const both = {
    market,
    order: 0,
    cause: 'backstop_liquidation',
    price: market.mark,
    fee: 'none',
    debt: 'later',
  } as const
  const giving: Filling = {
    ...both,
    account,
    counterparty: backstop.id,
    sign: -sign,
    role: 'taker',
    wallet: 'takeover',
  }
  const taking: Filling = {
    ...both,
    account: backstop,
    counterparty: account.id,
    sign,
    role: 'maker',
    wallet: 'own',
  }
  fill(naive, giving, lots, value)
  fill(naive, taking, lots, value)
  followPosition(naive, account, market, before)
  followPosition(naive, backstop, market, backstopBefore)
  addToScope(naive, account, scope, -share)
  backstop.balance += share
  if (scope !== 0 && holding.lots === 0n) {
    account.balance += holding.wallet
    holding.wallet = 0n
  }
  emit(naive, {
    type: 'BackstopTookOver',
    account: account.id,
    market: market.id,
    backstop: backstop.id,
    lots: num(sign * lots),
    value: num(value),
    margin: num(share),
    balance: num(account.balance),
    wallet: num(holding.wallet),
    backstopBalance: num(backstop.balance),
  })
  clearDebt(naive, backstop, 0)
}

/** UNITS-4 would not hold for the backstop with this many lots of the position. */
function isUnbounded(
  naive: Naive,
  backstop: Account,
  { market, holding }: Position,
  lots: bigint,
): boolean {
  const exposure = margin.exposureOf(naive, backstop, market)
  exposure.lots += signOf(holding.lots) * lots
  return margin.worstCase(naive, backstop, { market, exposure }) > BigInt(limits.moneyMax)
}

/** LIQ-4: how many lots of the position this backstop takes. */
function roomOf(naive: Naive, backstop: Account, position: Position): bigint {
  const { market, holding } = position
  const equity = margin.equityOf(naive, backstop, 0)
  const day = dayOf(naive.now)
  if (backstop.dayEquity?.day !== day) backstop.dayEquity = { day, equity }
  const loss = max(0n, backstop.dayEquity.equity - equity)
  if (loss > market.rules.backstopDailyLossMax) return 0n
  const most = floorDiv(market.rules.backstopValueMax, market.mark * market.K)
  const own = holdingOf(backstop, market).lots
  const lots = min(abs(holding.lots), max(0n, most - signOf(holding.lots) * own))
  return isUnbounded(naive, backstop, position, lots) ? 0n : lots
}

/** LIQ-4: the backstop's turn; its funding has been settled. */
export function backstopTurn(naive: Naive, backstop: Account): void {
  const turn = { account: backstop.id, scope: 0 }
  const [position] = margin.positionsOf(naive, backstop, 0)
  if (!position || !liquidation.canReach(naive, position)) return
  if (equityOf(naive, turn) < 0n) {
    coverDebt(naive, turn)
    if (equityOf(naive, turn) < 0n) liquidation.enqueue(naive.deleverageQueue, turn)
  } else if (isFresh(naive, position.market)) unwind(naive, backstop, position)
}

function unwind(naive: Naive, backstop: Account, position: Position): void {
  const { market, holding } = position
  const size = abs(holding.lots)
  const lots = min(size, liquidation.stepCap(market, size))
  const limit = backstopLimit(naive, market, holding.lots)
  const plan = { lots, limit, feePpm: 0n }
  const { stopped } = liquidation.forceOrder(naive, backstop, position, plan, 'backstop')
  clearDebt(naive, backstop, 0)
  const own = { account: backstop.id, scope: 0 }
  if (stopped) liquidation.enqueue(naive.liquidationQueue, own)
}

/** Half a percent from mark, but no more than a takeover brings of the maintenance of the first
 *  tier. */
function backstopLimit(naive: Naive, market: Market, lots: bigint): bigint {
  const book = bookOf(market)
  const first = margin.maintenanceAt(market.rules.leverageMax, book)
  const part = min(market.rules.liquidation.concession, BigInt(book.liquidation.backstopPartPpm))
  const slip = min(BigInt(book.liquidation.backstopSlipPpm), floorDiv(first * part, MILLION))
  const byPrice = liquidation.limitAway(market, lots, slip)
  // PRICE-6: the whole book may say more.
  const impact = impactOfAll(naive, market, lots > 0n ? 'bid' : 'ask')
  if (impact === 0n) return byPrice
  return lots > 0n
    ? max(byPrice, movedFrom(ceilDiv(impact, MILLION), market, 'ask', slip))
    : min(byPrice, movedFrom(floorDiv(impact, MILLION), market, 'bid', slip))
}
