// Takers send small market orders on both sides, occasionally a larger one, with a bias that
// changes over time. They also take resting orders at a price that the market has moved through. A
// taker with a large position prefers to reduce it.

import type { AccountId, Command, ExchangeView, MarketView, Offer } from '../../core/index.ts'
import { divFloor, mulDivFloor, roundHalfUp } from '../../units/rounding.ts'
import {
  type Lots,
  MICRO_PER_DOLLAR,
  MICRO_PER_TICK,
  PPM,
  type Ppm,
  type Ticks,
} from '../../units/units.ts'
import type { Side } from '../../words/order-words.ts'
import type { RandomStream } from '../random.ts'
import type { Character } from '../sandbox-markets.ts'
import { lotsFor } from './lots-for.ts'

const slippagePpm = 10_000 as Ppm
/** Position, in multiples of the depth, at which a taker nearly always reduces it. */
const holdingDepths = 4
/** Maximum size taken from such resting orders in one step, and maximum position from them. */
const sweepDepths = 10
const sweepHoldingDepths = 100
/** Influence of the position on the probability of buying, which is 50 % without a position. */
const holdingOddsPpm = 400_000
/** Influence of the bias on the probability of buying. */
export const moodPpmMax = 100_000

export type Taking = Readonly<{
  view: ExchangeView
  market: MarketView
  character: Character
  account: number
}>

export function marketOrder(taking: Taking, moodPpm: number, random: RandomStream): Command {
  const { market, character } = taking
  const odds =
    PPM / 2 + moodPpm - mulDivFloor(holdingPpm(taking, holdingDepths), holdingOddsPpm, PPM)
  const side: Side = random.below(PPM) < odds ? 'bid' : 'ask'
  const dollars = divFloor(character.depthDollars * percentOfDepth(random), 100)
  return {
    type: 'PlaceMarketOrder',
    account: taking.account as AccountId,
    proof: null,
    market: market.id,
    side,
    size: lotsFor(market, dollars) as Lots,
    slippagePpm,
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

export function percentOfDepth(random: RandomStream): number {
  const kind = random.below(100)
  if (kind < 72) return 1 + random.below(12)
  if (kind < 97) return 12 + random.below(70)
  return 100 + random.below(250)
}

/** Takes the best ask (or bid) of others if the oracle has moved past it by half a spread. */
export function sweep(taking: Taking, offer: Offer | null, side: Side): Command | null {
  if (offer === null) return null
  const { market, character } = taking
  const margin = mulDivFloor(market.oracle, divFloor(character.spreadPpm, 2), PPM)
  const distance = market.oracle - offer.price * MICRO_PER_TICK
  const sign = side === 'bid' ? 1 : -1
  if (distance * sign < margin) return null
  if (holdingPpm(taking, sweepHoldingDepths) * sign >= PPM) return null
  const price = clamp(roundHalfUp(market.oracle, MICRO_PER_TICK), market, side)
  const most = lotsFor(market, character.depthDollars * sweepDepths)
  return {
    type: 'PlaceOrder',
    account: taking.account as AccountId,
    proof: null,
    market: market.id,
    side,
    price: price as Ticks,
    size: Math.max(lotsFor(market, 0), Math.min(most, offer.lots)) as Lots,
    tif: 'IOC',
    reduceOnly: false,
    clientOrderId: null,
    takeProfit: null,
    stopLoss: null,
  }
}

function clamp(price: number, market: MarketView, side: Side): number {
  const { least, most } = market.bandOf(side)
  return Math.max(least, market.params.tickMin, Math.min(most, market.params.tickMax, price))
}

/** Position as a fraction of `depths`, in ppm, limited to ±100 %. */
function holdingPpm({ view, market, character, account }: Taking, depths: number): number {
  const lots = view.positions.lotsOf(account, market.id)
  const most = depths * character.depthDollars * MICRO_PER_DOLLAR
  const part = Math.min(PPM, mulDivFloor(Math.abs(lots) * market.lotValue, PPM, most))
  return lots < 0 ? -part : part
}
