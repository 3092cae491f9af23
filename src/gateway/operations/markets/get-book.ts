import type { MarketParams } from '../../../core/index.ts'
import { bookDepth, type DepthLevel } from '../../../projections/current/book-depth.ts'
import { paramsOfMarket } from '../../../projections/current/markets.ts'
import { priceText, sizeText } from '../../market-text.ts'
import { unsigned } from '../../operation.ts'
import { listedId } from '../reading.ts'

const DEPTH = 10

export const getBook = unsigned({
  name: 'get_book',
  group: 'markets',
  summary: 'Best levels of a book, as they are or gathered on a coarser grid',
  cost: 'plain',
  refusals: 'rules',
  rejects: [],
  handle({ request, exchange }) {
    const { state } = exchange
    const market = listedId(exchange, request.symbol)
    const params = paramsOfMarket(state, market)
    const { bids, asks } = bookDepth(state, market, request.depth ?? DEPTH, request.agg_level ?? 1)
    const wire = levelWire(params)
    const l: [ReturnType<typeof wire>[], ReturnType<typeof wire>[]] = [
      bids.map(wire),
      asks.map(wire),
    ]
    return { s: params.symbol, l, t: state.atMs, li: exchange.seq() }
  },
})

const levelWire =
  (params: MarketParams) =>
  ({ price, lots, orders }: DepthLevel) => ({
    p: priceText(params, price),
    a: sizeText(params, lots),
    n: orders,
  })
