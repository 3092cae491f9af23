import type { Static } from 'typebox'
import { paramsOfMarket } from '../../../projections/current/markets.ts'
import { LIST_LIMIT } from '../../../protocol/schemas/lists.ts'
import type { trade } from '../../../protocol/schemas/market-replies.ts'
import { priceText, sizeText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { withoutForce } from '../fill-text.ts'
import { listedId } from '../reading.ts'

type Trade = Static<typeof trade>

export const getTrades = unsigned({
  name: 'get_trades',
  group: 'markets',
  summary: 'Newest trades of a market, one row per match',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle({ request, exchange }) {
    const market = listedId(exchange, request.symbol)
    const params = paramsOfMarket(exchange.state, market)
    const trades = exchange.statistics.trades(market, request.limit ?? LIST_LIMIT)
    const rows = trades.map((row) => ({
      history_id: row.history,
      event_type: 'fulfill_taker' as const,
      price: priceText(params, row.price),
      amount: sizeText(params, row.lots),
      side: withoutForce(row.kind) as Trade['side'],
      cause: row.cause as Trade['cause'],
      created_at: row.atMs,
    }))
    return { rows, last_order_id: exchange.seq() }
  },
})
