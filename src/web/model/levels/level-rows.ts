// Take-profits and stop-losses as input. Each row has a price, or a distance from the entry, and
// its share of the whole. Shares are converted to lots, on the grid and adding up to the total.

import { formatGrid, parseDecimal } from '../../../units/decimal.ts'
import { type MarketGrid, numberOnGrid, stepsOf } from '../market/market-grid.ts'
import { anyPlaces, cleaned, entryProblem } from '../number-entry.ts'
import type { LevelBody } from '../wire.ts'
import { slippageOf, slippageProblem } from './level-slippage.ts'

export type LevelKind = 'take_profit' | 'stop_loss'

/** Meaning of a row's price: a price, percent from the entry, or a distance behind the best
 *  mark. */
export const rowMeanings = {
  price: 'USD',
  percent: '%',
  trail: 'trail %',
  distance: 'trail USD',
} as const
export type RowMeaning = keyof typeof rowMeanings

export type LevelRow = Readonly<{
  text: string
  by: RowMeaning
  /** Share in percent. */
  share: string
  /** Maximum distance from mark of its market order, in percent; absent or empty for the
   *  default. */
  slippage?: string
  /** Unchanged properties of an existing level, and its size while the share is unchanged. */
  was?: Readonly<{
    id: number
    text: string
    share: string
    amount: string | null
    fields: Partial<LevelBody>
  }>
}>

export const emptyRow: LevelRow = { text: '', by: 'price', share: '100' }

/** The order that would open a position, or the open position, that the levels belong to. */
export type Entered = Readonly<{
  /** Side of the position. */
  side: 'bid' | 'ask'
  entry: number
  mark: number
  amount: string
  /** Whether the position is open, so that the level for the rest follows its size. */
  open?: boolean
  /** Resulting position of an order on an existing one. A level for everything closes it, and its
   *  entry determines profits. */
  after?: Readonly<{ amount: string; entry: number }>
}>

export type RowProblem = Readonly<{ row: number; message: string }>

export const isFilled = ({ text }: LevelRow) => text.trim() !== ''

/** 100 % in hundredths of a percent, the unit of shares. */
const whole = 10_000
const shareOf = (row: LevelRow): number => {
  const parsed = parseDecimal(cleaned(row.share), 2)
  return parsed.ok ? Math.max(0, parsed.value) : 0
}

const sharesOf = (rows: readonly LevelRow[]) => rows.reduce((sum, row) => sum + shareOf(row), 0)

/** Equal shares that add up to 100, such as 34, 33, 33. */
const evenShares = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    String(Math.floor(100 / count) + (at < 100 % count ? 1 : 0)),
  )

const isEven = (rows: readonly LevelRow[]) => {
  const even = evenShares(rows.length)
  return rows.every((row, at) => row.share === even[at])
}

/** Adds a row. Equal shares stay equal; otherwise the new row gets the rest. */
export function withRow(rows: readonly LevelRow[]): readonly LevelRow[] {
  const left = rows.reduce((sum, row) => sum - shareOf(row), whole)
  const added = [...rows, { ...emptyRow, share: String(Math.max(0, left) / 100) }]
  return isEven(rows) ? evened(added) : added
}

export function withoutRow(rows: readonly LevelRow[], at: number): readonly LevelRow[] {
  const left = rows.toSpliced(at, 1)
  if (left.length === 0) return [emptyRow]
  return isEven(rows) ? evened(left) : left
}

function evened(rows: readonly LevelRow[]): readonly LevelRow[] {
  const even = evenShares(rows.length)
  return rows.map((row, at) => ({ ...row, share: even[at]! }))
}

/** Whether the share of an existing level is unchanged. */
const isKept = (row: LevelRow) => row.was?.share === row.share
/** Whether the row is an existing level with a fixed size. */
const isSized = (row: LevelRow) => isKept(row) && row.was?.amount !== null
/** Whether the row is a level that closed the rest, or everything. */
const wasOpen = ({ was }: LevelRow) => was?.amount === null

/** The row that closes the rest, if there are several rows. Its size depends on the current
 *  position. */
const followsAsRest = (rows: readonly LevelRow[]) =>
  rows.length > 1 && rows.some(wasOpen) && sharesOf(rows) === whole

/** Sizes of complete rows; `null` for everything, whatever its size becomes. A level with an
 *  unchanged share keeps its size. Other sizes are differences of rounded cumulative shares, so
 *  that rounding neither loses nor adds a lot. */
