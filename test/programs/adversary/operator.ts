// The operator of a world: restricts a market or the whole exchange for a while, and changes
// parameters of markets, some of them announced a day before.

import { DOLLAR } from '../../support/venue/edition.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Random } from '../differential/random.ts'

const modes = ['reduce_only', 'post_only', 'cancel_only', 'halted'] as const
/** How often a minute. */
const perMinute = { restrict: 0.3, restrictAll: 0.05, change: 0.6, burden: 0.06, fund: 0.06 }
const minute = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
const PPM = 1_000_000
/** Rings look at a change from so long before it until so long after it. */
const nearMs = 20_000

/** What may raise a requirement. */
const burdens = [
  { leverageMax: 10, riskTiers: [] },
  { leverageMax: 20, riskTiers: [{ fromValue: 200_000 * DOLLAR, maxLeverage: 5 }] },
  { riskTiers: [{ fromValue: 1_000_000 * DOLLAR, maxLeverage: 3 }] },
  { openInterestLower: 500_000 * DOLLAR, openInterestUpper: 5_000_000 * DOLLAR },
]

export class Operator {
  private readonly venue: Venue
  private readonly random: Random
  /** When each restriction ends; 0 is the exchange's. */
  private readonly openAt = new Map<number, number>()
  /** By market, the times at which its parameters change. */
  private readonly changesAt: (readonly [market: number, at: number])[] = []

  constructor(venue: Venue, random: Random) {
    this.venue = venue
    this.random = random
  }

  /** A day before the world begins; the changes come in its first `withinMs`. */
  announce(withinMs: number): void {
    const { venue, random } = this
    const start = venue.now
    for (const { market } of venue.feeds)
      for (const change of burdens)
        if (random.chance(0.08)) {
          venue.now += random.between(1, Math.floor(withinMs / 6))
          venue.run({ type: 'ChangeMarket', market, change })
          this.changesAt.push([market, venue.now + dayMs])
        }
    venue.now = start + dayMs
  }

  /** Called before time advances by `ms`. */
  act(ms: number): void {
    const { venue, random } = this
    const part = Math.min(ms, 500) / minute
    for (const [what, at] of this.openAt) if (venue.now >= at) this.open(what)
    if (random.chance(perMinute.restrict * part)) this.restrict(random.pick(venue.feeds).market)
    if (random.chance(perMinute.restrictAll * part)) this.restrict(0)
    if (random.chance(perMinute.change * part)) this.change(random.pick(venue.feeds).market)
    if (random.chance(perMinute.burden * part)) this.burden(random.pick(venue.feeds).market)
    if (random.chance(perMinute.fund * part))
      venue.run({ type: 'SetFundDailyMax', dailyMax: random.pick([0, 100_000, 500_000, PPM]) })
  }

  /** What raises a requirement, without a day's notice. */
  private burden(market: number): void {
    const { venue } = this
    const change = this.random.pick(burdens)
    venue.run({ type: 'ChangeMarket', market, change, immediate: true })
    // For accounts with a position it takes effect an hour later.
    this.changesAt.push([market, venue.now], [market, venue.now + hourMs])
  }

  private restrict(what: number): void {
    this.openAt.set(what, this.venue.now + this.random.between(1_000, 30_000))
    this.setMode(what, this.random.pick(modes))
  }

  private open(what: number): void {
    this.openAt.delete(what)
    this.setMode(what, 'open')
  }

  private setMode(what: number, mode: string): void {
    const { venue } = this
    if (what === 0) venue.run({ type: 'SetExchangeMode', mode })
    else venue.run({ type: 'SetMarketMode', market: what, mode })
  }

  /** A change that takes effect immediately. */
  private change(market: number): void {
    const { venue, random } = this
    const lots = (dollars: number) =>
      Math.floor((dollars * DOLLAR) / venue.view.markets.get(market)!.lotValue)
    const change = random.pick([
      { leverageMax: 50 },
      { ownerInterestMax: lots(random.pick([500_000, 5_000_000, 25_000_000, 25_000_000])) },
      { openInterestMax: lots(random.pick([2_000_000, 100_000_000, 100_000_000])) },
      { backstopValueMax: random.pick([0, 5_000_000, 10_000_000]) * DOLLAR },
      { backstopDailyLossMax: random.pick([0, 100_000, 1_000_000]) * DOLLAR },
      { speedBumpMs: random.pick([0, 200, 1_000]) },
      { impactValue: random.pick([1_000, 6_000, 20_000]) * DOLLAR },
      { bandNearPpm: random.pick([50_000, 300_000]) },
      { staleAfterMs: random.pick([4_500, 10_000]) },
    ])
    venue.run({ type: 'ChangeMarket', market, change })
    this.changesAt.push([market, venue.now])
  }

  /** Parameters changed a moment ago, or will in a moment, as announced. */
  isNearChange(market: number): boolean {
    const { now } = this.venue
    return this.changesAt.some(([which, at]) => which === market && Math.abs(now - at) <= nearMs)
  }

  /** A calm end: everything is open, and every account can close. */
  clear(): void {
    const { venue } = this
    for (const what of [...this.openAt.keys()]) this.open(what)
    for (const { market } of venue.feeds) {
      const most = 2 ** 40
      const change = { ownerInterestMax: most, openInterestMax: most, bandNearPpm: 300_000 }
      venue.run({ type: 'ChangeMarket', market, change })
    }
  }
}
