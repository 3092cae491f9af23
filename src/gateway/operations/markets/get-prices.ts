import { Type } from 'typebox'
import { allMarkets, type MarketNumbers } from '../../../projections/current/markets.ts'
import { noQuery } from '../../../protocol/schemas/lists.ts'
import { marketPrices } from '../../../protocol/schemas/market-replies.ts'
import type { Exchange } from '../../exchange.ts'
import { microPriceText, moneyText, ppbText, priceText, sizeText } from '../../market-text.ts'
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
      .map((market) => pricesWire(exchange, market)),
})

export function pricesWire({ state, statistics }: Exchange, market: MarketNumbers) {
  const { id, params } = market
  const { atMs } = state
  return {
    symbol: params.symbol,
    mark: priceText(params, market.mark),
    mid: microPriceText(params, market.midMicro),
    oracle: microPriceText(params, market.oracleMicro),
    funding: ppbText(market.fundingRate),
    next_funding: ppbText(market.nextFundingRate),
    open_interest: sizeText(params, market.openInterest),
    volume_24h: moneyText(statistics.volume24h(id, atMs)),
    yesterday_price: microPriceText(params, statistics.oracle24hAgo(id, atMs)),
    timestamp: atMs,
  }
}
