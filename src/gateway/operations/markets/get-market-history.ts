// Open interest and index price of a market by interval.

import type { MarketStateRow } from '../../../projections/history/history.ts'
import { microPriceText, moneyText, sizeText } from '../../../projections/market-text.ts'
import type { RequestOf } from '../../../protocol/route-schemas.ts'
import { INTERVAL_DEFAULT } from '../../../protocol/schemas/markets/market-history.ts'
import type { Exchange } from '../../exchange.ts'
import { unsigned } from '../../operation.ts'
import { cursorOfRequest, type ListKind, pageReply } from '../paging.ts'
import { listedId, timesOf } from '../reading.ts'

type Query = RequestOf<'get_open_interest_history'>

/** `sinceMs`: the oldest interval is the one that contains this time. */
async function intervalPage<Wire>(
  exchange: Exchange,
  request: Query,
  {
    kind,
    sinceMs,
    fieldsOf,
  }: Readonly<{ kind: ListKind; sinceMs: number; fieldsOf(row: MarketStateRow): Wire }>,
) {
  const market = listedId(exchange, request.symbol)
  const { startMs, endMs } = timesOf(request)
  const interval = request.interval ?? INTERVAL_DEFAULT
  const nowMs = exchange.view.atMs
  const page = {
    ...cursorOfRequest(kind, request),
    interval,
    startMs: Math.max(startMs ?? 0, sinceMs),
    endMs: Math.min(endMs ?? nowMs, nowMs),
  }
  const rows = await exchange.history.marketStates(exchange.seq(), market, page)
  return pageReply(kind, page, rows, {
    idOf: ({ startMs }) => startMs,
    rowOf: (row) => ({ start_time: row.startMs, end_time: row.endMs, ...fieldsOf(row) }),
  })
}

export const getOpenInterestHistory = unsigned({
  name: 'get_open_interest_history',
  group: 'markets',
  handle({ request, exchange }) {
    const market = exchange.view.markets.get(listedId(exchange, request.symbol))!
    const { params, unitValue, listedAt } = market
    return intervalPage(exchange, request, {
      kind: 'interest',
      // A sandbox has prices from before its start.
      sinceMs: listedAt,
      fieldsOf: ({ openInterest, mark }) => ({
        open_interest: sizeText(params, openInterest),
        open_interest_value: moneyText(openInterest * mark * unitValue),
      }),
    })
  },
})

export const getIndexPriceHistory = unsigned({
  name: 'get_index_price_history',
  group: 'markets',
  handle({ request, exchange }) {
    const params = exchange.view.markets.paramsOf(listedId(exchange, request.symbol))
    return intervalPage(exchange, request, {
      kind: 'index',
      sinceMs: 0,
      fieldsOf: ({ oracle }) => ({ index_price: microPriceText(params, oracle) }),
    })
  },
})
