// The simulated past of a market, stored in a `TellPast` command: one bar per minute, from before
// the market was listed. The sandbox writes it; charts and statistics read it.

/** Fields of a bar. Prices are in ticks, the oracle price in millionths of a tick, volume in
 *  micro-dollars, `start` in ms. Absent values are 0. `last` is the price of the newest trade up to
 *  the end of this minute. */
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

/** Maximum bars in one command, because of its length limit. */
export const pastBarsMax = 400

export function pastText(bars: readonly PastBar[]): string {
  return JSON.stringify(bars.map((bar) => pastBarFields.map((field) => bar[field])))
}

/** Returns the bars, oldest first. Empty for an invalid text, because the core accepts any text. */
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
    // An invalid text that our sandbox did not write must not stop history.
    return []
  }
}
