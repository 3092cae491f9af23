// Takeovers by the markets' backstops, and the backstops' own turns (LIQ-4).

import { limits } from '../../../src/core/rules/limits.ts'
import { accountOf, dayOf, emit, holdingOf } from '../core/lookup.ts'
import { settleFunding } from '../funding/funding.ts'
import type { Position } from '../margin/margin.ts'
import * as margin from '../margin/margin.ts'
import { type Filling, fill, followPosition } from '../orders/fills.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Market, Naive, Scope } from '../state.ts'
import { abs, ceilDiv, clamp, floorDiv, MILLION, max, min, num } from '../units/numbers.ts'
import { addToScope, clearDebt, payFromFund } from './insurance.ts'
import * as liquidation from './liquidation.ts'

/** LIQ-4 */
export function takeoverTurn(naive: Naive, turn: Scope): void {
  const account = accountOf(naive, turn.account)
  const { scope } = turn
  settleFunding(naive, account)
  if (margin.countedHealth(naive, account, scope).healthy) return
  if (!liquidation.reachesAny(naive, account, scope)) return
  const paid = coverDebt(naive, turn, notTheFunds(naive, turn))
  if (equityOf(naive, turn) < 0n) {
    liquidation.enqueue(naive.deleverageQueue, turn)
  } else {
    takePositions(naive, account, scope, paid)
    if (liquidation.reachesAny(naive, account, scope)) {
      const sound = margin.countedHealth(naive, account, scope).healthy
      const parts = BigInt(bookOf(naive).liquidation.fullOracleParts)
      const left = equityOf(naive, turn) - liquidation.aheadOfAll(naive, account, scope)
      const isThin = parts * left < margin.maintenanceOfScope(naive, account, scope)
      if (paid || (!sound && isThin)) liquidation.enqueue(naive.deleverageQueue, turn)
      else if (!sound) liquidation.step(naive, account, scope)
    }
  }
  clearDebt(naive, account, scope)
}

function equityOf(naive: Naive, turn: Scope): bigint {
  return margin.equityOf(naive, accountOf(naive, turn.account), turn.scope)
}

/** Below zero the fund pays what it has, but for what is not its own to pay; says whether it
 *  paid. */
function coverDebt(naive: Naive, turn: Scope, others: bigint): boolean {
  const debt = -equityOf(naive, turn) - others
  if (debt <= 0n) return false
  return payFromFund(naive, accountOf(naive, turn.account), turn.scope, debt) > 0n
}

/** What the marks are behind their oracles by, if a position is left to deleveraging. */
function notTheFunds(naive: Naive, turn: Scope): bigint {
  if (equityOf(naive, turn) >= 0n) return 0n
  const account = accountOf(naive, turn.account)
  const positions = liquidation.byMaintenance(margin.positionsOf(naive, account, turn.scope))
  const behind = positions.map(liquidation.behindOf).reduce((sum, one) => sum + one, 0n)
  if (behind === 0n) return 0n
  for (const position of positions) {
    if (!liquidation.canReach(naive, position)) continue
    const backstop = accountOf(naive, position.market.backstop)
    settleFunding(naive, backstop)
    if (isFull(naive, backstop, position)) return behind
  }
  return 0n
}

/** The reachable ones that their backstops have room for. After a payment of the fund also the
 *  others, as far as their backstops can count them at all. */
function takePositions(naive: Naive, account: Account, scope: number, paid: boolean): void {
  const maintenance = margin.maintenanceOfScope(naive, account, scope)
  const ahead = liquidation.aheadOfAll(naive, account, scope)
  const positions = liquidation.byMaintenance(margin.positionsOf(naive, account, scope))
  const near = positions.filter((position) => {
    if (!liquidation.canReach(naive, position)) return false
    const backstop = accountOf(naive, position.market.backstop)
    settleFunding(naive, backstop)
    return !isFull(naive, backstop, position)
  })
  const far = positions.filter((one) => paid && !liquidation.canReach(naive, one))
  let equity = margin.equityOf(naive, account, scope)
  // What stays with its owner is worth more to him than its mark says.
  if (!paid)
    for (const one of positions) if (!near.includes(one)) equity += liquidation.behindOf(one)
  for (const position of [...near, ...far]) {
    const backstop = accountOf(naive, position.market.backstop)
    settleFunding(naive, backstop)
    if (far.includes(position) && isUnbounded(naive, backstop, position)) continue
    const own = margin.maintenanceOf(position.market, position.holding.lots)
    // The backstop is paid for its trouble, and no more than what the position has to its name.
    const part = floorDiv(own * position.market.rules.liquidation.concession, 1_000_000n)
    const share = min(part, floorDiv(max(0n, equity - ahead) * own, maintenance))
    takeOne(naive, account, position, liquidation.givenAhead(position, equity, ahead) + share)
  }
}

