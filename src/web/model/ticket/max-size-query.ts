// The maximum size, before a size is typed: requested with the smallest size of an order like the
// one in the ticket, because the maximum of a limit order differs from that of a market order.

import { formatGrid } from '../../../units/decimal.ts'
import type { Preview, PreviewRequest } from '../wire.ts'
import { type Draft, isPriced } from './order-draft.ts'
import { figuresOf } from './order-preview.ts'
import { build, type Ordered } from './order-request.ts'

/** What the maximum depends on, in addition to the account and its market. */
export function maxSizeKey(meant: Draft): string {
  const { kind, side, reduceOnly, slippage } = meant
  const price = isPriced(meant) ? meant.price : kind === 'market' ? slippage : ''
  const to = kind === 'scale' ? meant.to : ''
  return [side, reduceOnly, kind, price, to].join(' ')
}

/** An incomplete draft is requested as a market order. */
export function maxSizeQuery(
  draft: Draft,
  ordered: Ordered,
  { account, mark }: Readonly<{ account: string; mark: string }>,
): PreviewRequest {
  const amount = formatGrid(1, ordered.grid.lot)
  const { side, reduceOnly: reduce_only } = draft
  const common = { account, symbol: ordered.symbol, side, amount, reduce_only }
  // A ladder of one lot has no rungs: its first order is like the others.
  const kind = draft.kind === 'scale' ? 'limit' : draft.kind
  const least: Draft = { ...draft, kind, size: amount, sizeUnit: 'base', display: amount }
  const { request } = build({ ...least, withLevels: false, ends: 'never' }, { ...ordered, amount })
  if (request === null) return { ...common, slippage_percent: '1' }
  return figuresOf(request, account, mark)
}

/** Refusals of a size: margin, open interest, reduce-only. */
const ofSize: ReadonlySet<number> = new Set([5, 8, 18, 22, 28, 41])

/** A preview without size that was refused for another reason reveals nothing about the maximum. */
export const showsMaxSize = ({ accepted, code, max_amount }: Preview) =>
  accepted || ofSize.has(code ?? 0) || Number(max_amount) > 0
