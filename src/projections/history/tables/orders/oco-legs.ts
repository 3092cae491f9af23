// Legs of an OCO, each of which names the other one (TRIG-14), until one ends without the other.

import type { FedOutcome } from '../../chunk.ts'
import type { LiveOrder, OrderEvents } from './order-events.ts'

export class OcoLegs {
  private readonly events: OrderEvents
  private readonly onChange: (outcome: FedOutcome, leg: LiveOrder) => void
  /** Legs whose other leg was ended by this command. */
  private readonly parted = new Map<number, FedOutcome>()

  constructor(events: OrderEvents, onChange: (outcome: FedOutcome, leg: LiveOrder) => void) {
    this.events = events
    this.onChange = onChange
  }

  /** A leg that has ended meanwhile has no further events. */
  link(outcome: FedOutcome, id: number, other: number): void {
    const leg = this.events.live(id)
    if (leg.hasEnded()) return
    leg.oco = other
    this.onChange(outcome, leg)
  }

  /** The other leg of this one has ended. */
  ended(outcome: FedOutcome, id: number): void {
    this.parted.set(id, outcome)
  }

  /** At the end of a command: a leg that did not end with the other one is an independent order
   *  from now on. */
  settle(): void {
    if (this.parted.size === 0) return
    for (const [id, outcome] of this.parted) {
      const leg = this.events.live(id)
      if (leg.hasEnded() || leg.oco === null || !this.events.live(leg.oco).hasEnded()) continue
      leg.oco = null
      this.onChange(outcome, leg)
    }
    this.parted.clear()
  }
}
