// Messages on their way, and the order in which they stay.

import type { Leg } from './latency-plan.ts'
import type { Traits } from './matching.ts'

/** Messages of one connection in one direction, which stay in order. */
export class Direction {
  private lastUs = 0
  private pending = 0
  private era = 0

  /** When a message that is due at this time arrives; `null` for now. `era`: changes when engine
   *  time goes back and all messages are dropped. */
  dueAt(dueUs: number, nowUs: number, era: number): number | null {
    if (era !== this.era) [this.lastUs, this.pending, this.era] = [0, 0, era]
    const at = Math.max(dueUs, this.lastUs)
    if (at <= nowUs && this.pending === 0) return null
    this.lastUs = at
    this.pending += 1
    return at
  }

  arrived(era: number): void {
    if (era === this.era) this.pending -= 1
  }
}

/** A message on its way. `fromUs`: when it was sent. */
export type Sent = Readonly<{
  leg: Leg
  traits: Traits
  fromUs: number
  /** Delay of a fault. */
  moreUs?: number
  direction: Direction | null
}>
