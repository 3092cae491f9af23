// `prices`: the rows of GET /info/prices, all of them each time.

import { allMarkets, type MarketNumbers } from '../../projections/current/markets.ts'
import { microPriceText, moneyText, ppbText, priceText, sizeText } from '../market-text.ts'
import type { Sight } from '../sight.ts'
import type { Told } from '../topic.ts'
import { ThrottledTopic } from './throttled-topic.ts'

export const pricesPeriodMs = 250

export class PricesTopic extends ThrottledTopic {
  constructor(key: string, sight: Sight) {
    super(key, sight, null, pricesPeriodMs)
  }

  override bookChanged(): void {
    this.dirty = true
  }

  override marked(): void {
    this.dirty = true
  }

  first(): Told {
    const rows = allMarkets(this.sight.state)
      .filter(({ status }) => status !== 'settled')
      .map((market) => pricesRow(this.sight, market))
    return { data: JSON.stringify(rows), li: this.sight.seq() }
  }

  protected news(): Told {
    return this.first()
  }
}

export function pricesRow(
  { state, statistics }: Pick<Sight, 'state' | 'statistics'>,
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
