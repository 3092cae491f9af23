// Queries the maximum size before a size is typed. The query has the smallest size of an order like
// the one in the ticket, because the maximum of a limit order differs from that of a market order.

import { formatGrid } from '../../../units/decimal.ts'
import type { Preview, PreviewRequest } from '../wire.ts'
import { type Draft, isPriced } from './order-draft.ts'
import { figuresOf } from './order-preview.ts'
import { build, type Ordered } from './order-request.ts'

/** Key of the properties on which the maximum depends, apart from account and market. */
export function maxSizeKey(meant: Draft): string {
  const { kind, side, reduceOnly, slippage } = meant
  const price = isPriced(meant) ? meant.price : kind === 'market' ? slippage : ''
  const to = kind === 'scale' ? meant.to : ''
  return [side, reduceOnly, kind, price, to].join(' ')
}

/** Preview request for the maximum. An incomplete draft is requested as a market order. */
export function maxSizeQuery(
  draft: Draft,
  ordered: Ordered,
  { account, mark }: Readonly<{ account: string; mark: string }>,
): PreviewRequest {
  const amount = formatGrid(1, ordered.grid.lot)
  const { side, reduceOnly: reduce_only } = draft
  const common = { account, symbol: ordered.symbol, side, amount, reduce_only }
  // A scale of one lot cannot be split. Its first order has the same maximum.
  const kind = draft.kind === 'scale' ? 'limit' : draft.kind
  const least: Draft = { ...draft, kind, size: amount, sizeUnit: 'base', display: amount }
  const { request } = build({ ...least, withLevels: false, ends: 'never' }, { ...ordered, amount })
  if (request === null) return { ...common, slippage_percent: '1' }
  return figuresOf(request, account, mark)
}

/** Codes of refusals because of the size: margin, open interest, reduce-only. */
const ofSize: ReadonlySet<number> = new Set([5, 8, 18, 22, 28, 41])

/** Whether a preview shows the maximum. If it was refused for another reason than its size, it does
 *  not. */
export const showsMaxSize = ({ accepted, code, max_amount }: Preview) =>
  accepted || ofSize.has(code ?? 0) || Number(max_amount) > 0
