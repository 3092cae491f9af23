import { Type } from 'typebox'
import { pricesRow } from '../../../feeds/markets/prices-topic.ts'
import { allMarkets } from '../../../projections/current/markets.ts'
import { noQuery } from '../../../protocol/schemas/lists.ts'
import { marketPrices } from '../../../protocol/schemas/market-replies.ts'
import { read } from '../../operation.ts'

export const getPrices = read({
  name: 'get_prices',
  http: 'GET /info/prices',
  ws: null,
  group: 'markets',
  summary: 'Prices of all markets, oldest first',
  cost: 'plain',
  wraps: 'envelope',
  refusals: 'rules',
  request: noQuery,
  reply: Type.Array(marketPrices),
  rejects: [],
  handle: ({ exchange }) =>
    allMarkets(exchange.state)
      .filter(({ status }) => status !== 'settled')
      .map((market) => pricesRow(exchange, market)),
})
