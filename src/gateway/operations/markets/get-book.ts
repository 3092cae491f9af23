import type { DepthLevel, MarketParams } from '../../../core/index.ts'
import { priceText, sizeText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'
import { listedId } from '../reading.ts'

const DEPTH = 10

export const getBook = unsigned({
  name: 'get_book',
  group: 'markets',
  handle({ request, exchange }) {
    const { view } = exchange
    const market = listedId(exchange, request.symbol)
    const params = view.markets.paramsOf(market)
    const { bids, asks } = view.books.depth(market, request.depth ?? DEPTH, request.agg_level ?? 1)
    const wire = levelWire(params)
    const l: [ReturnType<typeof wire>[], ReturnType<typeof wire>[]] = [
      bids.map(wire),
      asks.map(wire),
    ]
    return { s: params.symbol, l, t: view.atMs, li: exchange.seq() }
  },
})

const levelWire =
  (params: MarketParams) =>
  ({ price, lots, orders }: DepthLevel) => ({
    p: priceText(params, price),
    a: sizeText(params, lots),
    n: orders,
  })
