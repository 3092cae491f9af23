import { sizeText } from '../../../projections/market-text.ts'
import type { liquidation } from '../../../protocol/schemas/markets/market-history.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import { unsigned } from '../../operation.ts'
import { fillPriceText } from '../fill-text.ts'
import { pageOfRequest, pageReply } from '../paging.ts'

type Liquidation = Static<typeof liquidation>

export const getLiquidations = unsigned({
  name: 'get_liquidations',
  group: 'markets',
  async handle({ request, exchange }) {
    const page = pageOfRequest(exchange, 'liquidations', request)
    const rows = await exchange.history.liquidations(exchange.seq(), page)
    return pageReply('liquidations', page, rows, {
      idOf: ({ history }) => history,
      rowOf(row): Liquidation {
        const params = exchange.view.markets.paramsOf(row.market)
        return {
          history_id: row.history,
          symbol: params.symbol,
          side: row.kind as Liquidation['side'],
          amount: sizeText(params, row.lots),
          price: fillPriceText(params, row),
          cause: row.cause as Liquidation['cause'],
          created_at: row.atMs,
        }
      },
    })
  },
})
