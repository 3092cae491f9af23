// What would become of an order, with the liquidation price it would leave behind.

import type { Rejection } from '../../core/index.ts'
import {
  type OrderPreview as CorePreview,
  type OrderWish,
  previewOrder,
} from '../../core/matching/preview-order.ts'
import type { State } from '../../core/state/state.ts'
import { rowsOfAccount } from './account-rows.ts'
import { liquidationPrice } from './liquidation-price.ts'
import { standingsOf } from './positions.ts'

export type { OrderWish } from '../../core/matching/preview-order.ts'

export type OrderPreview = Readonly<{
  refusal: Rejection | null
  /** Null when the order is too misshapen to be reckoned with. */
  numbers: Readonly<{
    value: number
    fee: number
    margin: number
    /** Of the position when the order has filled. */
    lotsAfter: number
    liquidationPrice: number | null
  }> | null
  /** The largest size that would be accepted now; 0: none. */
  most: number
}>

/** `leverage`: as if the account had set that first; 0: the one in force. */
export function orderPreview(state: State, wish: OrderWish, leverage = 0): OrderPreview {
  const { refusal, after, most } = previewOrder(state, wish, leverage)
  if (after === null) return { refusal, numbers: null, most }
  const { value, fee, margin, lots } = after
  const liquidation = liquidationAfter(state, wish, after)
  return {
    refusal,
    numbers: { value, fee, margin, lotsAfter: lots, liquidationPrice: liquidation },
    most,
  }
}

function liquidationAfter(
  state: State,
  { account, market: id }: OrderWish,
  after: NonNullable<CorePreview['after']>,
): number | null {
  if (after.lots === 0) return null
  const market = state.markets[id]!
  const rows = rowsOfAccount(state, account)
  const others = rows.filter((row) => row.market !== market && row.lots !== 0)
  const { lots, cost, wallet, isolated, balance } = after
  const [standing] = standingsOf([{ market, lots, cost, wallet, isolated }, ...others], balance)
  return liquidationPrice(standing!)
}
