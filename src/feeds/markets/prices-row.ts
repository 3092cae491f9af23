// A market as in GET /info/prices and the channel `prices`.

import type { MarketView } from '../../core/index.ts'
import {
  microPriceText,
  moneyText,
  ppbText,
  priceText,
  sizeText,
} from '../../projections/market-text.ts'
import type { FeedContext } from '../feed-context.ts'

export function pricesRow(
  { view, statistics }: Pick<FeedContext, 'view' | 'statistics'>,
  market: MarketView,
) {
  const { id, params } = market
  const { atMs } = view
  return {
    symbol: params.symbol,
    mark: priceText(params, market.mark),
    mid: microPriceText(params, market.mid),
    oracle: microPriceText(params, market.oracle),
    funding: ppbText(market.fundingRate),
    next_funding: ppbText(market.nextFundingRate),
    open_interest: sizeText(params, market.openInterest),
    volume_24h: moneyText(statistics.volume24h(id, atMs)),
    yesterday_price: microPriceText(params, statistics.oracle24hAgo(id, atMs)),
    timestamp: atMs,
  }
}
