import { pricesRow } from '../../../feeds/markets/prices-row.ts'
import { unsigned } from '../../operation.ts'

export const getPrices = unsigned({
  name: 'get_prices',
  group: 'markets',
  handle: ({ exchange }) =>
    exchange.view.markets
      .all()
      .filter(({ status }) => status !== 'settled')
      .map((market) => pricesRow(exchange, market)),
})
