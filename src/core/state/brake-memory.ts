// What the withdrawal brake remembers (ACCT-11): two minutes of profit by position row, a minute of
// losses of the fund, what owners have won in markets that it watches, and whom it holds. Bounded
// by positions that were closed within two minutes, by one loss a millisecond, by markets, and by
// accounts. Empty while the brake is off.

import { broken } from '../../units/invariant.ts'

export const minuteMs = 60_000

export type BrakeSetting = Readonly<{ fundPpm: number; profitAbove: number; holdMs: number }>

/** Of a new venue. */
export const brakeOfVenue: BrakeSetting = {
  fundPpm: 50_000,
  profitAbove: 1_000_000_000,
  holdMs: 3_600_000,
}

/** A market in which the fund lost: until when profit in it counts, and what has counted so far, by
 *  main account. */
export type Watch = { until: number; readonly won: Map<number, number> }

/** An owner: until when it is held, and what counted in watched markets when that was decided. */
export type Hold = Readonly<{ until: number; won: number }>

export class Brake {
  /** Null: off. */
  setting: BrakeSetting | null = null
  /** What the fund had when this day began, and when the day before began. */
  opened = 0
  openedBefore = 0
  /** The minute of `profits`; those of the minute before it are in `earlier`. By position row. */
  minute = 0
  profits = new Map<number, number>()
  earlier = new Map<number, number>()
  /** What the fund lost in the last minute, oldest first, one of each instant; and when it last
   *  lost in each market. */
  losses: { at: number; amount: number }[] = []
  lost = 0
  readonly lastLosses = new Map<number, number>()
  /** Since when it is pulled, when it was pulled last, and until when any owner may be held. */
  since = 0
  pulledAt = 0
  until = 0
  readonly watched = new Map<number, Watch>()
  /** By main account. */
  readonly held = new Map<number, Hold>()

  /** `days` after the one before; nothing happened in those between. */
  dayBegins(days: number, fund: number): void {
    if (!(days > 0)) broken('a day begins twice, days later', days)
    this.openedBefore = days === 1 ? this.opened : fund
    this.opened = fund
  }

  /** Both days began with what the fund has. */
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

  /** Whose time is over. */
  forgetMarkets(atMs: number): void {
    for (const [market, { until }] of this.watched) if (until < atMs) this.watched.delete(market)
  }

  /** The same. */
  forgetOwners(atMs: number): void {
    for (const [owner, { until }] of this.held) if (until <= atMs) this.held.delete(owner)
  }

  /** What an owner has won in the markets that are watched now. */
  wonBy(atMs: number, owner: number): number {
    let sum = 0
    for (const { until, won } of this.watched.values())
      if (until >= atMs) sum += won.get(owner) ?? 0
    return sum
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
