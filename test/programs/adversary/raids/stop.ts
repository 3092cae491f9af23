// The raid on a stop: a stranger is long with a market stop in a book where only a ring quotes. The
// price reaches the stop, and the order that it makes takes the ring's bid, however far below.

import { btc, lotsFor } from '../../../support/named-days/day.ts'
import { DOLLAR, type Edition, START_TICKS, UNIT_VALUE } from '../../../support/venue/edition.ts'
import { Venue } from '../../../support/venue/venue.ts'

const stopDollars = 860_000
const PPM = 1_000_000

/** How far below the mark the ring's bid waits. */
export const awaysPpm = [4_900, 9_900, 24_900, 49_900, 98_900] as const

/** What its own slippage gives, half of the base maintenance fraction. */
export const stopMost = 0.005 * stopDollars * DOLLAR

export type StopRaid = Readonly<{
  /** What the ring gained at the price outside, in micro-dollars. */
  profit: number
  /** The same of the stop's value. */
  part: number
}>

export function stopRaid(edition: Edition, awayPpm: number): StopRaid {
  const venue = new Venue(edition)
  const feed = venue.list(btc)
  const trader = venue.deposit('trader', 200_000)
  const ring = venue.deposit('ring-0-0', 1_000_000)
  const lots = lotsFor(stopDollars)
  for (let ticks = 0; ticks < 10; ticks++) venue.walk(3_000)
  venue.place(ring, { market: 1, lots: -lots, price: START_TICKS, tif: 'ALO' })
  venue.place(trader, { market: 1, lots, price: START_TICKS, tif: 'IOC' })
  venue.walk(3_000)
  const stopPrice = START_TICKS * 0.995
  const level = { stopPrice, limitPrice: null, size: null, triggerBy: 'mark', clientOrderId: null }
  const own = { account: trader, proof: null, market: 1 }
  venue.run({ type: 'PlaceStop', ...own, side: 'ask', reduceOnly: true, level })
  feed.raw = START_TICKS * 0.994
  const price = Math.ceil((feed.raw * (PPM - awayPpm)) / PPM)
  venue.place(ring, { market: 1, lots, price, tif: 'ALO' })
  // The ring is short from before: what the fall itself brings is not counted.
  const short = venue.view.positions.lotsOf(ring, 1)
  const fallen = -short * (START_TICKS - feed.raw) * UNIT_VALUE
  const before = venue.equityOf(ring) + fallen
  for (let steps = 0; steps < 60; steps++) venue.walk(1_000)
  const profit = venue.equityOf(ring) - before
  return { profit, part: profit / (stopDollars * DOLLAR) }
}
