// A stop that follows the best mark and fires when the mark turns back (TRIG-11). Its price is
// derived from the marks since its activation, so events do not contain it.

import { mulPpmCeil, mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import type * as commands from '../commands/commands.ts'

/** The best marks of stops that follow the mark of their market, by place. */
export type BestMarks = Readonly<{ bestAt(place: number): number }>

export class Trail {
  /** Side of the stop: 0 bid, 1 ask. */
  readonly side: number
  /** Distance of the stop from the best mark: in ticks, or 0 and a share in ppm. */
  readonly distance: number
  readonly ppm: number
  /** The mark from which it is active; 0: immediately. */
  readonly activation: number
  /** Its place among the trailing stops of its market; −1 while it does not follow. */
  place = -1
  private marks: BestMarks | null = null
  private best: number

  constructor(side: number, plan: commands.Trail, extreme: number) {
    this.side = side
    this.distance = plan.distance ?? 0
    this.ppm = plan.ppm ?? 0
    this.activation = plan.activation ?? 0
    this.best = extreme
  }

  /** The best mark since its activation, or 0 while it is not active. */
  get extreme(): number {
    return this.place < 0 ? this.best : this.marks!.bestAt(this.place)
  }

  /** The price at which it fires. */
  get stop(): number {
    const { extreme } = this
    return extreme === 0 ? 0 : stopBehind(this, this.side, extreme)
  }

  /** Whether this mark activates it. */
  begins(mark: number): boolean {
    const { side, activation } = this
    return activation === 0 || (side === 1 ? mark >= activation : mark <= activation)
  }

  /** Starts from the mark at the time when it is set or armed. */
  start(mark: number): void {
    if (this.begins(mark)) this.best = mark
  }

  join(marks: BestMarks, place: number): void {
    this.marks = marks
    this.place = place
  }

  leave(): void {
    this.best = this.extreme
    this.place = -1
  }
}

type Behind = Readonly<{ distance: number | null; ppm: number | null }>

/** The price at which a stop of this side (0 bid, 1 ask) at this distance from the mark fires, or 0
 *  if there is none. */
export function stopBehind({ distance, ppm }: Behind, side: number, mark: number): number {
  if (side === 1) return distance ? Math.max(0, mark - distance) : mulPpmFloor(mark, PPM - ppm!)
  return distance ? mark + distance : mark + mulPpmCeil(mark, ppm!)
}
