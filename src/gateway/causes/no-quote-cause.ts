// Explains why the open order with the client id of a quote is not a quote (ORDER-17).

import type { ExchangeView, OpenOrder, PlaceQuote } from '../../core/index.ts'

export function noQuoteCause(view: ExchangeView, quote: PlaceQuote): string {
  const { account, clientOrderId, side, market } = quote
  const key = clientOrderId?.toLowerCase()
  const isMeant = (row: Readonly<{ clientOrderId: string | null }>) =>
    row.clientOrderId?.toLowerCase() === key
  const { symbol } = view.markets.paramsOf(market)
  const algo = view.orders.algosOf(account).find(isMeant)
  const open = view.orders.openOf(account)
  const found = open.find(isMeant)
  const why =
    algo !== undefined
      ? `${algo.kind} ${algo.order}`
      : found === undefined
        ? 'something that is live'
        : `order ${found.order}, which ${whyNot(view, open, found, quote)}`
  return (
    `client_order_id ${clientOrderId} is that of ${why}; a quote on the ${side} side of ` +
    `${symbol} needs another id`
  )
}

function whyNot(
  view: ExchangeView,
  open: readonly OpenOrder[],
  found: OpenOrder,
  { market, side }: PlaceQuote,
): string {
  if (found.stopPrice !== null) return 'is a stop or a level'
  if (found.market !== market) return `is on ${view.markets.paramsOf(found.market).symbol}`
  if (found.side !== side) return `is on the ${found.side} side`
  if (found.oco !== null) return 'is a leg of an OCO'
  if (found.reduceOnly) return 'is reduce-only'
  if (open.some(({ parent }) => parent === found.order)) return 'has levels'
  return 'waits at the speed bump'
}
