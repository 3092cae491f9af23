// Rare properties of orders: expiry, protection, and trailing. Absent from the rows of all other
// orders. Replies and streams use the same format.

import type { MarketParams, Trailing } from '../../core/index.ts'
import type { OrderType } from '../../protocol/words.ts'
import { formatDecimal } from '../../units/decimal.ts'
import type { TriggerBy } from '../../words/order-words.ts'
import { priceText } from '../market-text.ts'

type Options = Readonly<{
  side: 'bid' | 'ask'
  trailing: Trailing | null
  expireTime: number | null
  mmp: boolean
  /** The other leg. */
  oco: number | null
  /** What it came from. */
  source: number | null
  /** Trigger direction of a stop, if it differs from that of its side. */
  turned: boolean
  /** The order of a fired stop that continues (TRIG-3); not once it has ended. */
  goesOn: boolean
  /** `null` if hidden from the reader, or if there is none. */
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

/** As history has it; null: the stop does not follow the mark. */
export function pastTrailing(row: PastTrail): Trailing | null {
  const { trailDistance: distance, trailPpm: ppm, trailActivation: activation, extreme } = row
  if (distance === null && ppm === null) return null
  return { distance, ppm, activation, extreme } as Trailing
}

type Made = Readonly<{ orderType: string; reduceOnly: boolean }> &
  Pick<Options, 'parent' | 'source'>

/** The market order of a reduce-only stop, which is open until its position is closed (TRIG-3).
 *  Slices of a TWAP have a source. */
export function isFired({ orderType, reduceOnly, parent, source }: Made): boolean {
  return orderType === 'market' && reduceOnly && parent !== null && source === null
}

type Typed = Readonly<{ orderType: string; turned: boolean; reduceOnly: boolean }>

/** A reduce-only stop that waits for a better price is a take-profit. */
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

/** Maximum slippage of the market order of a stop, if the stop has it. */
export function slippageWire(slippagePpm: number | null) {
  return slippagePpm === null ? {} : { slippage_percent: formatDecimal(slippagePpm, 4) }
}

type Watching = Readonly<{
  triggerBy: TriggerBy | null
  isWhole: boolean
  slippagePpm: number | null
}>

/** The trigger price of a stop if it is not the mark, whether it closes the whole position, and its
 *  slippage. */
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
