// What the owner of a resting order gains by a sale of the backstop that nothing explains.

import type { EventOf } from '../../../../src/core/index.ts'
import type { Venue } from '../../../support/venue/venue.ts'
import type { Gaps } from './gaps.ts'

const PPM = 1_000_000
/** A backstop sells up to half a percent below its price (LIQ-4); sources are off by less. */
const backstopSlipPpm = 10_000

/** The backstop sells at a little less than its price, and may not know that its price is old.
 *  What a maker gains beyond that is not explained, but for the price under way, where its order
 *  stood before that was observed. `since`: when it took its place. */
export function staleGain(
  { market, lots, value }: EventOf<'Traded'>,
  gained: number,
  { gaps, since, unitValue }: Readonly<{ gaps: Gaps; since: number; unitValue: number }>,
): number {
  const knownAt = gaps.knownAt(market)
  const underWay = Math.abs(gaps.priceOf(market) - gaps.priceAt(market, knownAt))
  const explained = since <= knownAt ? lots * underWay * unitValue : 0
  return Math.max(0, gained - explained - Math.ceil((value * backstopSlipPpm) / PPM))
}

/** Whether the backstop's order went past a better quote, which still stands. */
export function passesOver(venue: Venue, { market, side, price }: EventOf<'Traded'>): boolean {
  const best = venue.view.books.bestPrice(market, side === 'bid' ? 'ask' : 'bid')
  return side === 'bid' ? best !== 0 && best < price : best > price
}
