// The intervals of candles. Days are UTC days, weeks begin on Monday, months on their first day.
// Computed with integers, so that the result is the same everywhere.

export const intervals = [
  '1m',
  '3m',
  '5m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '8h',
  '12h',
  '1d',
  '1w',
  '1M',
] as const
export type Interval = (typeof intervals)[number]

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The first Monday is the fifth day of 1970. */
const firstMonday = 4 * day

const lengths: Readonly<Record<Exclude<Interval, '1M'>, number>> = {
  '1m': minute,
  '3m': 3 * minute,
  '5m': 5 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '4h': 4 * hour,
  '8h': 8 * hour,
  '12h': 12 * hour,
  '1d': day,
  '1w': 7 * day,
}

/** Start of the interval that contains this time; for times from 1970 on. */
export function intervalStart(interval: Interval, ms: number): number {
  if (interval === '1M') return monthStart(monthOf(ms))
  const length = lengths[interval]
  const offset = interval === '1w' ? firstMonday : 0
  return Math.floor((ms - offset) / length) * length + offset
}

/** End of the interval that starts at this time, which is the start of the next interval. */
export function intervalEnd(interval: Interval, startMs: number): number {
  if (interval === '1M') return monthStart(monthOf(startMs) + 1)
  return startMs + lengths[interval]
}

/** Approximate length: a month counts as its longest. */
export function intervalLength(interval: Interval): number {
  return interval === '1M' ? 31 * day : lengths[interval]
}

// Years start in March, so that the leap day is the last day of its year and 400 years always have
// 146,097 days. Day 0 of this count is 719,468 days before 1970.
const daysBefore1970 = 719_468
const daysOf400Years = 146_097

/** Months since January 1970. */
function monthOf(ms: number): number {
  const days = Math.floor(ms / day) + daysBefore1970
  const age = Math.floor(days / daysOf400Years)
  const ofAge = days - age * daysOf400Years
  const leaps = Math.floor(ofAge / 1_460) - Math.floor(ofAge / 36_524) + Math.floor(ofAge / 146_096)
  const yearOfAge = Math.floor((ofAge - leaps) / 365)
  const dayOfYear = ofAge - daysUntilYear(yearOfAge)
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  return (age * 400 + yearOfAge - 1970) * 12 + monthFromMarch + 2
}

function monthStart(month: number): number {
  const fromMarch = month - 2
  const years = Math.floor(fromMarch / 12)
  const year = years + 1970
  const age = Math.floor(year / 400)
  const monthFromMarch = fromMarch - years * 12
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5)
  const days = age * daysOf400Years + daysUntilYear(year - age * 400) + dayOfYear
  return (days - daysBefore1970) * day
}

function daysUntilYear(yearOfAge: number): number {
  return yearOfAge * 365 + Math.floor(yearOfAge / 4) - Math.floor(yearOfAge / 100)
}
