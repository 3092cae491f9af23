// A stop that follows the best mark and fires on the way back (TRIG-11). Its price follows from the
// marks since its activation, so no event has it.

import { mulPpmCeil, mulPpmFloor } from '../../units/rounding.ts'
import { PPM } from '../../units/units.ts'
import type * as commands from '../commands/commands.ts'

/** The best marks of stops that follow the mark of their market, by place. */
export type BestMarks = Readonly<{ bestAt(place: number): number }>

export class Trail {
  /** Of its stop: 0 bid, 1 ask. */
  readonly side: number
  /** How far the stop is from the extreme: ticks, or 0 and a share of it. */
  readonly distance: number
  readonly ppm: number
  /** From this mark on it is active; 0: immediately. */
  readonly activation: number
  /** Among those that follow the mark of their market; −1: it does not now. */
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

  /** The best mark since it is active; 0: it is not. */
  get extreme(): number {
    return this.place < 0 ? this.best : this.marks!.bestAt(this.place)
  }

  /** Where it fires then. */
  get stop(): number {
    const { extreme } = this
    return extreme === 0 ? 0 : stopBehind(this, this.side, extreme)
  }

  /** Whether it is active from this mark on. */
  begins(mark: number): boolean {
    const { side, activation } = this
    return activation === 0 || (side === 1 ? mark >= activation : mark <= activation)
  }

  /** The mark of when it is set, or armed. */
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

/** Where a stop of this side (0 bid, 1 ask) fires that is so far behind this mark; 0: nowhere. */
export function stopBehind({ distance, ppm }: Behind, side: number, mark: number): number {
  if (side === 1) return distance ? Math.max(0, mark - distance) : mulPpmFloor(mark, PPM - ppm!)
  return distance ? mark + distance : mark + mulPpmCeil(mark, ppm!)
}
