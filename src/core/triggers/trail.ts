// A stop that follows the best mark and fires on the way back (TRIG-11). Its price follows from the
// marks since it is active, so that no event tells of it.

import { mulPpmCeil, mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import type * as commands from '../commands/commands.ts'

export type Trail = {
  /** How far the stop is from the extreme: ticks, or 0 and a share of it. */
  readonly distance: number
  readonly ppm: number
  /** From this mark on it is active; 0: at once. */
  readonly activation: number
  /** The best mark since it is active; 0: it is not. */
  extreme: number
  /** Where it fires then. */
  stop: number
  /** Among those that follow the mark of their market; −1: it does not now. */
  place: number
}

export function trailOf({ distance, ppm, activation }: commands.Trail): Trail {
  return {
    distance: distance ?? 0,
    ppm: ppm ?? 0,
    activation: activation ?? 0,
    extreme: 0,
    stop: 0,
    place: -1,
  }
}

type Behind = Readonly<{ distance: number | null; ppm: number | null }>

/** Where a stop of this side (0 bid, 1 ask) fires that is so far behind this mark. */
export function stopBehind({ distance, ppm }: Behind, side: number, mark: number): number {
  if (side === 1) return distance ? mark - distance : mulPpmFloor(mark, PPM - ppm!)
  return distance ? mark + distance : mark + mulPpmCeil(mark, ppm!)
}

/** The next mark that counts, for a stop of this side (0 bid, 1 ask). True: it fires. */
export function follow(trail: Trail, side: number, mark: number): boolean {
  const { activation, extreme } = trail
  if (side === 1) {
    if (extreme === 0 ? mark >= activation : mark > extreme) {
      trail.extreme = mark
      trail.stop = stopBehind(trail, side, mark)
    }
    return trail.extreme !== 0 && mark <= trail.stop
  }
  if (extreme === 0 ? activation === 0 || mark <= activation : mark < extreme) {
    trail.extreme = mark
    trail.stop = stopBehind(trail, side, mark)
  }
  return trail.extreme !== 0 && mark >= trail.stop
}
