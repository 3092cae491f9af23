// Formats an algo with resting orders, running or past.

import type { ExchangeView, MarketParams, OpenAlgo } from '../core/index.ts'
import type { AlgoRow } from '../projections/history/history.ts'
import { moneyText, priceText, sizeText } from '../projections/market-text.ts'
import type { Sight } from '../projections/sight.ts'

export function algoWire(params: MarketParams, row: OpenAlgo) {
  return {
    order_id: row.order,
    client_order_id: row.clientOrderId,
    symbol: params.symbol,
    kind: row.kind,
    side: row.side,
    price: priceText(params, row.price),
    initial_amount: sizeText(params, row.initialLots),
    display_amount: row.display === 0 ? null : sizeText(params, row.display),
    filled_amount: sizeText(params, row.filledLots),
    total_filled_value: moneyText(row.filledValue),
    reduce_only: row.reduceOnly,
    child_order_id: row.child,
    expire_time: row.expireTime === 0 ? null : row.expireTime,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** Removes the current order of the algo if it is still hidden from the reader. */
export function withSeenChild<T extends Readonly<{ child: number | null }>>(
  sight: Sight,
  algo: T,
  { orders }: ExchangeView,
): T {
  if (sight === 'all' || algo.child === null || !orders.isUnreleased(algo.child)) return algo
  return { ...algo, child: null }
}

export function pastAlgoWire(
  params: MarketParams,
  row: AlgoRow & Readonly<{ child: number | null }>,
) {
  return {
    ...algoWire(params, { ...row, updatedAt: row.atMs } as unknown as OpenAlgo),
    order_status: row.status,
    reason: row.reason,
  }
}
