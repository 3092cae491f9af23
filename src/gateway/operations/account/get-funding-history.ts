import { moneyText, ppbText, sizeText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'
import { accountPage } from '../paging.ts'

export const getFundingHistory = unsigned({
  name: 'get_funding_history',
  group: 'account',
  handle(call) {
    const { exchange } = call
    return accountPage(call, 'funding', exchange.history.fundingPayments, {
      idOf: ({ id }) => id,
      rowOf: (row) => {
        const params = exchange.view.markets.paramsOf(row.market)
        return {
          history_id: row.id,
          symbol: params.symbol,
          side: row.lots > 0 ? ('bid' as const) : ('ask' as const),
          amount: sizeText(params, Math.abs(row.lots)),
          payout: moneyText(row.payment),
          rate: ppbText(row.rate),
          created_at: row.atMs,
        }
      },
    })
  },
})
