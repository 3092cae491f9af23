import type { MarketParams } from '../../../core/index.ts'
import type { FillRow } from '../../../projections/history/history.ts'
import { moneyText, sizeText } from '../../../projections/market-text.ts'
import type { accountTrade } from '../../../protocol/schemas/account-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import { unsigned } from '../../operation.ts'
import { entryPriceText, fillPriceText, withoutForce } from '../fill-text.ts'
import { pageOfRequest, pageReply } from '../paging.ts'
import { readableAddress } from '../reading.ts'

type AccountTrade = Static<typeof accountTrade>

export const getTradeHistory = unsigned({
  name: 'get_trade_history',
  group: 'account',
  cost: 'heavy',
  async handle(call) {
    const { request, exchange } = call
    const account = readableAddress(call, request.account)
    const page = pageOfRequest(exchange, 'trades', request)
    const rows = await exchange.history.fills(exchange.seq(), account, page)
    return pageReply('trades', page, rows, {
      idOf: ({ history }) => history,
      rowOf: (row) => tradeWire(exchange.view.markets.paramsOf(row.market), row),
    })
  },
})

function tradeWire(params: MarketParams, row: FillRow): AccountTrade {
  return {
    history_id: row.history,
    order_id: row.order === 0 ? null : row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    amount: sizeText(params, row.lots),
    price: fillPriceText(params, row),
    entry_price: entryPriceText(params, row),
    fee: moneyText(row.fee),
    pnl: moneyText(row.pnl),
    event_type: row.role === 'maker' ? 'fulfill_maker' : 'fulfill_taker',
    side: withoutForce(row.kind) as AccountTrade['side'],
    cause: row.cause as AccountTrade['cause'],
    created_at: row.atMs,
  }
}
