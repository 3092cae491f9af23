// What the withdrawal brake remembers (ACCT-11): two minutes of profit by position row, a minute of
// losses of the fund, and whom it holds. Bounded by positions that were closed within two minutes,
// by one loss a millisecond, and by accounts. Empty while the brake is off.

export const minuteMs = 60_000

export type BrakeSetting = Readonly<{ fundPpm: number; profitAbove: number; holdMs: number }>

/** Of a new venue. */
export const brakeOfVenue: BrakeSetting = {
  fundPpm: 50_000,
  profitAbove: 1_000_000_000,
  holdMs: 3_600_000,
}

export class Brake {
  /** Null: off. */
  setting: BrakeSetting | null = null
  /** The minute of `profits`; those of the minute before it are in `earlier`. By position row. */
  minute = 0
  profits = new Map<number, number>()
  earlier = new Map<number, number>()
  /** What the fund lost in the last minute, oldest first, one of each instant; and when it last
   *  lost in each market. */
  losses: { at: number; amount: number }[] = []
  lost = 0
  readonly lastLosses = new Map<number, number>()
  /** Since when and until when owners are held, who, and what each has won in watched markets. */
  since = 0
  until = 0
  watchedUntil = 0
  readonly watched = new Set<number>()
  readonly won = new Map<number, number>()
  readonly held = new Set<number>()

  forget(): void {
    this.minute = 0
    this.profits.clear()
    this.earlier.clear()
    this.losses = []
    this.lost = 0
    this.lastLosses.clear()
    this.since = 0
    this.until = 0
    this.watchedUntil = 0
    this.watched.clear()
    this.won.clear()
    this.held.clear()
  }

  /** Profit older than the minute before this one is forgotten. */
  reach(atMs: number): void {
    const minute = Math.floor(atMs / minuteMs)
    if (minute === this.minute) return
    this.earlier = minute === this.minute + 1 ? this.profits : new Map()
    this.profits = new Map()
    this.minute = minute
  }

  lose(atMs: number, amount: number): void {
    const newest = this.losses.at(-1)
    if (newest?.at === atMs) newest.amount += amount
    else this.losses.push({ at: atMs, amount })
    this.lost += amount
    let old = 0
    for (const loss of this.losses) {
      if (loss.at > atMs - minuteMs) break
      this.lost -= loss.amount
      old += 1
    }
    if (old > 0) this.losses.splice(0, old)
  }
}
