// Legs of an OCO. Each has the id of the other leg (TRIG-14), until one ends without the other.

import type { FedOutcome } from '../../chunk.ts'
import type { LiveOrder, OrderEvents } from './order-events.ts'

export class OcoLegs {
  private readonly events: OrderEvents
  private readonly onChange: (outcome: FedOutcome, leg: LiveOrder) => void
  /** Legs whose other leg ended in this command. */
  private readonly parted = new Map<number, FedOutcome>()

  constructor(events: OrderEvents, onChange: (outcome: FedOutcome, leg: LiveOrder) => void) {
    this.events = events
    this.onChange = onChange
  }

  /** Links a leg. A leg that has already ended is not changed. */
  link(outcome: FedOutcome, id: number, other: number): void {
    const leg = this.events.live(id)
    if (leg.hasEnded()) return
    leg.oco = other
    this.onChange(outcome, leg)
  }

  /** Called when the other leg of this one has ended. */
  ended(outcome: FedOutcome, id: number): void {
    this.parted.set(id, outcome)
  }

  /** Called at the end of a command. Unlinks legs that did not end together with their other
   *  leg. */
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
