import type { TradeRow } from '../../../projections/history/history.ts'
import { tapeLength } from '../../../projections/market-statistics.ts'
import { LIST_LIMIT } from '../../../protocol/schemas/lists.ts'
import type { trade, tradesQuery } from '../../../protocol/schemas/market-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import type { Exchange } from '../../exchange.ts'
import { priceText, sizeText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { withoutForce } from '../fill-text.ts'
import { listedId, timesOf } from '../reading.ts'

type Trade = Static<typeof trade>

export const getTrades = unsigned({
  name: 'get_trades',
  group: 'markets',
  summary: 'Trades of a market by time, newest first, one row per match',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  async handle({ request, exchange }) {
    const market = listedId(exchange, request.symbol)
    const params = exchange.view.markets.paramsOf(market)
    const seq = exchange.seq()
    const trades = await tapeOf(exchange, seq, market, request)
    const rows = trades.map((row) => ({
      history_id: row.history,
      event_type: 'fulfill_taker' as const,
      price: priceText(params, row.price),
      amount: sizeText(params, row.lots),
      side: withoutForce(row.kind) as Trade['side'],
      cause: row.cause as Trade['cause'],
      created_at: row.atMs,
    }))
    return { rows, last_order_id: seq }
  },
})

/** The newest are at hand; whoever wants more, or another time, asks history. */
function tapeOf(
  { statistics, history }: Exchange,
  seq: number,
  market: number,
  request: Static<typeof tradesQuery>,
): readonly TradeRow[] | Promise<readonly TradeRow[]> {
  const limit = request.limit ?? LIST_LIMIT
  const times = timesOf(request)
  if (times.startMs === null && times.endMs === null && limit <= tapeLength)
    return statistics.trades(market, limit)
  return history.trades(seq, market, { limit, ...times })
}
