// How things stand where a ring pushes a mark: what its next move waits for.

import { UNIT_VALUE } from '../../venue/edition.ts'
import type { Venue } from '../../venue/venue.ts'

const PPM = 1_000_000

/** How much of its band the mark is away from the oracle. */
export function bandPart(venue: Venue, market: number): number {
  const { mark, oracle, markBandPpm } = venue.view.markets.get(market)!
  return (Math.abs(mark * PPM - oracle) * PPM) / (oracle * markBandPpm)
}

export function isTaken({ view }: Venue, market: number): boolean {
  return view.positions.lotsOf(view.markets.get(market)!.backstop, market) !== 0
}

/** What it has at the mark is little beside what that is ahead of the oracle by. */
export function isHollow({ view }: Venue, account: number, market: number): boolean {
  const holding = view.positions.holdingOf(account, market)
  if (holding === null || holding.lots === 0) return false
  const { oracle, mark, lotValue } = view.markets.get(market)!
  const ahead = holding.lots * (mark - oracle / PPM) * UNIT_VALUE
  const equity = holding.isolated
    ? holding.wallet + holding.lots * lotValue - holding.cost
    : view.accounts.numbersOf(account).crossEquity
  return equity < ahead / 5
}
