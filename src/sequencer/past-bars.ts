// The past of a market as a `TellPast` command carries it: one bar a minute, from before the market
// was listed. The sandbox writes it, charts and statistics read it.

/** Prices in ticks, the oracle's in millionths of one, volume in micro-dollars, `start` in ms. What
 *  did not happen is 0; `last` is that of the newest trade, in this minute or before it. */
export const pastBarFields = [
  'start',
  'volume',
  'lots',
  'trades',
  'first',
  'high',
  'low',
  'last',
  'oracle',
  'mark',
  'markFirst',
  'markHigh',
  'markLow',
] as const

export type PastBar = { [F in (typeof pastBarFields)[number]]: number }

/** Bars in one command; more would not fit its length. */
export const pastBarsMax = 400

export function pastText(bars: readonly PastBar[]): string {
  return JSON.stringify(bars.map((bar) => pastBarFields.map((field) => bar[field])))
}

/** Oldest first, as they were written. Empty for an invalid text, because the core accepts any. */
export function pastBarsOf(text: string): PastBar[] {
  return rowsOf(text).map(
    (row) => Object.fromEntries(pastBarFields.map((field, at) => [field, row[at] ?? 0])) as PastBar,
  )
}

function rowsOf(text: string): readonly (readonly number[])[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) && rows.every(Array.isArray) ? rows : []
  } catch {
    // Not written by a sandbox of ours; history must not stop at it.
    return []
  }
}
