// The raid on sources that are slower than the speed bump. The price outside falls by 8 % between
// two of their observations; a ring of 360,000 dollars sees it immediately, and trades with itself
// at the mark of before. One account ends with the profit, another with a loss that the fund pays.

import { lotsFor } from '../../../support/named-days/day.ts'
import { DOLLAR, type Edition, START_TICKS, UNIT_VALUE } from '../../../support/venue/edition.ts'
import type { Feed } from '../../../support/venue/feed.ts'
import { quote } from '../../../support/venue/quoting.ts'
import { Venue } from '../../../support/venue/venue.ts'
import { plainSources, type SourceKind, Sources } from '../outside/sources.ts'
import { Referee } from '../referee.ts'

/** `adds`: both open at the old mark. `reduces`: the taker closes a long, a fresh maker opens. */
export const ways = ['adds', 'reduces'] as const
export type Way = (typeof ways)[number]

export type CadenceRaid = Readonly<{ kind: SourceKind; way: Way; phase: number }>

export const phases = 16
const ringDollars = 360_000
const fallPart = 0.08
const stepMs = 50
const afterMs = 10_000
/** The ring acts while the price is so far ahead of the last tick. */
const aheadPart = 0.03
const orderDollarsMax = 4_500_000

const market = {
  symbol: 'BTC',
  leverageMax: 50,
  tiers: [
    [5_000_000, 20],
    [20_000_000, 10],
  ],
  speedBumpMs: 200,
  interestDollars: 400_000_000,
  impactDollars: 20_000,
  backstopDollars: 10_000_000,
  backstopLossDollars: 1_000_000,
} as const

/** The ring's profit beyond what it may take, in micro-dollars, when everything is settled. */
export function cadenceProfit(edition: Edition, { kind, way, phase }: CadenceRaid): number {
  const venue = new Venue(edition)
  const referee = new Referee(venue)
  const feed = venue.list(market)
  feed.ears = new Sources(plainSources(kind, phase / phases), feed.raw)
  venue.deposit('insurance', 3_000_000)
  venue.moveReserve(1, 1_000_000)
  const dealer = venue.deposit('dealer', 100_000_000)
  const ring = new CadenceRing(venue, feed, way)
  for (let ticks = 0; ticks < 10; ticks++) venue.walk(3_000)
  ring.prepare()
  feed.raw = START_TICKS * (1 - fallPart)
  venue.publishWorld()
  for (let passed = 0; passed < afterMs; passed += stepMs) {
    ring.act()
    venue.walk(stepMs)
  }
  for (let ticks = 0; ticks < 20; ticks++) venue.walk(3_000)
  quote(venue, dealer, 1, feed.raw, {
    halfPpm: 20,
    levels: 3,
    stepPpm: 20,
    lots: lotsFor(4_000_000),
  })
  ring.close()
  venue.walk(5_000)
  return referee.verdict().rings[0]!.profit
}

class CadenceRing {
  private readonly venue: Venue
  private readonly feed: Feed
  private readonly way: Way
  /** Of `adds`: the seller and the buyer; of `reduces` a third one is short from before. */
  private readonly accounts: readonly number[]
  private triedAt = 0

  constructor(venue: Venue, feed: Feed, way: Way) {
    this.venue = venue
    this.feed = feed
    this.way = way
    const count = way === 'adds' ? 2 : 3
    this.accounts = Array.from({ length: count }, (_, at) =>
      venue.deposit(`ring-0-${at}`, ringDollars / count),
    )
  }

  prepare(): void {
    const [taker, , short] = this.accounts
    if (short === undefined) return
    this.trade(short, taker!, 0.9)
    this.venue.walk(1_000)
  }

  act(): void {
    const { venue, feed } = this
    const [taker, maker] = this.accounts as [number, number]
    const isAhead = feed.sent - feed.raw >= aheadPart * feed.sent
    // Orders that were not filled within a second are given up.
    if (!isAhead || venue.now < this.triedAt + 1_000) return
    this.triedAt = venue.now
    venue.cancelAll(maker, 1)
    if (this.way === 'adds') this.trade(taker, maker, 0.93)
    else this.handOver(taker, maker)
  }

  /** The one sells to the other at mark as much as this part of what it can carry. */
  private trade(seller: number, buyer: number, part: number): void {
    const { venue } = this
    const price = venue.markOf(1)
    const { spendable } = venue.view.accounts.numbersOf(seller)
    // Initial margin by tiers: 2 % of five million, 5 % of what is above.
    const first = Math.min(spendable * part * 50, 5_000_000 * DOLLAR)
    const value = first + Math.max(0, spendable * part - first / 50) * 20
    this.exchange(seller, buyer, Math.floor(value / (price * UNIT_VALUE)))
  }

  private handOver(seller: number, buyer: number): void {
    const held = this.venue.view.positions.lotsOf(seller, 1)
    if (held > 0) this.exchange(seller, buyer, held)
  }

  /** In pieces, because an order has a largest value. */
  private exchange(seller: number, buyer: number, lots: number): void {
    const price = this.venue.markOf(1)
    const most = Math.floor((orderDollarsMax * DOLLAR) / (price * UNIT_VALUE))
    for (let left = lots; left > 0; left -= most) {
      const size = Math.min(left, most)
      this.venue.place(buyer, { market: 1, lots: size, price, tif: 'ALO' })
      this.venue.place(seller, { market: 1, lots: -size, price, tif: 'IOC' })
    }
  }

  /** In the book, in pieces. */
  close(): void {
    const { venue } = this
    const most = lotsFor(4_000_000)
    for (const account of this.accounts) {
      const held = venue.view.positions.lotsOf(account, 1)
      for (let left = Math.abs(held); left > 0; left -= most)
        venue.take(account, 1, -Math.sign(held) * Math.min(left, most), true)
    }
  }
}
