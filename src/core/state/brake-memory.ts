// The memory of the withdrawal brake (ACCT-11): two minutes of profit by position row, a minute of
// losses of the fund, what owners won in watched markets, and the owners held. Bounded by positions
// closed within two minutes, one loss per millisecond, markets, and accounts. Empty while the brake
// is off.

import { broken } from '../../units/invariant.ts'

export const minuteMs = 60_000

export type BrakeSetting = Readonly<{ fundPpm: number; profitAbove: number; holdMs: number }>

/** The default of a new venue. */
export const brakeOfVenue: BrakeSetting = {
  fundPpm: 50_000,
  profitAbove: 1_000_000_000,
  holdMs: 3_600_000,
}

/** A market in which the fund lost money: until when profit in it counts, and the profit counted so
 *  far by main account. */
export type Watch = { until: number; readonly won: Map<number, number> }

/** A held owner: until when, and the profit in watched markets at the time of the decision. */
export type Hold = Readonly<{ until: number; won: number }>

export class Brake {
  /** `null`: off. */
  setting: BrakeSetting | null = null
  /** The fund's balance at the start of this day and of the previous day. */
  opened = 0
  openedBefore = 0
  /** The minute of `profits`. `earlier` has the profits of the minute before. Both by position
   *  row. */
  minute = 0
  profits = new Map<number, number>()
  earlier = new Map<number, number>()
  /** Losses of the fund in the last minute, oldest first, one per instant; and the time of its last
   *  loss in each market. */
  losses: { at: number; amount: number }[] = []
  lost = 0
  readonly lastLosses = new Map<number, number>()
  /** Since when the brake is pulled, when it was last pulled, and until when owners may be held. */
  since = 0
  pulledAt = 0
  until = 0
  readonly watched = new Map<number, Watch>()
  /** By main account. */
  readonly held = new Map<number, Hold>()

  /** Starts a day, `days` after the previous one. Nothing happened on the days between. */
  dayBegins(days: number, fund: number): void {
    if (!(days > 0)) broken('a day begins twice, days later', days)
    this.openedBefore = days === 1 ? this.opened : fund
    this.opened = fund
  }

  /** Clears the memory, with `fund` as the balance at the start of both days. */
  forget(fund: number): void {
    this.opened = fund
    this.openedBefore = fund
    this.minute = 0
    this.profits.clear()
    this.earlier.clear()
    this.losses = []
    this.lost = 0
    this.lastLosses.clear()
    this.since = 0
    this.pulledAt = 0
    this.until = 0
    this.watched.clear()
    this.held.clear()
  }

  isHeld(atMs: number, owner: number): boolean {
    return atMs < (this.held.get(owner)?.until ?? 0)
  }

  /** Removes markets that are no longer watched. */
  forgetMarkets(atMs: number): void {
    for (const [market, { until }] of this.watched) if (until < atMs) this.watched.delete(market)
  }

  /** Removes owners that are no longer held. */
  forgetOwners(atMs: number): void {
    for (const [owner, { until }] of this.held) if (until <= atMs) this.held.delete(owner)
  }

  /** Profit of an owner in the markets that are watched now. */
  wonBy(atMs: number, owner: number): number {
    let sum = 0
    for (const { until, won } of this.watched.values())
      if (until >= atMs) sum += won.get(owner) ?? 0
    return sum
  }

  /** Advances to the current minute and removes profit older than the previous minute. */
  reach(atMs: number): void {
    const minute = Math.floor(atMs / minuteMs)
    if (minute === this.minute) return
    this.earlier = minute === this.minute + 1 ? this.profits : new Map()
    this.profits = new Map()
    this.minute = minute
  }

  lose(atMs: number, amount: number): void {
    if (!(amount > 0)) broken('the insurance fund loses nothing', amount)
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
    if (!(this.lost >= amount)) broken('the losses of a minute are less than the last', this.lost)
  }
}