function takeOne(naive: Naive, account: Account, position: Position, share: bigint): void {
  const { market, holding } = position
  const { lots } = holding
  const scope = margin.scopeIn(account, market)
  const backstop = accountOf(naive, market.backstop)
  const backstopBefore = holdingOf(backstop, market).lots
  const value = margin.valueAtMark(market, lots)
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
    sign: lots > 0n ? -1n : 1n,
    role: 'taker',
    wallet: 'takeover',
  }
  const taking: Filling = {
    ...both,
    account: backstop,
    counterparty: account.id,
    sign: lots > 0n ? 1n : -1n,
    role: 'maker',
    wallet: 'own',
  }
  fill(naive, giving, abs(lots), value)
  fill(naive, taking, abs(lots), value)
  followPosition(naive, account, market, lots)
  followPosition(naive, backstop, market, backstopBefore)
  addToScope(naive, account, scope, -share)
  backstop.balance += share
  if (scope !== 0) {
    account.balance += holding.wallet
    holding.wallet = 0n
  }
  emit(naive, {
    type: 'BackstopTookOver',
    account: account.id,
    market: market.id,
    backstop: backstop.id,
    lots: num(lots),
    value: num(value),
    margin: num(share),
    balance: num(account.balance),
    wallet: num(holding.wallet),
    backstopBalance: num(backstop.balance),
  })
  clearDebt(naive, backstop, 0)
}

/** UNITS-4 would not hold for the backstop with the position. */
function isUnbounded(naive: Naive, backstop: Account, { market, holding }: Position): boolean {
  const exposure = margin.exposureOf(naive, backstop, market)
  exposure.lots += holding.lots
  return margin.worstCase(naive, backstop, { market, exposure }) > BigInt(limits.moneyMax)
}

/** LIQ-4: may this backstop not take the position? */
function isFull(naive: Naive, backstop: Account, position: Position): boolean {
  const { market, holding } = position
  const equity = margin.equityOf(naive, backstop, 0)
  const day = dayOf(naive.now)
  if (backstop.dayEquity?.day !== day) backstop.dayEquity = { day, equity }
  const exposure = margin.exposureOf(naive, backstop, market)
  exposure.lots += holding.lots
  const tooLarge = margin.valueAtMark(market, exposure.lots) > market.rules.backstopValueMax
  const unbounded = isUnbounded(naive, backstop, position)
  const loss = backstop.dayEquity.equity - equity
  return tooLarge || unbounded || (loss > 0n && loss > market.rules.backstopDailyLossMax)
}

/** LIQ-4: the backstop's turn; its funding has been settled. */
export function backstopTurn(naive: Naive, backstop: Account): void {
  const turn = { account: backstop.id, scope: 0 }
  const sound = liquidation.reachesAny(naive, backstop, 0)
  const held = margin.positionsOf(naive, backstop, 0)
  const behind = held.map(liquidation.behindOf).reduce((sum, one) => sum + one, 0n)
  if (equityOf(naive, turn) + behind < 0n) {
    if (!sound) return
    coverDebt(naive, turn, behind)
    if (equityOf(naive, turn) + behind < 0n) liquidation.enqueue(naive.deleverageQueue, turn)
    clearDebt(naive, backstop, 0)
    return
  }
  const [position] = held
  if (!position || !sound) return
  unwind(naive, backstop, position)
}

function unwind(naive: Naive, backstop: Account, position: Position): void {
  const { market, holding } = position
  const size = abs(holding.lots)
  const lots = min(size, liquidation.stepCap(market, size))
  const limit = backstopLimit(market, holding.lots)
  liquidation.forceOrder(naive, backstop, position, { lots, limit, feePpm: 0n }, 'backstop')
  clearDebt(naive, backstop, 0)
}

/** Half a percent from mark or oracle, the one that is better for whoever closes these lots; but
 *  no more than a takeover brings of the maintenance of the first tier, and at the oracle at any
 *  rate. */
function backstopLimit(market: Market, lots: bigint): bigint {
  const book = bookOf(market)
  const first = margin.maintenanceAt(market.rules.leverageMax, book)
  const part = min(market.rules.liquidation.concession, BigInt(book.liquidation.backstopPartPpm))
  const brought = floorDiv(first * part, 1_000_000n)
  const slip = min(BigInt(book.liquidation.backstopSlipPpm), brought)
  const { tickMin, tickMax } = market.rules
  const prices = [market.mark * 1_000_000n, market.oracle]
  const limits = prices.map((price) =>
    lots > 0n
      ? ceilDiv(price * (1_000_000n - slip), 10n ** 12n)
      : floorDiv(price * (1_000_000n + slip), 10n ** 12n),
  )
  const fair = lots > 0n ? ceilDiv(market.oracle, MILLION) : floorDiv(market.oracle, MILLION)
  const best = lots > 0n ? max(limits[0]!, limits[1]!) : min(limits[0]!, limits[1]!)
  return clamp(lots > 0n ? min(best, fair) : max(best, fair), tickMin, tickMax)
}
