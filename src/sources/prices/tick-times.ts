// Decides when a price becomes a tick (docs/rules/prices.md): before the market would become stale,
// and immediately when it has moved, so that an order in the speed bump meets the new price.

import { divCeil, divFloor } from '../../units/rounding.ts'

const everyMsMax = 3_000
/** Minimum time in ms between immediate ticks. */
export const apartMs = 100
/** Number of fast ticks after a start, because a market becomes live after five good ones. */
export const firstTicks = 5
export const firstEveryMs = 250
/** A price has moved if it has changed by 1/400, which is 0.25 %. */
const movedParts = 400

export function tickEveryMs({ staleAfterMs }: Readonly<{ staleAfterMs: number }>): number {
  return Math.min(everyMsMax, divFloor(2 * staleAfterMs, 3))
}

/** Whether a price differs by 0.25 % or more from that of the last tick. */
export function hasMoved(price: number, said: number): boolean {
  return Math.abs(price - said) >= divCeil(said, movedParts)
}