export function sizesOf(
  rows: readonly LevelRow[],
  amount: string,
  { lot }: MarketGrid,
): readonly (string | null)[] {
  const only = rows.length === 1 ? rows[0]! : null
  if (only !== null && !isKept(only) && shareOf(only) === whole) return [null]
  const lots = stepsOf(amount, lot) ?? 0
  // The exchange has reduced levels that were larger than the position.
  const sizeOf = (row: LevelRow) => Math.min(lots, stepsOf(row.was?.amount ?? '', lot) ?? 0)
  const isOpen = (row: LevelRow) => isKept(row) && wasOpen(row) && !followsAsRest(rows)
  const shared = rows.filter((row) => !isSized(row) && !isOpen(row))
  const taken = rows.filter(isSized).reduce((sum, row) => sum + sizeOf(row), 0)
  const ends = endsOf(shared, lots, sharesOf(rows) === whole ? Math.max(0, lots - taken) : null)
  return rows.map((row) => {
    if (isOpen(row)) return null
    if (isSized(row)) return formatGrid(sizeOf(row), lot)
    const at = shared.indexOf(row)
    return formatGrid(ends[at]! - (ends[at - 1] ?? 0), lot)
  })
}

/** Cumulative lots of the rows; the last is `all`, if given. */
function endsOf(rows: readonly LevelRow[], lots: number, all: number | null): readonly number[] {
  const total = sharesOf(rows)
  let shares = 0
  return rows.map((row) => {
    shares += shareOf(row)
    if (all !== null && shares === total) return all
    const end = Number((BigInt(lots) * BigInt(shares)) / BigInt(whole))
    return all === null ? end : Math.min(all, end)
  })
}

/** Trigger price, or the first trigger price if the level trails; `null` if unknown. */
export function priceOf(
  row: LevelRow,
  kind: LevelKind,
  { side, entry, mark }: Entered,
  { tick, tickPlaces }: MarketGrid,
): string | null {
  const places = row.by === 'price' ? tickPlaces : anyPlaces
  if (entryProblem(row.text, places) !== null) return null
  const number = Number(cleaned(row.text, places))
  if (row.by === 'price') return cleaned(row.text, tickPlaces)
  const gains = kind === 'take_profit' ? 1 : -1
  const away = (side === 'bid' ? 1 : -1) * gains
  const from = row.by === 'percent' ? entry : mark
  const price = row.by === 'distance' ? from + away * number : from * (1 + (away * number) / 100)
  return from > 0 && price > 0 ? numberOnGrid(price, tick) : null
}

/** Index of the level that is reached last; the later row of equal prices; -1 if unknown because a
 *  level trails. */
export function lastReached(
  levels: readonly Readonly<{ price: number; trails: boolean }>[],
  kind: LevelKind,
  side: 'bid' | 'ask',
): number {
  if (levels.some(({ trails, price }) => trails || !(price > 0))) return -1
  const away = (side === 'bid' ? 1 : -1) * (kind === 'take_profit' ? 1 : -1)
  const furthest = Math.max(...levels.map(({ price }) => price * away))
  return levels.findLastIndex(({ price }) => price * away === furthest)
}

/** Index of the complete row that closes the rest; -1 if none does. */
function restOf(
  filled: readonly LevelRow[],
  kind: LevelKind,
  entered: Entered,
  grid: MarketGrid,
): number {
  if (entered.open !== true || filled.length < 2 || sharesOf(filled) !== whole) return -1
  const levels = filled.map((row) => ({
    price: Number(priceOf(row, kind, entered, grid)),
    trails: row.by === 'trail' || row.by === 'distance',
  }))
  const last = lastReached(levels, kind, entered.side)
  // A level keeps its size, unless a level without a size is now reached before it.
  return last >= 0 && isSized(filled[last]!) && !filled.some(wasOpen) ? -1 : last
}

/** Describes the unprotected part of an open position, now or when it grows; empty if there is
 *  none. */
export function uncovered(
  rows: readonly LevelRow[],
  kind: LevelKind,
  entered: Entered,
  grid: MarketGrid,
): string {
  const filled = rows.filter(isFilled)
  if (filled.some((row) => rowProblem(row, kind, grid) !== null)) return ''
  const sizes = sizesOf(filled, entered.amount, grid)
  if (filled.length === 0 || restOf(filled, kind, entered, grid) >= 0) return ''
  if (sizes.includes(null)) return ''
  const lots = (size: string | null) => stepsOf(size ?? '', grid.lot) ?? 0
  const left = sizes.reduce((sum, size) => sum - lots(size), lots(entered.amount))
  if (left > 0) return `${formatGrid(left, grid.lot)} has no ${words[kind]}.`
  return `Sizes are fixed: what the position grows by has no ${words[kind]}.`
}

export type RowFigures = Readonly<{
  amount: string
  price: string
  gain: number
  away: number
  /** Warns if the level closes a position that is larger or smaller than the order. */
  whole: boolean
}>

