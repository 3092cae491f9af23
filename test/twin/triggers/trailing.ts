// Stops that follow the mark (TRIG-11): each keeps all the marks that it has seen since it is
// active.

import type { Level } from '../../../src/core/commands/commands.ts'
import { type Rejection, refuse } from '../../../src/core/commands/rejections.ts'
import type { Side } from '../../../src/words/order-words.ts'
import { bookOf } from '../rule-books.ts'
import type { Account, Naive } from '../state.ts'
import { ceilDiv, floorDiv, MILLION, max, num } from '../units/numbers.ts'
import type { Stop, Trail } from './stop.ts'

export function trailOf({ trail }: Level): Trail | null {
  if (trail == null) return null
  const whole = (value: number | null) => (value === null ? null : BigInt(value))
  const { distance, ppm, activation } = trail
  return {
    distance: whole(distance),
    ppm: whole(ppm),
    activation: whole(activation),
    marks: [],
  }
}

/** A mark that counts for it. */
export function seeMark({ side, trail }: Stop, mark: bigint): void {
  if (trail === null) return
  const { activation, marks } = trail
  const reached = activation === null || (side === 'ask' ? mark >= activation : mark <= activation)
  if (marks.length > 0 || reached) marks.push(mark)
}

/** 0: it is not active, or follows nothing. */
export function extremeOf({ side, trail }: Stop): bigint {
  const marks = trail?.marks ?? []
  return marks.reduce((best, mark) => {
    if (best === 0n) return mark
    return (side === 'ask' ? mark > best : mark < best) ? mark : best
  }, 0n)
}

/** Where it fires; null: nowhere yet. */
export function stopOf(stop: Stop): bigint | null {
  const { side, trail, stopPrice } = stop
  if (trail === null) return stopPrice
  const extreme = extremeOf(stop)
  if (extreme === 0n) return null
  if (side === 'ask') {
    if (trail.distance !== null) return max(0n, extreme - trail.distance)
    return floorDiv(extreme * (MILLION - trail.ppm!), MILLION)
  }
  if (trail.distance !== null) return extreme + trail.distance
  return ceilDiv(extreme * (MILLION + trail.ppm!), MILLION)
}

/** TRIG-11: a distance that no price of the market is above. */
export function tooFar({ trail }: Level, side: Side, price: bigint): Rejection | null {
  const distance = trail?.distance ?? null
  if (side === 'bid' || distance === null || BigInt(distance) < price) return null
  return refuse('INVALID_STOP_TICK', distance, num(price))
}

/** Those of the account, without the ones that end for the new ones. */
export function trailLimit(
  naive: Naive,
  account: Account,
  levels: readonly Level[],
  replaced: readonly number[] = [],
): Rejection | null {
  const wanted = levels.filter(({ trail }) => trail != null)
  if (wanted.length === 0) return null
  const { trailingPerAccount } = bookOf(naive).limits
  const live = naive.stops.filter(
    ({ id, account: owner, trail }) =>
      owner === account.id && trail !== null && !replaced.includes(id),
  )
  if (live.length + wanted.length <= trailingPerAccount) return null
  return refuse('OPEN_ORDER_LIMIT_REACHED', live.length, trailingPerAccount)
}

/** TRIG-12 */
export function kindLimit(naive: Naive, levels: readonly Level[]): Rejection | null {
  const { levelsPerKind } = bookOf(naive).limits
  if (levels.length <= levelsPerKind) return null
  return refuse('POSITION_TPSL_LIMIT_EXCEEDED', levels.length, levelsPerKind)
}
