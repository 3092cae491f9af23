import type { PositionNumbers } from '../../../core/index.ts'
import { averagePriceText, isoText, moneyText, sizeText } from '../../../projections/market-text.ts'
import { unsigned } from '../../operation.ts'
import { readableAccount } from '../reading.ts'

export const getPositions = unsigned({
  name: 'get_positions',
  group: 'positions',
  refusals: 'contract',
  handle(call) {
    const account = readableAccount(call, call.request.account)
    return account === 0 ? [] : call.exchange.view.positions.of(account).map(positionWire)
  },
})

export function positionWire(numbers: PositionNumbers) {
  const { params, lots, cost, isolated } = numbers
  return {
    amount: sizeText(params, Math.abs(lots)),
    createdAt: isoText(numbers.openedAt),
    entryPrice: averagePriceText(params, cost, lots),
    isolated,
    margin: moneyText(numbers.margin),
    side: lots > 0 ? ('bid' as const) : ('ask' as const),
    symbol: params.symbol,
    updatedAt: isoText(numbers.updatedAt),
  }
}
