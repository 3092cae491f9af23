// The levels that a position has, as rows that can be changed.

import type { GridStep } from '../../../units/decimal.ts'
import { less, type MarketGrid, stepsOf } from '../market/market-grid.ts'
import type { LevelBody, OpenOrder, Position } from '../wire.ts'
import { emptyRow, type LevelRow } from './level-rows.ts'

/** In the order in which they were set. */
export function rowsOf(
  position: Position,
  levels: readonly OpenOrder[],
  { lot }: MarketGrid,
): readonly LevelRow[] {
  const all = stepsOf(position.a, lot) ?? 0
  const rows = levels.map((level): LevelRow => {
    const { amount = level.a } = sizeOf(level, lot)
    const lots = stepsOf(amount, lot) ?? 0
    const share = String(all === 0 ? 100 : Math.min(100, Math.round((lots / all) * 10_000) / 100))
    const follows = level.whole_position === true
    const was = { share, amount: follows ? null : amount, fields: keptOf(level) }
    return { ...textOf(level), share, was }
  })
  return rows.length === 0 ? [emptyRow] : rows
}

function textOf({ sp, trailing }: OpenOrder): Pick<LevelRow, 'text' | 'by'> {
  if (trailing === undefined) return { text: sp ?? '', by: 'price' }
  const { trailing_percent, trailing_distance } = trailing
  return trailing_percent === null
    ? { text: trailing_distance ?? '', by: 'distance' }
    : { text: trailing_percent, by: 'trail' }
}

/** What of a level stays the same when its price is changed, but for its size. */
export function keptOf(level: OpenOrder): Partial<LevelBody> {
  const { I } = level
  return { ...conditionOf(level), ...(I !== null && { client_order_id: I }) }
}

/** How a stop fires, beside its price, and what it makes. */
export function conditionOf({ ot, ip, trailing, trigger_price_type }: OpenOrder) {
  const from = trailing?.activation_price ?? null
  return {
    ...(ot.endsWith('_limit') && { limit_price: ip }),
    ...(from !== null && { activation_price: from }),
    ...(trigger_price_type !== undefined && { trigger_price_type }),
  }
}

/** What of it was not taken away yet; none: the whole position. */
export function sizeOf({ whole_position, a, c }: OpenOrder, lot: GridStep): { amount?: string } {
  return whole_position === true ? {} : { amount: less(a, c, lot) }
}
