// Previews an order, including the resulting liquidation price.

import type { Lots, Quote, Ticks } from '../../units/units.ts'
import type { Rejection } from '../commands/rejections.ts'
import {
  type Caller,
  type OrderWish,
  type OrderPreview as Outcome,
  previewOrder,
} from '../previews/preview-order.ts'
import { type Plan, planRefusal, restingOrderOf } from '../previews/preview-plan.ts'
import type { State } from '../state/state.ts'
import { rowsOfAccount } from './account-rows.ts'
import { liquidationPrice, standingsOf } from './liquidation-price.ts'
import { tierView } from './listed-market.ts'
import type { TierView } from './market-view.ts'

export type OrderPreview = Readonly<{
  refusal: Rejection | null
  /** Null if the order is malformed. */
  numbers: Readonly<{
    value: Quote
    fee: Quote
    margin: Quote
    /** Lots of the position after the order has filled. */
    lotsAfter: Lots
    /** The price that a post-only order would take first, so that it ends without a fill; null:
     *  none. */
    meets: Ticks | null
    liquidationPrice: Ticks | null
    /** The tier for the worst case of position and open orders, including this one (MARGIN-1). */
    tier: TierView
  }> | null
  /** The largest size that would be accepted now, or 0. */
  most: Lots
}>

/** `leverage`: previews the order as if the account had set this leverage first; 0: the one in
 *  force. `by`: previews it as sent by that agent. */
export function orderPreview(
  state: State,
  wish: OrderWish,
  leverage: number,
  by?: Caller,
): OrderPreview {
  const { refusal, after, most: lots } = previewOrder(state, wish, leverage, by)
  const most = lots as Lots
  if (after === null) return { refusal, numbers: null, most }
  const numbers = {
    value: after.value as Quote,
    fee: after.fee as Quote,
    margin: after.margin as Quote,
    lotsAfter: after.lots as Lots,
    meets: after.meets === 0 ? null : (after.meets as Ticks),
    liquidationPrice: liquidationAfter(state, wish, after),
    tier: tierView(state.markets[wish.market]!, after.reach),
  }
  return { refusal, numbers, most }
}

/** The preview of a plan. The numbers are those of its first resting order. */
export type PlanPreview = Pick<OrderPreview, 'refusal' | 'numbers'>

export function planPreview(state: State, plan: Plan, leverage: number, by?: Caller): PlanPreview {
  const order = restingOrderOf(plan)
  const numbers = order === null ? null : orderPreview(state, order, leverage, by).numbers
  return { refusal: planRefusal(state, plan, leverage, by), numbers }
}

function liquidationAfter(
  state: State,
  { account, market: id }: OrderWish,
  after: NonNullable<Outcome['after']>,
): Ticks | null {
  if (after.lots === 0) return null
  const market = state.markets[id]!
  const rows = rowsOfAccount(state, account)
  const others = rows.filter((row) => row.market !== market && row.lots !== 0)
  const { lots, cost, wallet, isolated, balance } = after
  const [standing] = standingsOf([{ market, lots, cost, wallet, isolated }, ...others], balance)
  return liquidationPrice(standing!)
}