/** Size and profit of each row; `null` for incomplete or invalid rows. */
export function figuresOf(
  rows: readonly LevelRow[],
  kind: LevelKind,
  entered: Entered,
  grid: MarketGrid,
): readonly (RowFigures | null)[] {
  const filled = rows.filter(isFilled)
  const sizes = sizesOf(filled, entered.amount, grid)
  return rows.map((row) => {
    const price = priceOf(row, kind, entered, grid)
    const size = sizes[filled.indexOf(row)] ?? null
    if (price === null || !(entered.entry > 0) || shareProblem(row) !== null) return null
    const whole = size === null && entered.after !== undefined
    // A fill is added to the existing position, so later closes use the average entry of both.
    const { amount: all, entry } = entered.after ?? entered
    const amount = size ?? all
    const sign = entered.side === 'bid' ? 1 : -1
    const gain = (Number(price) - entry) * sign * Number(amount)
    return { amount, price, away: Number(price) / entry - 1, gain, whole }
  })
}

export const words: Readonly<Record<LevelKind, string>> = {
  take_profit: 'take profit',
  stop_loss: 'stop loss',
}

export const kindWords: Readonly<Record<LevelKind, string>> = {
  take_profit: 'take profits',
  stop_loss: 'stop losses',
}

/** First problem that can be found without the exchange. */
export function rowsProblem(
  rows: readonly LevelRow[],
  kind: LevelKind,
  amount: string,
  grid: MarketGrid,
): RowProblem | null {
  for (const [at, row] of rows.entries()) {
    const message = isFilled(row) ? rowProblem(row, kind, grid) : null
    if (message !== null) return { row: at, message }
  }
  const filled = rows.filter(isFilled)
  if (filled.every(isKept)) return null
  return sharesProblem(rows, kind) ?? emptyProblem(rows, amount, grid)
}

/** Problem of a single row. */
function rowProblem(row: LevelRow, kind: LevelKind, { tickPlaces }: MarketGrid): string | null {
  const text = entryProblem(row.text, row.by === 'price' ? tickPlaces : anyPlaces)
  if (text !== null) return `The ${words[kind]} ${text}`
  return shareProblem(row) ?? slippageProblem(row)
}

function shareProblem(row: LevelRow): string | null {
  const problem = entryProblem(row.share)
  if (problem !== null) return `The share ${problem}`
  const parsed = parseDecimal(cleaned(row.share), 2)
  if (!parsed.ok && parsed.reason === 'off_grid') return 'The share has at most two decimals'
  return parsed.ok && parsed.value <= whole ? null : 'The share is at most 100 %'
}

function sharesProblem(rows: readonly LevelRow[], kind: LevelKind): RowProblem | null {
  const sum = sharesOf(rows.filter(isFilled))
  if (sum <= whole) return null
  const message = `The shares of the ${kindWords[kind]} add up to ${sum / 100} %, at most to 100`
  return { row: rows.findLastIndex(isFilled), message }
}

function emptyProblem(
  rows: readonly LevelRow[],
  amount: string,
  grid: MarketGrid,
): RowProblem | null {
  const filled = rows.filter(isFilled)
  const at = sizesOf(filled, amount, grid).findIndex((size) => size !== null && Number(size) === 0)
  const row = filled[at]
  if (row === undefined || Number(amount) === 0) return null
  const message = `${row.share} % of ${amount} is less than the smallest size`
  return { row: rows.indexOf(row), message: `${message}, ${formatGrid(1, grid.lot)}` }
}

/** Levels for the request; empty if there are none. */
export function bodiesOf(
  rows: readonly LevelRow[],
  kind: LevelKind,
  entered: Entered,
  grid: MarketGrid,
): readonly LevelBody[] {
  const filled = rows.filter(isFilled)
  const sizes = sizesOf(filled, entered.amount, grid)
  const rest = restOf(filled, kind, entered, grid)
  return filled.map((row, at) => {
    const size = at === rest ? null : sizes[at]!
    const { slippage_percent: _, activation_price, ...kept } = row.was?.fields ?? {}
    const from = activation_price === undefined ? {} : { activation_price }
    const more = { ...kept, ...slippageOf(row), ...(size !== null && { amount: size }) }
    const text = cleaned(row.text)
    if (row.by === 'trail') return { trailing_percent: text, ...from, ...more }
    if (row.by === 'distance') return { trailing_distance: text, ...from, ...more }
    return { stop_price: priceOf(row, kind, entered, grid) ?? text, ...more }
  })
}

/** A single level, or a list of several; undefined if there are none. */
export const oneOrMore = (bodies: readonly LevelBody[]) =>
  bodies.length > 1 ? [...bodies] : bodies[0]

/** The row that a refusal concerns: by its name, or by its price. */
export function rowNamed(
  message: string,
  kind: LevelKind,
  rows: readonly Readonly<{ price: string | null }>[],
): number | null {
  const sent = rows.flatMap(({ price }, row) => (price === null ? [] : [row]))
  const named = /\b(take_profit|stop_loss)(?:\[([0-9])\])?/.exec(message)
  if (named !== null) return named[1] === kind ? (sent[Number(named[2] ?? 0)] ?? 0) : null
  const price = /stop[ _]price ([0-9.]*[0-9])/.exec(message)?.[1]
  const at = rows.findIndex((row) => row.price !== null && Number(row.price) === Number(price))
  return at < 0 ? null : at
}
