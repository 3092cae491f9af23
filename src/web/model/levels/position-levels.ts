// The levels that a position has, as rows that can be changed.

import { type MarketGrid, stepsOf } from '../market/market-grid.ts'
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
    const lots = stepsOf(level.a, lot) ?? 0
    const share = String(all === 0 ? 100 : Math.min(100, Math.round((lots / all) * 10_000) / 100))
    const was = { share, amount: lots >= all ? null : level.a, fields: keptOf(level) }
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

/** What of a level stays the same when its price is changed. */
export function keptOf({ ot, ip, I, trailing }: OpenOrder): Partial<LevelBody> {
  const from = trailing?.activation_price ?? null
  return {
    ...(ot.endsWith('_limit') && { limit_price: ip }),
    ...(I !== null && { client_order_id: I }),
    ...(from !== null && { activation_price: from }),
  }
}
