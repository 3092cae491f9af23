// What few orders have: their end, what protects them, and how a stop follows the mark. Absent from
// the rows of all others, which are as they always were. Replies and streams write them alike.

import type { MarketParams, Trailing, TriggerBy } from '../../core/index.ts'
import { formatDecimal } from '../../units/decimal.ts'
import { priceText } from '../market-text.ts'

export function expiryWire({ expireTime }: Readonly<{ expireTime: number | null }>) {
  return expireTime === null ? {} : { expire_time: expireTime }
}

export function mmpWire({ mmp }: Readonly<{ mmp: boolean }>) {
  return mmp ? { mmp } : {}
}

type Tied = Readonly<{
  side: 'bid' | 'ask'
  oco: number | null
  source: number | null
  turned: boolean
}>

/** The other leg, what it came from, and which way a stop fires that does not as its side does. */
export function tiesWire({ side, oco, source, turned }: Tied) {
  return {
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

export function trailingWire(params: MarketParams, trailing: Trailing | null) {
  if (trailing === null) return {}
  const { distance, ppm, activation, extreme } = trailing
  const text = (ticks: number | null) => (ticks === null ? null : priceText(params, ticks))
  return {
    trailing: {
      trailing_percent: ppm === null ? null : formatDecimal(ppm, 4),
      trailing_distance: text(distance),
      activation_price: text(activation),
      extreme_price: text(extreme),
    },
  }
}
