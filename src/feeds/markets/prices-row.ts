// A market as GET /info/prices and the channel `prices` show it.

import type { MarketNumbers } from '../../projections/current/markets.ts'
import type { FeedContext } from '../feed-context.ts'
import { microPriceText, moneyText, ppbText, priceText, sizeText } from '../market-text.ts'

export function pricesRow(
  { state, statistics }: Pick<FeedContext, 'state' | 'statistics'>,
  market: MarketNumbers,
) {
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
