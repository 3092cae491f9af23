// Rarely used properties of orders: expiry, protection and trailing. Rows of other orders do not
// have these fields. Replies and streams use the same format.

import type { MarketParams, Trailing } from '../../core/index.ts'
import { priceText } from '../../projections/market-text.ts'
import type { OrderType } from '../../protocol/words.ts'
import { formatDecimal } from '../../units/decimal.ts'
import type { TriggerBy } from '../../words/order-words.ts'

type Options = Readonly<{
  side: 'bid' | 'ask'
  trailing: Trailing | null
  expireTime: number | null
  mmp: boolean
  /** The other leg of an OCO. */
  oco: number | null
  /** The stop or algo that the order came from. */
  source: number | null
  /** Whether a stop triggers in the other direction than its side implies. */
  turned: boolean
  /** Whether this is the order of a triggered stop that stays active (TRIG-3). False once it has
   *  ended. */
  goesOn: boolean
  /** `null` if there is none, or if it is hidden from the reader. */
  parent: number | null
}>

export function optionsWire(params: MarketParams, order: Options) {
  const { side, trailing, expireTime, mmp, oco, source, turned, goesOn, parent } = order
  return {
    ...(trailing === null ? {} : { trailing: trailingWire(params, trailing) }),
    ...(expireTime === null ? {} : { expire_time: expireTime }),
    ...(mmp ? { mmp } : {}),
    ...(oco === null ? {} : { oco_order_id: oco }),
    ...(source === null ? {} : { parent_order_id: source }),
    ...(turned ? { trigger_direction: side === 'bid' ? ('lte' as const) : ('gte' as const) } : {}),
    ...(goesOn && parent !== null ? { triggered: true } : {}),
  }
}

type PastTrail = Readonly<
  Record<'trailDistance' | 'trailPpm' | 'trailActivation' | 'extreme', number | null>
>

/** Trailing settings from a row of history; `null` if the stop does not trail. */
export function pastTrailing(row: PastTrail): Trailing | null {
  const { trailDistance: distance, trailPpm: ppm, trailActivation: activation, extreme } = row
  if (distance === null && ppm === null) return null
  return { distance, ppm, activation, extreme } as Trailing
}

type Made = Readonly<{ orderType: string; reduceOnly: boolean }> &
  Pick<Options, 'parent' | 'source'>

/** Whether this is the market order of a reduce-only stop, which stays open until its position is
 *  closed (TRIG-3). Slices of a TWAP have a source and are not included. */
export function isFired({ orderType, reduceOnly, parent, source }: Made): boolean {
  return orderType === 'market' && reduceOnly && parent !== null && source === null
}

type Typed = Readonly<{ orderType: string; turned: boolean; reduceOnly: boolean }>

/** A reduce-only stop that waits for a better price is shown as a take-profit. */
export function orderTypeWire({ orderType, turned, reduceOnly }: Typed): OrderType {
  const isStop = orderType === 'stop_limit' || orderType === 'stop_market'
  if (!isStop || !turned || !reduceOnly) return orderType as OrderType
  return orderType === 'stop_limit' ? 'take_profit_limit' : 'take_profit_market'
}

export const triggerWords = {
  mark: 'mark_price',
  last: 'last_trade_price',
  mid: 'mid_price',
} as const satisfies Readonly<Record<TriggerBy, string>>

/** Maximum slippage of a stop's market order, if the stop has its own. */
export function slippageWire(slippagePpm: number | null) {
  return slippagePpm === null ? {} : { slippage_percent: formatDecimal(slippagePpm, 4) }
}

type Watching = Readonly<{
  triggerBy: TriggerBy | null
  isWhole: boolean
  slippagePpm: number | null
}>

/** Fields of a stop: its trigger price type if not the mark, whether it closes the whole position,
 *  and its maximum slippage. */
export function watchingWire({ triggerBy, isWhole, slippagePpm }: Watching) {
  const other = triggerBy !== null && triggerBy !== 'mark'
  return {
    ...(other ? { trigger_price_type: triggerWords[triggerBy] } : {}),
    ...(isWhole ? { whole_position: true } : {}),
    ...slippageWire(slippagePpm),
  }
}

function trailingWire(params: MarketParams, { distance, ppm, activation, extreme }: Trailing) {
  const text = (ticks: number | null) => (ticks === null ? null : priceText(params, ticks))
  return {
    trailing_percent: ppm === null ? null : formatDecimal(ppm, 4),
    trailing_distance: text(distance),
    activation_price: text(activation),
    extreme_price: text(extreme),
  }
}
