import type { MarketView } from '../../../core/index.ts'
import { moneyText, ppbText, priceText, sizeText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'

export const getInfo = unsigned({
  name: 'get_info',
  group: 'markets',
  refusals: 'contract',
  handle: ({ exchange }) =>
    exchange.view.markets
      .all()
      // A settled market can no longer be traded. GET /info/risk still shows it.
      .filter(({ status }) => status !== 'settled')
      .map(marketWire),
})

function marketWire(market: MarketView) {
  const { params } = market
  return {
    symbol: params.symbol,
    tick_size: priceText(params, 1),
    min_tick: priceText(params, params.tickMin),
    max_tick: priceText(params, params.tickMax),
    lot_size: sizeText(params, 1),
    max_leverage: params.leverageMax,
    isolated_only: params.isolatedOnly,
    min_order_size: moneyText(params.orderValueMin),
    max_order_size: moneyText(params.orderValueMax),
    funding_rate: ppbText(market.fundingRate),
    next_funding_rate: ppbText(market.nextFundingRate),
    created_at: market.listedAt,
    instrument_type: 'perpetual' as const,
    base_asset: params.baseAsset,
  }
}
