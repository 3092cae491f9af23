// The armed trailing stops of one market, in no order. Each knows its place, so that one that ends
// leaves at once; a mark passes over all of them.

import { follow } from './trail.ts'
import type { Trigger } from './trigger.ts'

export class TrailingStops {
  private readonly triggers: Trigger[] = []

  get size(): number {
    return this.triggers.length
  }

  add(trigger: Trigger): void {
    trigger.trail!.place = this.triggers.length
    this.triggers.push(trigger)
  }

  /** Also of one that does not follow now. */
  remove(trigger: Trigger): void {
    const { place } = trigger.trail!
    if (place < 0) return
    trigger.trail!.place = -1
    const last = this.triggers.pop()!
    if (last === trigger) return
    this.triggers[place] = last
    last.trail!.place = place
  }

  /** All follow the mark; those that fire leave. */
  follow(mark: number): Trigger[] {
    const reached = this.triggers.filter(({ trail, side }) => follow(trail!, side, mark))
    for (const trigger of reached) this.remove(trigger)
    return reached
  }
}
