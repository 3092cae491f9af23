// Parses durations such as `1h`, `90s`, `1h 30m` or milliseconds, and instants such as an ISO date.

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}
const pattern = /^(?:\d{1,15} ?(?:ms|s|m|h|d|w) ?)+$/
const parts = /(\d+) ?(ms|s|m|h|d|w)/g

/** Milliseconds, or a text of whole numbers with units. */
export type Duration = number | string

export function durationMs(duration: Duration): number {
  const ms = typeof duration === 'string' ? msOf(duration) : duration
  if (typeof ms === 'number' && Number.isSafeInteger(ms) && ms >= 1) return ms
  throw new RangeError(
    `not a duration: ${JSON.stringify(duration)}; milliseconds from 1 on, or text like ` +
      "'250ms', '90s', '1h', '1h 30m', '7d'. Time never goes back, but with revert()",
  )
}

function msOf(text: string): number {
  if (!pattern.test(text)) return Number.NaN
  let ms = 0
  for (const [, count, unit] of text.matchAll(parts))
    ms += Number.parseInt(count!, 10) * unitMs[unit!]!
  return ms
}

/** Milliseconds since 1970, a Date, or an ISO date. */
export type Instant = number | string | Date

export function instantMs(instant: Instant): number {
  const ms = typeof instant === 'number' ? instant : new Date(instant).getTime()
  if (Number.isSafeInteger(ms) && ms >= 0) return ms
  throw new RangeError(
    `not an instant: ${String(instant)}; milliseconds since 1970, a Date, or text like ` +
      "'2026-01-01T00:00:00Z'",
  )
}

/** Maximum advance of a single call: a year. */
const advanceMsMax = 366 * 86_400_000

export function elapsedMs(duration: Duration): number {
  const ms = durationMs(duration)
  if (ms > advanceMsMax) throw new RangeError(`advance by at most 366 days, not ${ms} ms`)
  return ms
}
