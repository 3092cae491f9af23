// What the remedy costs honest takers: how long an order waits that would trade immediately, at
// moments that have nothing to do with the sources.

import { btc, lotsFor } from '../../../support/named-days/day.ts'
import { type Edition, START_TICKS } from '../../../support/venue/edition.ts'
import { quote } from '../../../support/venue/quoting.ts'
import { Venue } from '../../../support/venue/venue.ts'
import { type SourcePlan, Sources } from '../outside/sources.ts'

/** The ways in which sources follow each other, and the takers in each. */
const orders = 8
const takers = 50
const stepMs = 5
const longestMs = 15_000
/** How long a price travels. */
const latencyMs = 50

export type Wait = Readonly<{
  name: string
  everyMs: readonly number[]
  /** Milliseconds that a taker may wait on average, and 95 % of them. */
  meanMost: number
  longMost: number
}>

/** The mean of fast sources is at most 1.1 times the speed bump. */
const fastMost = { meanMost: 1.1 * btc.speedBumpMs, longMost: 260 }

/** docs/operating/price-sources.md shows what they come to. */
export const honestWaits: readonly Wait[] = [
  { name: 'three: 50, 100, 250 ms', everyMs: [50, 100, 250], ...fastMost },
  { name: 'three: 1 s, 50, 100 ms', everyMs: [1_000, 50, 100], ...fastMost },
  { name: 'three of 250 ms', everyMs: [250, 250, 250], meanMost: 290, longMost: 380 },
  { name: 'three of 1 s', everyMs: [1_000, 1_000, 1_000], meanMost: 670, longMost: 1_000 },
  { name: 'two of 1 s', everyMs: [1_000, 1_000], meanMost: 880, longMost: 1_180 },
]

function plansOf(everyMs: readonly number[], order: number): readonly SourcePlan[] {
  return everyMs.map((every, at) => ({
    everyMs: every,
    latencyMs,
    phaseMs: Math.floor(every * (((at * (order + 0.5)) / orders) % 1)),
    biasPpm: 0,
    noisePpm: 0,
  }))
}

/** In milliseconds of engine time, the shortest first. */
export function waitsWith(edition: Edition, { everyMs }: Wait): readonly number[] {
  const all = Array.from({ length: orders }, (_, at) => waitsOf(edition, plansOf(everyMs, at)))
  return all.flat().sort((one, other) => one - other)
}

function waitsOf(edition: Edition, plans: readonly SourcePlan[]): readonly number[] {
  const venue = new Venue(edition)
  const feed = venue.list(btc)
  feed.ears = new Sources(plans, feed.raw)
  const maker = venue.deposit('maker', 10_000_000)
  const taker = venue.deposit('taker', 10_000_000)
  venue.walk(3_000)
  const ladder = { halfPpm: 20, levels: 3, stepPpm: 20, lots: lotsFor(1_000_000) }
  quote(venue, maker, 1, START_TICKS, ladder)
  const held = () => venue.view.positions.lotsOf(taker, 1)
  return Array.from({ length: takers }, (_, n) => {
    venue.walk(500 + ((n * 617) % 2_999))
    const wanted = held() + 100
    const arrived = venue.now
    venue.place(taker, { market: 1, lots: 100, price: START_TICKS + 60, tif: 'IOC' })
    while (held() < wanted) {
      if (venue.now - arrived > longestMs) throw new Error('an honest order did not trade')
      venue.walk(stepMs)
    }
    return venue.now - arrived
  })
}
