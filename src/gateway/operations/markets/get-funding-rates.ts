import { microPriceText, ppbText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'
import { cursorOfRequest, pageReply } from '../paging.ts'
import { listedId } from '../reading.ts'

export const getFundingRates = unsigned({
  name: 'get_funding_rates',
  group: 'markets',
  async handle({ request, exchange }) {
    const market = listedId(exchange, request.symbol)
    const page = cursorOfRequest('rates', request)
    const rows = await exchange.history.fundingRates(exchange.seq(), market, page)
    const estimate = exchange.view.markets.get(market)!.nextFundingRate
    const params = exchange.view.markets.paramsOf(market)
    const impact = (price: number) => (price === 0 ? null : microPriceText(params, price))
    return pageReply('rates', page, rows, {
      idOf: ({ epoch }) => epoch,
      rowOf: (row) => ({
        oracle_price: microPriceText(params, row.oracle),
        bid_impact_price: impact(row.impactBid),
        ask_impact_price: impact(row.impactAsk),
        funding_rate: ppbText(row.rate),
        next_funding_rate: ppbText(row.nextRate ?? estimate),
        created_at: row.atMs,
      }),
    })
  },
})
