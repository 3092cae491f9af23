// The equities at which something changes for a scope in a crash, at the present marks: just
// enough, and just enough to take over from a bankrupt account. Nothing that is compared is decided
// here.

import { accountOf, holdingOf, marketOf } from '../../twin/core/lookup.ts'
import {
  equityOf,
  maintenanceOf,
  maintenanceOfScope,
  positionsOf,
  scopeIn,
} from '../../twin/margin/margin.ts'
import type { Account, Market, Naive } from '../../twin/state.ts'
import { abs, ceilDiv, floorDiv, max, min, signOf } from '../../twin/units/numbers.ts'

/** The scope of the account in this market: what it has, and what would make a difference. */
export type Standing = Readonly<{ scope: number; equity: bigint; borders: readonly bigint[] }>

export function standingOf(naive: Naive, id: number, marketId: number): Standing {
  const account = accountOf(naive, id)
  const market = marketOf(naive, marketId)
  const scope = scopeIn(account, market)
  const needed = maintenanceOfScope(naive, account, scope)
  const taking = naive.accounts.flatMap((other) => takingFrom(naive, account, market, other))
  const borders = [0n, needed, ceilDiv(2n * needed, 3n), ...taking]
  return { scope, equity: equityOf(naive, account, scope), borders }
}

/** With these the account could just take all it can from the other one, in either pass (LIQ-6). */
function takingFrom(naive: Naive, account: Account, market: Market, other: Account): bigint[] {
  const { lots } = holdingOf(account, market)
  const scope = scopeIn(other, market)
  const [only, second] = positionsOf(naive, other, scope)
  const fund = accountOf(naive, 2).balance
  const debt = -equityOf(naive, other, scope) - fund
  if (only?.market !== market || second !== undefined || debt <= 0n) return []
  const sold = only.holding.lots
  if (signOf(sold) !== -signOf(lots)) return []
  const size = abs(sold)
  const atMark = size * market.mark * market.K
  const value = sold > 0n ? atMark + debt : max(0n, atMark - debt)
  const take = min(abs(lots), size)
  const lost = floorDiv(value * take, size) - take * market.mark * market.K
  const left = lots - signOf(lots) * take
  const own = scopeIn(account, market)
  const needed =
    maintenanceOfScope(naive, account, own) -
    maintenanceOf(market, lots) +
    maintenanceOf(market, left)
  const loss = sold > 0n ? lost : -lost
  return [loss, loss + needed]
}
