// The armed trailing stops of one market, unordered. Each stores its place, so that it can be
// removed directly. Each mark visits all of them. The compared numbers are in arrays, because most
// marks leave most stops unchanged, or only move their best mark.

import { broken } from '../../units/invariant.ts'
import { grown } from '../pools/growing.ts'
import type { BestMarks } from './trail.ts'
import type { Trigger } from './trigger.ts'

/** The stop's best mark has moved, and its price has not been computed yet. */
const UNKNOWN = -1

export class TrailingStops implements BestMarks {
  private readonly triggers: Trigger[] = []
  private sides = new Uint8Array(8)
  /** Best marks; 0: not active. */
  private bests = new Float64Array(8)
  private stops = new Float64Array(8)

  get size(): number {
    return this.triggers.length
  }

  bestAt(place: number): number {
    return this.bests[place]!
  }

  add(trigger: Trigger): void {
    const place = this.triggers.length
    const { side, extreme } = trigger.trail!
    this.sides = grown(this.sides, place + 1)
    this.bests = grown(this.bests, place + 1)
    this.stops = grown(this.stops, place + 1)
    this.sides[place] = side
    this.bests[place] = extreme
    this.stops[place] = UNKNOWN
    this.triggers.push(trigger)
    trigger.trail!.join(this, place)
  }

  /** Also accepts a trigger that does not follow now. */
  remove(trigger: Trigger): void {
    const { place } = trigger.trail!
    if (place < 0) return
    trigger.trail!.leave()
    const { triggers, sides, bests, stops } = this
    if (triggers[place] !== trigger) broken('a trailing stop is not at its place', place)
    const last = triggers.pop()!
    if (last === trigger) return
    const from = triggers.length
    sides[place] = sides[from]!
    bests[place] = bests[from]!
    stops[place] = stops[from]!
    triggers[place] = last
    last.trail!.join(this, place)
  }

  /** Lets all stops follow the mark. Removes and returns those that fire. */
  follow(mark: number): Trigger[] {
    const { triggers, sides, bests, stops } = this
    const reached: Trigger[] = []
    for (let place = 0; place < triggers.length; place++) {
      const best = bests[place]!
      const isAsk = sides[place] === 1
      if (best === 0 ? triggers[place]!.trail!.begins(mark) : isAsk ? mark >= best : mark <= best) {
        bests[place] = mark
        stops[place] = UNKNOWN
      } else if (best !== 0) {
        if (stops[place] === UNKNOWN) stops[place] = triggers[place]!.trail!.stop
        if (isAsk ? mark <= stops[place]! : mark >= stops[place]!) reached.push(triggers[place]!)
      }
    }
    for (const trigger of reached) this.remove(trigger)
    return reached
  }
}
