// Converts the existing levels of a position to editable rows.

import type { GridStep } from '../../../units/decimal.ts'
import { less, type MarketGrid, numberOnGrid } from '../market/market-grid.ts'
import type { LevelBody, OpenOrder, Position } from '../wire.ts'
import { emptyRow, type LevelKind, type LevelRow, lastReached } from './level-rows.ts'
import { slippageChanged } from './level-slippage.ts'

/** Share of the position that each level of a kind closes. A level without a size that is reached
 *  after the others closes the rest. */
export function partsOf(
  position: Position,
  kind: LevelKind,
  levels: readonly OpenOrder[],
): readonly number[] {
  const all = Number(position.a)
  const last = lastReached(levels.map(pricedOf), kind, position.d as 'bid' | 'ask')
  const parts = levels.map(({ whole_position, a, c }) =>
    whole_position === true ? 1 : Math.min(1, (Number(a) - Number(c)) / all),
  )
  const others = parts.reduce((sum, part, at) => (at === last ? sum : sum + part), 0)
  if (levels[last]?.whole_position !== true || others >= 1) return parts
  return parts.with(last, 1 - others)
}

/** Index of the level that closes the rest; -1 if none does. */
const restIn = (levels: readonly OpenOrder[], parts: readonly number[]) =>
  levels.findIndex(({ whole_position }, at) => whole_position === true && parts[at]! < 1)

/** Sizes of the levels after one was moved. The level that is now reached last closes the rest,
 *  because otherwise the level reached first would close everything. */
export function sizesMoved(
  position: Position,
  kind: LevelKind,
  {
    before,
    after,
    lot,
  }: Readonly<Record<'before' | 'after', readonly OpenOrder[]> & { lot: GridStep }>,
): readonly { amount?: string }[] {
  const sizes = after.map((level) => sizeOf(level, lot))
  const parts = partsOf(position, kind, before)
  const rest = restIn(before, parts)
  const last = lastReached(after.map(pricedOf), kind, position.d as 'bid' | 'ask')
  if (rest < 0 || last < 0 || last === rest) return sizes
  const amount = numberOnGrid(parts[rest]! * Number(position.a), lot)
  return sizes.with(rest, { amount }).with(last, {})
}

const pricedOf = ({ sp, trailing }: Pick<OpenOrder, 'sp' | 'trailing'>) => ({
  price: Number(sp),
  trails: trailing !== undefined,
})

/** Rows of the levels, in the order in which they were set. */
export function rowsOf(
  position: Position,
  kind: LevelKind,
  levels: readonly OpenOrder[],
  { lot }: MarketGrid,
): readonly LevelRow[] {
  const parts = partsOf(position, kind, levels)
  const rest = restIn(levels, parts)
  const shares = parts.map((part) => Math.round(part * 10_000))
  // The share of the rest is 100 minus the other shares, so that rounding loses nothing.
  const others = shares.reduce((sum, share, at) => (at === rest ? sum : sum + share), 0)
  const rows = levels.map((level, at): LevelRow => {
    const share = String((at === rest ? 10_000 - others : shares[at]!) / 100)
    const { amount = null } = sizeOf(level, lot)
    const shown = textOf(level)
    const was = { id: level.i, text: shown.text, share, amount, fields: keptOf(level) }
    const { slippage_percent: slippage } = level
    return { ...shown, share, ...(slippage !== undefined && { slippage }), was }
  })
  return rows.length === 0 ? [emptyRow] : rows
}

/** Edited rows, and the levels that existed at that time. */
export type Typed = Readonly<{ rows: readonly LevelRow[]; seen: readonly number[] }>

const idsOf = (rows: readonly LevelRow[]) =>
  rows.flatMap(({ was }) => (was === undefined ? [] : [was.id]))

/** Creates edited rows. `there` are the levels of the position at the time of the edit. */
export const typedOver = (
  rows: readonly LevelRow[],
  there: readonly LevelRow[],
  before: Typed | undefined,
): Typed => ({ rows, seen: [...(before?.seen ?? []), ...idsOf(there)] })

const cameIn = (there: readonly LevelRow[], seen: readonly number[]) =>
  there.filter(({ was }) => was !== undefined && !seen.includes(was.id))

/** Merges edited rows with the current levels. A row whose level no longer exists is removed,
 *  because otherwise it would be triggered again. Edited input stays, as a new level. Levels that
 *  were added meanwhile follow, so that none is removed unseen. */
export function asNow({ rows, seen }: Typed, there: readonly LevelRow[]): readonly LevelRow[] {
  const left = rows.flatMap((row) => {
    const { was, ...typed } = row
    if (was === undefined) return [row]
    const level = there.find((each) => each.was?.id === was.id)?.was
    if (level !== undefined) return [{ ...row, was: { ...was, amount: level.amount } }]
    const isTyped = was.text !== row.text || was.share !== row.share || slippageChanged(row)
    return isTyped ? [typed] : []
  })
  const all = [...left, ...cameIn(there, seen)]
  return all.length === 0 ? [emptyRow] : all
}

/** Whether a level was removed or added since the edit. */
export function haveChanged({ rows, seen }: Typed, there: readonly LevelRow[]): boolean {
  const now = idsOf(there)
  return cameIn(there, seen).length > 0 || idsOf(rows).some((id) => !now.includes(id))
}

function textOf({ sp, trailing }: OpenOrder): Pick<LevelRow, 'text' | 'by'> {
  if (trailing === undefined) return { text: sp ?? '', by: 'price' }
  const { trailing_percent, trailing_distance } = trailing
  return trailing_percent === null
    ? { text: trailing_distance ?? '', by: 'distance' }
    : { text: trailing_percent, by: 'trail' }
}

/** Properties of a level, apart from its size, that a change of its price keeps. */
export function keptOf(level: OpenOrder): Partial<LevelBody> {
  const { I } = level
  return { ...conditionOf(level), ...(I !== null && { client_order_id: I }) }
}

/** Properties of a stop's trigger and order, apart from its price. */
export function conditionOf(order: OpenOrder) {
  const { ot, ip, trailing, trigger_price_type, slippage_percent } = order
  const from = trailing?.activation_price ?? null
  return {
    ...(ot.endsWith('_limit') && { limit_price: ip }),
    ...(from !== null && { activation_price: from }),
    ...(trigger_price_type !== undefined && { trigger_price_type }),
    ...(slippage_percent !== undefined && { slippage_percent }),
  }
}

/** Remaining size; absent for the whole position. */
export function sizeOf({ whole_position, a, c }: OpenOrder, lot: GridStep): { amount?: string } {
  return whole_position === true ? {} : { amount: less(a, c, lot) }
}
