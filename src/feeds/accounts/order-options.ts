// What few orders have: their end, what protects them, and how a stop follows the mark. Absent from
// the rows of all others, which are as they always were. Replies and streams write them alike.

import type { MarketParams, Trailing, TriggerBy } from '../../core/index.ts'
import { formatDecimal } from '../../units/decimal.ts'
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
  /** A stop that does not fire as its side does. */
  turned: boolean
}>

export function optionsWire(params: MarketParams, order: Options) {
  const { side, trailing, expireTime, mmp, oco, source, turned } = order
  return {
    ...(trailing === null ? {} : { trailing: trailingWire(params, trailing) }),
    ...(expireTime === null ? {} : { expire_time: expireTime }),
    ...(mmp ? { mmp } : {}),
    ...(oco === null ? {} : { oco_order_id: oco }),
    ...(source === null ? {} : { parent_order_id: source }),
    ...(turned ? { trigger_direction: side === 'bid' ? ('lte' as const) : ('gte' as const) } : {}),
  }
}

export const triggerWords = {
  mark: 'mark_price',
  last: 'last_trade_price',
  mid: 'mid_price',
} as const satisfies Readonly<Record<TriggerBy, string>>

type Watching = Readonly<{ triggerBy: TriggerBy | null; isWhole: boolean }>

/** Which price fires a stop, unless it is the mark, and whether it closes whatever is there. */
export function watchingWire({ triggerBy, isWhole }: Watching) {
  const other = triggerBy !== null && triggerBy !== 'mark'
  return {
    ...(other ? { trigger_price_type: triggerWords[triggerBy] } : {}),
    ...(isWhole ? { whole_position: true } : {}),
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
