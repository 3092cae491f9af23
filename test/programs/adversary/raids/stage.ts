// What raids by hand share: one market with reserves, ticks at chosen moments, and what the ring
// has at the price outside.

import { btc } from '../../../support/named-days/day.ts'
import { DOLLAR, type Edition, START_TICKS, UNIT_VALUE } from '../../../support/venue/edition.ts'
import { Venue } from '../../../support/venue/venue.ts'

const reserves = 2_000_000

export type Order = Readonly<{
  dollars: number
  price: number
  tif?: string
}>

/** Funds of the ring's accounts and of honest ones, in dollars. */
export class Stage {
  readonly venue: Venue
  readonly ids: Readonly<Record<string, number>>
  private readonly ring: readonly string[]

  constructor(edition: Edition, ring: Readonly<Record<string, number>>, honest = {}) {
    this.venue = new Venue(edition)
    this.venue.list(btc)
    this.venue.deposit('insurance', reserves)
    this.venue.moveReserve(1, reserves / 2)
    const all = Object.entries<number>({ ...honest, ...ring })
    this.ids = Object.fromEntries(
      all.map(([name, money]) => [name, this.venue.deposit(name, money)]),
    )
    this.ring = Object.keys(ring)
    this.tick(3_000, START_TICKS)
  }

  /** The sources saw this price 50 ms before. */
  tick(afterMs: number, price: number): void {
    const { venue } = this
    venue.now += afterMs
    const seen = { price: Math.round(price * 1_000_000), observedAtMs: venue.now - 50 }
    venue.run({ type: 'OracleTick', market: 1, ...seen, jump: false })
  }

  /** Positive dollars buy. */
  place(name: string, { dollars, price, tif = 'ALO' }: Order): void {
    const lots =
      Math.sign(dollars) * Math.floor((Math.abs(dollars) * DOLLAR) / (price * UNIT_VALUE))
    this.venue.place(this.ids[name]!, { market: 1, lots, price, tif })
  }

  /** The one buys from the other, who quotes. */
  deal(buyer: string, seller: string, dollars: number, price: number): void {
    this.place(seller, { dollars: -dollars, price })
    this.place(buyer, { dollars, price, tif: 'IOC' })
  }

  /** What the ring has if everything is closed at this price, in micro-dollars. */
  wealth(price: number): number {
    const { accounts, positions } = this.venue.view
    const worth = this.ring.map((name) => {
      const { equity } = accounts.numbersOf(this.ids[name]!)
      const lots = positions.lotsOf(this.ids[name]!, 1)
      return equity + lots * (price - this.venue.markOf(1)) * UNIT_VALUE
    })
    return worth.reduce((sum, one) => sum + one, 0)
  }

  get money(): number {
    return this.ring.reduce((sum, name) => sum + this.venue.equityOf(this.ids[name]!), 0)
  }
}
