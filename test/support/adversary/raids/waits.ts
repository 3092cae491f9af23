// What the remedy costs honest takers: how long an order waits that would trade immediately, at
// moments that have nothing to do with the sources.

import { btc, lotsFor } from '../../named-days/day.ts'
import { type Edition, START_TICKS } from '../../venue/edition.ts'
import { quote } from '../../venue/quoting.ts'
import { Venue } from '../../venue/venue.ts'
import { plainSources, type SourceKind, Sources } from '../outside/sources.ts'

const takers = 100
const stepMs = 5
const longestMs = 15_000
export const bumpMs = btc.speedBumpMs

/** Mean, in milliseconds of engine time. */
export function meanWait(edition: Edition, kind: SourceKind): number {
  const venue = new Venue(edition)
  const feed = venue.list(btc)
  feed.ears = new Sources(plainSources(kind, 0), feed.raw)
  const maker = venue.deposit('maker', 10_000_000)
  const taker = venue.deposit('taker', 10_000_000)
  venue.walk(3_000)
  const ladder = { halfPpm: 20, levels: 3, stepPpm: 20, lots: lotsFor(1_000_000) }
  quote(venue, maker, 1, START_TICKS, ladder)
  const held = () => venue.view.positions.lotsOf(taker, 1)
  let sum = 0
  for (let n = 1; n <= takers; n++) {
    venue.walk(500 + ((n * 617) % 2_999))
    const wanted = held() + 100
    const arrived = venue.now
    venue.place(taker, { market: 1, lots: 100, price: START_TICKS + 60, tif: 'IOC' })
    while (held() < wanted) {
      if (venue.now - arrived > longestMs) throw new Error('an honest order did not trade')
      venue.walk(stepMs)
    }
    sum += venue.now - arrived
  }
  return sum / takers
}
