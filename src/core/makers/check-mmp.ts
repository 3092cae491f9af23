// Why a protected order is refused for its protection (ORDER-18). Reads only.

import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Draft } from '../drafts/draft.ts'
import { findRow } from '../margin/position-row.ts'
import type { State } from '../state/state.ts'

/** Until when quotes of the row are refused, 0: until a reset; null: they are taken. */
export function frozenUntil({ protections, atMs }: State, row: number): number | null {
  const until = protections.get(row)?.until ?? null
  return until === null || (until !== 0 && atMs >= until) ? null : until
}

/** Its account was filled too fast a moment ago. */
export function frozenRefusal({ exchange }: State, { market, account }: Draft): Rejection | null {
  const until = frozenUntil(exchange, findRow(market, account))
  return until === null ? null : refuse('MMP_FROZEN', until)
}

/** It would be one too many. */
export function protectedRefusal({ exchange, rules }: State, draft: Draft): Rejection | null {
  const { market, account, freedMmp } = draft
  const ids = exchange.protectedOrders.get(findRow(market, account))
  const count = (ids?.size ?? 0) - freedMmp
  const { mmpOrders } = rules.limits
  return count < mmpOrders ? null : refuse('OPEN_ORDER_LIMIT_REACHED', count, mmpOrders)
}
