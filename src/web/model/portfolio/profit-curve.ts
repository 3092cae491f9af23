// Profit of an account over time, without its deposits and withdrawals: within a range, by day, and
// the drawdown from its highest value.

export type CurvePoint = Readonly<{
  at: number
  equity: number
  /** Equity less net deposits: profit since the account was opened. */
  profit: number
}>

export const ranges = ['1d', '7d', '30d', 'all'] as const
export type Range = (typeof ranges)[number]

const dayMs = 86_400_000
const quarterMs = 900_000

/** Start of a range; 0 for all. A day is 24 hours, the others are UTC days that include today. The
 *  exchange has a point at exactly this time if the account existed. */
export function rangeStart(range: Range, now: number): number {
  if (range === 'all') return 0
  if (range === '1d') return Math.floor(now / quarterMs) * quarterMs - dayMs
  const days = range === '7d' ? 7 : 30
  return (Math.floor(now / dayMs) - days + 1) * dayMs
}

/** The points with the profit since the start of the range. An account that is younger than the
 *  range begins with a profit of 0. */
export function profitSince(points: readonly CurvePoint[], start: number): readonly CurvePoint[] {
  const first = points[0]
  if (first === undefined) return []
  const base = first.at === start ? first.profit : 0
  return points.map((point) => ({ ...point, profit: point.profit - base }))
}

/** An amount that arose in a period. */
export type Period = Readonly<{ at: number; value: number }>

/** Length of the periods: hours in a day, otherwise days, or longer if points are further apart. */
export function periodOf(range: Range, points: readonly CurvePoint[]): number {
  const [one, other] = points
  const step = one === undefined || other === undefined ? 0 : other.at - one.at
  return range === '1d' ? dayMs / 24 : Math.max(dayMs, step)
}

/** Profit by period, from a curve that begins with a profit of 0. Periods without a point have 0,
 *  also those since `start`; the values add up to the profit of the last point. */
export function profitBy(
  points: readonly CurvePoint[],
  length: number,
  start = Number.POSITIVE_INFINITY,
): readonly Period[] {
  const values = new Map<number, number>()
  let before = 0
  // A first point of 0 is only the start of the range.
  for (const { at, profit } of points[0]?.profit === 0 ? points.slice(1) : points) {
    // A point at the boundary of two periods ends the earlier one.
    const period = Math.ceil(at / length) * length - length
    values.set(period, (values.get(period) ?? 0) + profit - before)
    before = profit
  }
  const times = [...values.keys()]
  const periods: Period[] = []
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return []
  for (let at = Math.min(first, Math.floor(start / length) * length); at <= last; at += length)
    periods.push({ at, value: values.get(at) ?? 0 })
  return periods
}

export type Drawdown = Readonly<{
  amount: number
  /** Fraction of the equity at the highest profit. */
  share: number
}>

/** The drawdown at each point: how far the profit is below its highest value until then. */
export function drawdowns(points: readonly CurvePoint[]): readonly (Drawdown & { at: number })[] {
  let peak = 0
  let equity = points[0] === undefined ? 0 : points[0].equity - points[0].profit
  return points.map((point) => {
    if (point.profit >= peak) {
      peak = point.profit
      equity = point.equity
    }
    const amount = peak - point.profit
    return { at: point.at, amount, share: equity > 0 ? amount / equity : 0 }
  })
}

/** The largest of them. */
export function maxDrawdown(points: readonly CurvePoint[]): Drawdown {
  const none: Drawdown = { amount: 0, share: 0 }
  return drawdowns(points).reduce((most, each) => (each.amount > most.amount ? each : most), none)
}
