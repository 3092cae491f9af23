import type { MarketParams } from '../../../core/index.ts'
import type { FillRow } from '../../../projections/history/history.ts'
import { isoText, moneyText, sizeText } from '../../../projections/market-text.ts'
import type { positionRecord } from '../../../protocol/schemas/position-replies.ts'
import type { Static } from '../../../protocol/schemas/typebox.ts'
import { unsigned } from '../../operation.ts'
import { entryPriceText, fillPriceText } from '../fill-text.ts'
import { marketFilter, readableAddress, requireReader, timesOf } from '../reading.ts'

const LIMIT = 100

export const getPositionHistory = unsigned({
  name: 'get_position_history',
  group: 'positions',
  cost: 'heavy',
  refusals: 'contract',
  async handle(call) {
    const { request, exchange } = call
    const account = request.account == null ? null : readableAddress(call, request.account)
    requireReader(call, account)
    const isContract = call.refusals === 'contract'
    const rows = await exchange.history.positionHistory(exchange.seq(), {
      account,
      market: marketFilter(exchange, request.symbol, isContract ? 'contract' : 'parameter'),
      ...timesOf(request),
      limit: request.limit ?? LIMIT,
      offset: request.offset ?? 0,
    })
    return rows.map((row) => recordWire(exchange.view.markets.paramsOf(row.market), row))
  },
})

function recordWire(params: MarketParams, row: FillRow): Static<typeof positionRecord> {
  return {
    amount: sizeText(params, row.lots),
    counterParty: row.counterparty,
    createdAt: isoText(row.atMs),
    entryPrice: entryPriceText(params, row),
    eventType: row.kind as Static<typeof positionRecord>['eventType'],
    fee: moneyText(row.fee),
    historyId: row.history,
    isMaker: row.role === 'maker',
    pnl: moneyText(row.pnl),
    price: fillPriceText(params, row),
    symbol: params.symbol,
  }
}
