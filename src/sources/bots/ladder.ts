// The desired quotes of a maker: levels around the oracle price, further apart and larger with
// distance. A maker with a large position shifts its prices to reduce it, then quotes less on the
// side that would increase it.

import type { MarketView } from '../../core/index.ts'
import { divCeil, divFloor, mulDivFloor } from '../../units/rounding.ts'
import { MICRO_PER_DOLLAR, MICRO_PER_TICK, PPM } from '../../units/units.ts'
import type { Character } from '../sandbox-markets.ts'
import { lotsFor } from './lots-for.ts'

/** Distance of each level in tenths of the spread, and its size in multiples of the depth. */
const distances = [10, 20, 34, 54, 85, 130, 200, 320] as const
const sizes = [1, 1.5, 2, 3, 4, 6, 8, 12] as const
/** Makers use slightly different distances, so that the book has more than eight prices per
 *  side. */
const widening = [10, 13] as const
/** Maximum deviation of a quote from its target, in tenths of its distance. */
const toleranceTenths = 6
/** Approximate maximum position of a maker, in multiples of the depth. */
const holdingDepths = 40

export type Rung = Readonly<{ price: number; tolerance: number; lots: number }>

export type Stand = Readonly<{
  market: MarketView
  character: Character
  maker: number
  /** Position, signed. */
  lots: number
  /** Best prices of accounts other than bots; 0 if none. */
  othersBid: number
  othersAsk: number
}>

/** Desired quotes, best first. `side` 0: bids, 1: asks. */
export function rungsOf(stand: Stand, side: 0 | 1): readonly Rung[] {
  const { market, character } = stand
  const holding = holdingPpm(stand)
  const sign = side === 0 ? 1 : -1
  const lean = divFloor(character.spreadPpm * clamp(holding, PPM), 2 * PPM)
  const adding = holding * sign
  const rungs: Rung[] = []
  let last = side === 0 ? highestBid(stand) + 1 : lowestAsk(stand) - 1
  for (const [at, tenths] of distances.entries()) {
    // Far above its position limit a maker keeps only small distant quotes, so that no side is
    // empty.
    if (adding >= 2 * PPM && at < distances.length - 2) continue
    const wide = divCeil(character.spreadPpm * tenths * widening[stand.maker]!, 100)
    const ppm = wide + sign * lean
    const price = priceAt(market, side, ppm)
    const moved = side === 0 ? Math.min(price, last - 1) : Math.max(price, last + 1)
    if (moved < market.params.tickMin || moved > market.params.tickMax) break
    last = moved
    const dollars = character.depthDollars * sizes[at]!
    const part = mulDivFloor(market.oracle, divFloor(wide * toleranceTenths, 10), PPM)
    rungs.push({
      price: moved,
      tolerance: divFloor(part, MICRO_PER_TICK),
      lots: lotsFor(market, adding >= PPM ? dollars / 4 : dollars),
    })
  }
  return rungs
}

/** Position as a part of the maximum, ppm. */
function holdingPpm({ market, character, lots }: Stand): number {
  const most = holdingDepths * character.depthDollars * MICRO_PER_DOLLAR
  const part = mulDivFloor(Math.abs(lots) * market.lotValue, PPM, most)
  return lots < 0 ? -part : part
}

function priceAt(market: MarketView, side: 0 | 1, ppm: number): number {
  const distance = mulDivFloor(market.oracle, ppm, PPM)
  return side === 0
    ? divFloor(market.oracle - distance, MICRO_PER_TICK)
    : divCeil(market.oracle + distance, MICRO_PER_TICK)
}

/** Highest bid that does not take from other accounts' orders, because such a quote would be
 *  refused. */
function highestBid({ market, othersAsk }: Stand): number {
  return Math.min(
    market.bandOf('bid').most,
    othersAsk === 0 ? market.params.tickMax : othersAsk - 1,
  )
}

function lowestAsk({ market, othersBid }: Stand): number {
  return Math.max(
    market.bandOf('ask').least,
    othersBid === 0 ? market.params.tickMin : othersBid + 1,
  )
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value))
}
