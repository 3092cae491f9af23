// `2026-11-01`, `2026-11-01T12:30Z`, `2026-11-01T12:30:00.250Z` to milliseconds.

import { misused } from './exit-codes.ts'

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/

/** `what` names the flag: --from, --expire. */
export function momentMs(what: string, text: string): number {
  const ms = form.test(text) ? Date.parse(text) : Number.NaN
  // The 31st of February would be parsed as a day of March.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.replace('Z', ''))) return ms
  throw misused(
    `${what} ${text} is not a time`,
    'times are written 2026-11-01 or 2026-11-01T12:30Z, and are UTC',
  )
}
