// Checks the side of the mark of a position's level. On the wrong side the level would be triggered
// already, and the exchange would refuse it.

import type { MarketGrid } from '../market/market-grid.ts'
import { fixed } from '../number-text.ts'
import {
  type Entered,
  type LevelKind,
  type LevelRow,
  priceOf,
  type RowProblem,
  words,
} from './level-rows.ts'

/** Returns the first level on the wrong side, or null. Unchanged levels, and levels not triggered
 *  by the mark, are left to the exchange. */
export function sideProblem(
  rows: readonly LevelRow[],
  kind: LevelKind,
  entered: Entered,
  grid: MarketGrid,
): RowProblem | null {
  const { side, mark } = entered
  const above = (kind === 'take_profit') === (side === 'bid')
  const row = rows.findIndex((each) => {
    const price = isChecked(each) ? Number(priceOf(each, kind, entered, grid)) : 0
    return price > 0 && mark > 0 && (above ? price <= mark : price >= mark)
  })
  if (row < 0) return null
  const which = `The ${words[kind]} of a ${side === 'bid' ? 'long' : 'short'}`
  const where = `${above ? 'above' : 'below'} the mark, ${fixed(mark, grid.tickPlaces)}`
  return { row, message: `${which} has to be ${where}` }
}

function isChecked({ by, text, was }: LevelRow): boolean {
  if (by === 'percent') return true
  if (by !== 'price') return false
  return was?.fields.trigger_price_type === undefined && was?.text !== text
}
