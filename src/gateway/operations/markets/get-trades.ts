import type { TapeQuery, TradeRow } from '../../../projections/history/history.ts'
import { tapeLength } from '../../../projections/market-statistics.ts'
import { priceText, sizeText } from '../../../projections/market-text.ts'
import type { trade } from '../../../protocol/schemas/market-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import type { Exchange } from '../../exchange.ts'
import { unsigned } from '../../operation.ts'
import { withoutForce } from '../fill-text.ts'
import { cursorOfRequest, pageReply } from '../paging.ts'
import { listedId, timesOf } from '../reading.ts'

type Trade = Static<typeof trade>

export const getTrades = unsigned({
  name: 'get_trades',
  group: 'markets',
  async handle({ request, exchange }) {
    const market = listedId(exchange, request.symbol)
    const params = exchange.view.markets.paramsOf(market)
    const seq = exchange.seq()
    const query = { ...cursorOfRequest('tape', request), ...timesOf(request) }
    const page = pageReply('tape', query, await tapeOf(exchange, seq, market, query), {
      idOf: (row) => row.history,
      rowOf: (row): Trade => ({
        history_id: row.history,
        event_type: 'fulfill_taker' as const,
        price: priceText(params, row.price),
        amount: sizeText(params, row.lots),
        side: withoutForce(row.kind) as Trade['side'],
        cause: row.cause as Trade['cause'],
        created_at: row.atMs,
      }),
    })
    return { ...page, last_order_id: seq }
  },
})

/** Returns the newest trades from memory. More trades, or another period, are read from history. */
function tapeOf(
  { statistics, history }: Exchange,
  seq: number,
  market: number,
  query: TapeQuery,
): readonly TradeRow[] | Promise<readonly TradeRow[]> {
  const { limit, startMs, endMs, before } = query
  if (startMs === null && endMs === null && before === null && limit <= tapeLength)
    return statistics.trades(market, limit)
  return history.trades(seq, market, query)
}
