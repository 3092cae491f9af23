// Effect of an order's attached levels on the position when the order fills. A level without a size
// closes the whole position, and replaces existing levels of its kind (TRIG-5, TRIG-12).

import { formatGrid } from '../../../units/decimal.ts'
import { type MarketGrid, stepsOf } from '../market/market-grid.ts'
import { fixed } from '../number-text.ts'
import type { OpenOrder, Position } from '../wire.ts'
import {
  type Entered,
  isFilled,
  kindWords,
  type LevelKind,
  type LevelRow,
  sizesOf,
  words,
} from './level-rows.ts'

export type After = Readonly<{ amount: string; entry: number }>

/** The position on the order's side after the order is filled; `null` if there is none. */
export function afterOrder(
  { side, entry, amount }: Entered,
  position: Position | undefined,
  { lot }: MarketGrid,
): After | null {
  const lots = stepsOf(amount, lot) ?? 0
  const had = position === undefined ? 0 : (stepsOf(position.a, lot) ?? 0)
  if (position?.d === side) {
    const value = entry * lots + Number(position.p) * had
    return { amount: formatGrid(lots + had, lot), entry: value / (lots + had) }
  }
  return lots > had ? { amount: formatGrid(lots - had, lot), entry } : null
}

type Bracket = Readonly<{
  rows: readonly LevelRow[]
  kind: LevelKind
  entered: Entered
  position: Position | undefined
  /** The position's existing levels of this kind. */
  present: readonly OpenOrder[]
  grid: MarketGrid
}>

/** Warning before the order is sent; empty if there is none. */
export function bracketWarning(bracket: Bracket): string {
  const { rows, kind, entered, position, present, grid } = bracket
  const filled = rows.filter(isFilled)
  if (filled.length === 0 || position === undefined || Number(entered.amount) === 0) return ''
  const after = afterOrder(entered, position, grid)
  const held = position.d === 'bid' ? 'long' : 'short'
  if (after === null) return `The order only shrinks the ${held}: no ${words[kind]} comes of it.`
  if (position.d !== entered.side) return ''
  return [replaces(present, kind, grid), unprotected(filled, bracket, after)]
    .filter((text) => text !== '')
    .join(' ')
}

function replaces(present: readonly OpenOrder[], kind: LevelKind, { tickPlaces }: MarketGrid) {
  if (present.length === 0) return ''
  const prices = present.map(({ sp }) => (sp === null ? 'that trails' : fixed(sp, tickPlaces)))
  const those = (present.length === 1 ? words : kindWords)[kind]
  return `When it fills it replaces the ${those} of the position: ${prices.join(', ')}.`
}

/** Warns of an unprotected part. Levels with sizes protect only the order. */
function unprotected(filled: readonly LevelRow[], { kind, entered, grid }: Bracket, after: After) {
  const sizes = sizesOf(filled, entered.amount, grid)
  if (sizes.includes(null)) return ''
  const lots = (size: string | null) => stepsOf(size ?? '', grid.lot) ?? 0
  const left = sizes.reduce((sum, size) => sum - lots(size), lots(after.amount))
  return left > 0 ? `${formatGrid(left, grid.lot)} of the position has no ${words[kind]} then.` : ''
}
