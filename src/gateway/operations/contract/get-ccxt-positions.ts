import type { PositionNumbers } from '../../../core/index.ts'
import {
  averagePriceText,
  moneyText,
  priceText,
  sizeText,
} from '../../../projections/market-text.ts'
import type { RequestOf } from '../../../protocol/route-schemas.ts'
import { asOf } from '../../../protocol/schemas/lists.ts'
import { ccxtPosition } from '../../../protocol/schemas/position-replies.ts'
import type { Call, UnsignedOperation } from '../../operation.ts'
import { readableAccount } from '../reading.ts'
import { getPositions } from './get-positions.ts'

/** Replaces `getPositions` under the mount for existing clients. */
export const getCcxtPositions: UnsignedOperation = {
  ...getPositions,
  name: 'get_ccxt_positions',
  summary: 'Current positions of an account, in the form existing clients read',
  wraps: 'as_of',
  refusals: 'rules',
  reply: asOf(ccxtPosition),
  handle(call: Call<RequestOf<'get_positions'>>) {
    const account = readableAccount(call, call.request.account)
    const { exchange } = call
    const positions = account === 0 ? [] : exchange.view.positions.of(account)
    return { rows: positions.map(positionWire), last_order_id: exchange.seq() }
  },
}

function positionWire(numbers: PositionNumbers) {
  const { params, lots, cost, liquidationPrice } = numbers
  return {
    symbol: params.symbol,
    side: lots > 0 ? ('bid' as const) : ('ask' as const),
    amount: sizeText(params, Math.abs(lots)),
    entry_price: averagePriceText(params, cost, lots),
    margin: moneyText(numbers.wallet),
    funding: moneyText(numbers.fundingPaid),
    isolated: numbers.isolated,
    liquidation_price: liquidationPrice === null ? null : priceText(params, liquidationPrice),
    created_at: numbers.openedAt,
    updated_at: numbers.updatedAt,
  }
}
