// The simulated past of a market as in a `TellPast` command: one bar a minute, from before the
// market was listed. The sandbox writes it, charts and statistics read it.

/** Prices are in ticks, the oracle's in millionths of a tick, volume in micro-dollars, `start` in
 *  ms. Absent values are 0; `last` is the price of the newest trade, in this minute or before
 *  it. */
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

/** Oldest first. Empty for an invalid text, because the core accepts any. */
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
    // A text that our sandbox did not write must not stop history.
    return []
  }
}
