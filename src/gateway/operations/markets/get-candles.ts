import { priceText, sizeText } from '../../../projections/market-text.ts'
import { CANDLE_LIMIT } from '../../../protocol/schemas/markets/candles.ts'
import { unsigned } from '../../operation.ts'
import { listedId, timesOf } from '../reading.ts'

function candlesOf(kind: 'trade' | 'mark') {
  return unsigned({
    name: kind === 'trade' ? 'get_candles' : 'get_mark_candles',
    group: 'markets',
    cost: 'heavy',
    async handle({ request, exchange }) {
      const market = listedId(exchange, request.symbol)
      const { interval, start_time: startMs, limit } = request
      timesOf(request)
      const endMs = Math.min(request.end_time ?? exchange.view.atMs, exchange.view.atMs)
      const query = { kind, interval, startMs, endMs, limit: limit ?? CANDLE_LIMIT }
      const rows = await exchange.history.candles(exchange.seq(), market, query)
      const params = exchange.view.markets.paramsOf(market)
      return rows.map((row) => ({
        t: row.startMs,
        T: row.endMs,
        s: params.symbol,
        i: interval,
        o: priceText(params, row.open),
        c: priceText(params, row.close),
        h: priceText(params, row.high),
        l: priceText(params, row.low),
        v: sizeText(params, row.lots),
        n: row.trades,
      }))
    },
  })
}

export const getCandles = candlesOf('trade')
export const getMarkCandles = candlesOf('mark')
