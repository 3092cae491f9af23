import { paramsOfMarket } from '../../../projections/current/markets.ts'
import { moneyText, ppbText, sizeText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { cursorOfRequest, pageReply } from '../paging.ts'
import { readableAddress } from '../reading.ts'

export const getFundingHistory = unsigned({
  name: 'get_funding_history',
  group: 'account',
  summary: 'Funding an account got and paid, newest first',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  async handle(call) {
    const { request, exchange } = call
    const account = readableAddress(call, request.account)
    const page = cursorOfRequest('funding', request)
    const rows = await exchange.history.fundingPayments(exchange.seq(), account, page)
    return pageReply('funding', page, rows, {
      idOf: ({ id }) => id,
      rowOf: (row) => {
        const params = paramsOfMarket(exchange.state, row.market)
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
