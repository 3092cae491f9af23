// What a level may say of itself (TRIG-2, TRIG-11).

import type { Level, Levels } from '../../../src/core/commands/commands.ts'
import { triggerBys } from '../../../src/words/order-words.ts'
import { bookOf } from '../rule-books.ts'
import type { Market } from '../state.ts'
import { isInt, isIntIn } from '../units/numbers.ts'
import type { Stop } from './stop.ts'

/** TRIG-12: one, several or none. */
export function listed(levels: Levels | undefined): readonly Level[] {
  if (levels == null) return []
  return [levels].flat() as Level[]
}

export function slippageOf({ slippagePpm }: Level): bigint | null {
  return slippagePpm == null ? null : BigInt(slippagePpm)
}

/** TRIG-2: of a market stop, and no further than the rules let it go. */
export function hasGoodSlip(market: Market, { slippagePpm, limitPrice }: Level): boolean {
  if (slippagePpm == null) return true
  return limitPrice == null && isIntIn(slippagePpm, 0, bookOf(market).triggers.slippagePpmMax)
}

/** Stop and limit price are prices of this market, or the trail is one. */
export function hasGoodTicks(market: Market, level: Level): boolean {
  if (level.trail != null) return hasGoodTrail(market, level)
  const { tickMin, tickMax } = market.rules
  const prices = [level.stopPrice, ...(level.limitPrice == null ? [] : [level.limitPrice])]
  return prices.every((price) => isInt(price) && price >= tickMin && price <= tickMax)
}

/** Whether its words are known and go together: a trail is of the mark and the market. */
export function hasGoodWords(level: Level, kind: Stop['kind']): boolean {
  if (level.trail == null) return triggerBys.includes(level.triggerBy)
  return kind !== 'take_profit' && level.triggerBy === 'mark' && level.limitPrice == null
}

function hasGoodTrail(market: Market, { stopPrice, trail }: Level): boolean {
  if (stopPrice !== 0) return false
  const { distance, ppm, activation } = trail!
  const { tickMin, tickMax } = market.rules
  const { trailPpmMin, trailPpmMax } = bookOf(market).limits
  const within = (value: number, least: number | bigint, most: number | bigint) =>
    isInt(value) && value >= least && value <= most
  if (activation !== null && !within(activation, tickMin, tickMax)) return false
  if (distance === null) return ppm !== null && within(ppm, trailPpmMin, trailPpmMax)
  return ppm === null && within(distance, 1, tickMax)
}
