// Quotes with which a ring keeps a book away from the oracle: a bid and an ask of one account, too
// far apart to be of use to anyone, around a price that follows the oracle.

import { UNIT_VALUE } from '../../../support/venue/edition.ts'
import type { Venue } from '../../../support/venue/venue.ts'

export type PropPlan = Readonly<{
  account: number
  market: number
  /** How far their middle is from the oracle, as a part of it. */
  away: number
  /** How far each of them is from the middle. */
  half: number
}>

type Standing = PropPlan & { oracle: number }

/** Further than this from where it was, they follow the oracle. */
const movedPart = 0.0004
/** At most this far on either side. */
export const halfMost = 0.0245

export class Props {
  private readonly venue: Venue
  private readonly standing = new Map<string, Standing>()

  constructor(venue: Venue) {
    this.venue = venue
  }

  start(plan: PropPlan): void {
    const prop = { ...plan, oracle: 0 }
    this.standing.set(nameOf(plan.account, plan.market), prop)
    this.follow(prop)
  }

  stop(account: number, market: number): void {
    this.standing.delete(nameOf(account, market))
    this.venue.cancelAll(account, market)
  }

  /** After a tick. */
  keep(): void {
    for (const prop of this.standing.values()) this.follow(prop)
  }

  private follow(prop: Standing): void {
    const { account, market } = prop
    const { oracle: micro, params } = this.venue.view.markets.get(market)!
    const oracle = micro / 1_000_000
    if (Math.abs(oracle - prop.oracle) < movedPart * oracle) return
    prop.oracle = oracle
    this.venue.cancelAll(account, market)
    for (const side of [-1, 1]) {
      const price = Math.round(oracle * (1 + prop.away + side * prop.half))
      const lots = Math.ceil((params.impactValue * 1.01) / (price * UNIT_VALUE)) + 1
      this.venue.place(account, { market, lots: -side * lots, price, tif: 'ALO' })
    }
  }
}

function nameOf(account: number, market: number): string {
  return `${account} ${market}`
}
