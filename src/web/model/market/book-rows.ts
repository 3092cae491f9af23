// The order book as rows to draw: levels are grouped by multiples of the tick, with cumulative
// sizes.

export type Level = Readonly<{ price: number; size: number }>

/** A row. `sum` and `worth` are the size and the value of all levels up to it; `own` is the size of
 *  the user's orders. */
export type BookRow = { price: number; size: number; sum: number; worth: number; own: number }

export type Side = 'bid' | 'ask'

export type Gathering = Readonly<{
  side: Side
  /** Width of a group, in the unit of prices. */
  group: number
  rows: number
  /** Own size by price of the group. */
  own: ReadonlyMap<number, number>
}>

/** Price of a level's group: rounded down for bids and up for asks. */
export function groupPrice(price: number, group: number, side: Side): number {
  const steps = price / group
  const whole = side === 'bid' ? Math.floor(steps + 1e-9) : Math.ceil(steps - 1e-9)
  return whole * group
}

/** Groups levels, best first, into at most `rows` rows. Cumulative sizes start at the best row. */
export function gather(levels: Iterable<Level>, { side, group, rows, own }: Gathering): BookRow[] {
  const found: BookRow[] = []
  let last: BookRow | undefined
  for (const { price, size } of levels) {
    const at = groupPrice(price, group, side)
    if (last !== undefined && Math.abs(last.price - at) < group / 2) {
      last.size += size
      last.sum += size
      last.worth += price * size
      continue
    }
    if (found.length === rows) break
    const sum: number = (last?.sum ?? 0) + size
    const worth: number = (last?.worth ?? 0) + price * size
    last = { price: at, size, sum, worth, own: own.get(keyOf(at, group)) ?? 0 }
    found.push(last)
  }
  return found
}

/** What a market order pays that takes everything up to a row. `mid` is between both sides. */
export function takenUpTo({ sum, worth }: BookRow, mid: number | null) {
  const average = worth / sum
  return { average, sum, worth, away: mid === null ? null : Math.abs(average / mid - 1) }
}

/** Number of a group. Prices are floats here, which are unsuitable as keys. */
export function keyOf(price: number, group: number): number {
  return Math.round(price / group)
}

export function ownByGroup(
  orders: Iterable<Readonly<{ side: Side; price: number; size: number }>>,
  side: Side,
  group: number,
): Map<number, number> {
  const own = new Map<number, number>()
  for (const order of orders) {
    if (order.side !== side) continue
    const key = keyOf(groupPrice(order.price, group, side), group)
    own.set(key, (own.get(key) ?? 0) + order.size)
  }
  return own
}

/** Available group widths: the tick and round multiples of it. */
export function groupsOf(tick: number): readonly number[] {
  return [1, 2, 5, 10, 50, 100, 1_000].map((times) => times * tick)
}
