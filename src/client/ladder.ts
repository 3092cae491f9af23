// A ladder: one size spread over prices, as orders of one batch. Prices are on the market's grid,
// and sizes add up to the whole, to the lot.

import { formatGrid, type GridStep, parseGrid, stepOf } from '../units/decimal.ts'

export const shapes = ['flat', 'rising'] as const

/** One size, spread over prices. */
export type Ladder = Readonly<{
  /** First price. */
  from: string
  /** Last price. */
  to: string
  /** Size of all its orders together. */
  amount: string
  /** Number of orders. */
  count: number
  /** `rising`: each next order is larger by the size of the first (default: `flat`). */
  shape?: (typeof shapes)[number] | undefined
}>

/** As `GET /info` has it. */
type Market = Readonly<{ tick_size: string; lot_size: string }>
/** One order of a ladder. */
export type Rung = Readonly<{
  /** Its price, on the market's grid. */
  price: string
  /** Its size, on the market's grid. */
  amount: string
}>

/** Makes the orders of a ladder, from the first price to the last.
 *  @throws {RangeError} The market's grid has no room for it. */
export function ladderOf({ tick_size, lot_size }: Market, ladder: Ladder): readonly Rung[] {
  const [tick, lot] = [stepOf(tick_size), stepOf(lot_size)]
  const { count, shape = 'flat' } = ladder
  const from = stepsOf('price', ladder.from, tick, tick_size)
  const to = stepsOf('price', ladder.to, tick, tick_size)
  const lots = stepsOf('amount', ladder.amount, lot, lot_size)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RangeError(`${count} is not a number of orders`)
  const ticks = Math.abs(to - from)
  if (ticks < count - 1)
    throw new RangeError(
      `from ${ladder.from} to ${ladder.to} there are ${ticks + 1} prices, too few for ${count} ` +
        `orders: at most ${ticks + 1}, or prices further apart`,
    )
  const sizes = sizesOf(lots, count, shape)
  if (sizes[0]! < 1)
    throw new RangeError(
      `${ladder.amount} is too little for ${count} orders of at least ${lot_size} each`,
    )
  const sign = to < from ? -1 : 1
  return sizes.map((size, at) => ({
    price: formatGrid(from + sign * shareOf(ticks, at, Math.max(1, count - 1)), tick),
    amount: formatGrid(size, lot),
  }))
}

/** Shares of the whole by weight. What rounding leaves goes to the last ones, a lot each. */
function sizesOf(lots: number, count: number, shape: (typeof shapes)[number]): number[] {
  const weights = Array.from({ length: count }, (_, at) => (shape === 'flat' ? 1 : at + 1))
  const sum = weights.reduce((one, other) => one + other, 0)
  const sizes = weights.map((weight) => shareOf(lots, weight, sum))
  const left = lots - sizes.reduce((one, other) => one + other, 0)
  return sizes.map((size, at) => (at >= count - left ? size + 1 : size))
}

/** whole × part ÷ parts, rounded down. A browser loads this: without the functions of money. */
function shareOf(whole: number, part: number, parts: number): number {
  return Number((BigInt(whole) * BigInt(part)) / BigInt(parts))
}

function stepsOf(name: string, text: string, step: GridStep, stepText: string): number {
  const parsed = parseGrid(text, step)
  if (parsed.ok && parsed.value > 0) return parsed.value
  throw new RangeError(`${name} ${text} is not a positive multiple of ${stepText}`)
}
