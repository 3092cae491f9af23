// Formats orders: the fields that open orders, their history and their events have in common.

import type { MarketParams } from '../../core/index.ts'
import { orderTypeWire } from '../../feeds/accounts/order-options.ts'
import { averagePriceText, priceText, sizeText } from '../../projections/market-text.ts'

export {
  isFired,
  optionsWire,
  pastTrailing,
  slippageWire,
} from '../../feeds/accounts/order-options.ts'

type Amounts = Readonly<{ initialLots: number; filledLots: number; cancelledLots: number }>

export function amountsWire(params: MarketParams, amounts: Amounts) {
  return {
    initial_amount: sizeText(params, amounts.initialLots),
    filled_amount: sizeText(params, amounts.filledLots),
    cancelled_amount: sizeText(params, amounts.cancelledLots),
  }
}

/** Average price of the fills; `null` if there are none. */
export function averageText(
  params: MarketParams,
  { filledValue, filledLots }: Readonly<{ filledValue: number; filledLots: number }>,
): string | null {
  return filledLots === 0 ? null : averagePriceText(params, filledValue, filledLots)
}

type Stop = Readonly<{
  stopPrice: number | null
  orderType: string
  parent: number | null
  reduceOnly: boolean
  turned: boolean
}>

export function stopWire(params: MarketParams, { stopPrice, ...stop }: Stop) {
  return {
    // 0: the stop is trailing, and has no price yet.
    stop_price: stopPrice === null || stopPrice === 0 ? null : priceText(params, stopPrice),
    order_type: orderTypeWire(stop),
    stop_parent_order_id: stop.parent,
    reduce_only: stop.reduceOnly,
  }
}
