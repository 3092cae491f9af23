// Checks the fields of a stop or level: words, prices, sizes, trails (TRIG-2, TRIG-5, TRIG-11).

import type { Level, Trail } from '../commands/commands.ts'
import { type Rejection, refuse } from '../commands/rejections.ts'
import type { Market } from '../state/market.ts'
import type { State } from '../state/state.ts'

/** Whether the levels of a position or an order have valid price fields. A take-profit cannot
 *  trail. */
export function watchPrices(takeProfits: readonly Level[], stopLosses: readonly Level[]): boolean {
  return (
    takeProfits.every((level) => watchesPrice(level, false)) &&
    stopLosses.every((level) => watchesPrice(level, true))
  )
}

/** Returns the first rejection, in the order of the list. */
export function firstRefusal<T>(
  all: readonly T[],
  check: (one: T) => Rejection | null,
): Rejection | null {
  for (const one of all) {
    const refusal = check(one)
    if (refusal !== null) return refusal
  }
  return null
}

/** Enforces the maximum number of levels of each kind, take-profits first (TRIG-12). */
export function kindCountRefusal(
  { rules }: State,
  takeProfits: readonly Level[],
  stopLosses: readonly Level[],
): Rejection | null {
  const { levelsPerKind } = rules.limits
  return firstRefusal([takeProfits.length, stopLosses.length], (count) =>
    count <= levelsPerKind ? null : refuse('POSITION_TPSL_LIMIT_EXCEEDED', count, levelsPerKind),
  )
}

/** A trail must follow the mark and use a market order (TRIG-11). */
export function watchesPrice({ triggerBy, trail, limitPrice }: Level, mayTrail: boolean): boolean {
  if (trail != null) return mayTrail && triggerBy === 'mark' && limitPrice === null
  return isTriggerBy(triggerBy)
}

export function isTriggerBy(word: string): boolean {
  return word === 'mark' || word === 'last' || word === 'mid'
}

export function levelOnGrid(market: Market, level: Level): boolean {
  if (level.trail != null) return isTrail(market, level.stopPrice, level.trail)
  return (
    isTick(market, level.stopPrice) &&
    (level.limitPrice === null || isTick(market, level.limitPrice))
  )
}

function isTick({ params }: Market, price: number): boolean {
  return isWithin(price, params.tickMin, params.tickMax)
}

export function levelSizeRefusal(size: number, most: number): Rejection | null {
  if (Number.isSafeInteger(size) && size >= 1 && size <= most) return null
  return refuse('INVALID_STOP_ORDER_AMOUNT', Number.isSafeInteger(size) ? size : 0, most)
}

/** Checks the maximum slippage of the level's market order (TRIG-2). A level with a limit price has
 *  none. */
export function slippageRefusal({ rules }: Market, level: Level): Rejection | null {
  const { slippagePpm, limitPrice } = level
  if (slippagePpm == null) return null
  if (limitPrice === null && isWithin(slippagePpm, 0, rules.triggers.slippagePpmMax)) return null
  return refuse('INVALID_AMOUNT', Number.isSafeInteger(slippagePpm) ? slippagePpm : 0)
}

/** Whether the numbers of a trail are valid. */
function isTrail(market: Market, stopPrice: number, trail: Trail): boolean {
  const { distance, ppm, activation } = trail
  const { tickMax } = market.params
  const { trailPpmMin, trailPpmMax } = market.rules.limits
  return (
    stopPrice === 0 &&
    (distance === null) !== (ppm === null) &&
    (distance === null || isWithin(distance, 1, tickMax)) &&
    (ppm === null || isWithin(ppm, trailPpmMin, trailPpmMax)) &&
    (activation === null || isTick(market, activation))
  )
}

/** Rejects a selling trail whose distance is at least the price, because it could never fire
 *  (TRIG-11). */
export function trailRefusal({ distance }: Trail, sells: boolean, price: number): Rejection | null {
  if (!sells || distance === null || distance < price) return null
  return refuse('INVALID_STOP_TICK', distance, price)
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}

/** Enforces the maximum number of trailing stops, including the new ones. `replaced`: triggers that
 *  end when the new ones are created. */
export function trailCountRefusal(
  state: State,
  account: number,
  added: readonly Level[],
  replaced: readonly number[],
  others = 0,
): Rejection | null {
  const more = added.filter(({ trail }) => trail != null).length
  if (more === 0) return null
  const { trailingPerAccount } = state.rules.limits
  let count = others
  for (const id of state.accounts.records[account]?.stops ?? [])
    if (state.triggers.get(id)!.trail !== null && !replaced.includes(id)) count += 1
  return count + more <= trailingPerAccount
    ? null
    : refuse('OPEN_ORDER_LIMIT_REACHED', count, trailingPerAccount)
}
