// Rejections of protected orders by market maker protection (ORDER-18). Reads only.

import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Draft } from '../drafts/draft.ts'
import { findRow } from '../margin/position-row.ts'
import type { State } from '../state/state.ts'

/** Until when protected orders of the row are rejected. 0: until a reset. `null`: they are
 *  accepted. */
export function frozenUntil({ protections, atMs }: State, row: number): number | null {
  const until = protections.get(row)?.until ?? null
  return until === null || (until !== 0 && atMs >= until) ? null : until
}

/** Rejects the order while its account is frozen after too many fills. */
export function frozenRefusal({ exchange }: State, { market, account }: Draft): Rejection | null {
  const until = frozenUntil(exchange, findRow(market, account))
  return until === null ? null : refuse('MMP_FROZEN', until)
}

/** Enforces the maximum number of protected orders. */
export function protectedRefusal({ exchange, rules }: State, draft: Draft): Rejection | null {
  const { market, account, freedMmp } = draft
  const ids = exchange.protectedOrders.get(findRow(market, account))
  const count = (ids?.size ?? 0) - freedMmp
  const { mmpOrders } = rules.limits
  return count < mmpOrders ? null : refuse('OPEN_ORDER_LIMIT_REACHED', count, mmpOrders)
}
