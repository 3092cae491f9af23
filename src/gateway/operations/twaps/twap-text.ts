// Formats a TWAP, running or past.

import { type MarketParams, twapEnd } from '../../../core/index.ts'
import type { TwapRow } from '../../../projections/history/history.ts'
import { moneyText, sizeText } from '../../../projections/market-text.ts'
import { formatDecimal } from '../../../units/decimal.ts'
import { divFloor } from '../../../units/rounding.ts'

export function twapWire(
  params: MarketParams,
  row: Omit<TwapRow, 'id' | 'seq' | 'account' | 'atMs' | 'status' | 'event'> &
    Readonly<{ updatedAt: number }>,
) {
  return {
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    side: row.side,
    initial_amount: sizeText(params, row.initialLots),
    filled_amount: sizeText(params, row.filledLots),
    reduce_only: row.reduceOnly,
    // 1 % is 10,000 ppm.
    slippage_percent: formatDecimal(row.slippagePpm, 4),
    planned_sub_order_amount: sizeText(params, divFloor(row.initialLots, row.slices)),
    planned_sub_order_count: row.slices,
    past_sub_order_count: row.past,
    total_filled_value: moneyText(row.filledValue),
    expiration: twapEnd(row.createdAt, row.slices),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

export function twapStepWire(params: MarketParams, row: TwapRow) {
  return {
    ...twapWire(params, { ...row, updatedAt: row.atMs }),
    order_status: row.status,
    event_type: row.event,
  }
}
