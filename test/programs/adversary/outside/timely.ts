// No order trades on a price before others can (ORDER-3, PRICE-6), from events alone. Every match
// runs on a price that was observed a moment ago. An order of a trader is matched after a tick
// whose price was observed after the order arrived. Orders of the exchange itself do not meet an
// order that took its place after that. Due work runs at its own time, between the previous command
// and the one that runs it; what it places counts from the previous command.

import type { Event, EventOf } from '../../../../src/core/index.ts'
import type { Plain } from '../../../support/venue/commands.ts'
import type { Venue } from '../../../support/venue/venue.ts'

const ofExchange: readonly string[] = ['liquidation', 'backstop']

export class Timely {
  readonly faults: string[] = []
  private readonly venue: Venue
  /** By market: when the price of its newest tick was observed. */
  private readonly observedAt: number[] = []
  /** By order. */
  private readonly arrivedAt: number[] = []
  private readonly restedAt: number[] = []
  private readonly forced = new Set<number>()
  private command = 0
  private now = 0
  private before = 0

  constructor(venue: Venue) {
    this.venue = venue
  }

  next(atMs: number): void {
    this.command += 1
    this.before = this.now
    this.now = atMs
    this.forced.clear()
  }

  hear(event: Event, command: Plain): void {
    switch (event.type) {
      case 'MarkUpdated':
        if (command.type === 'OracleTick')
          this.observedAt[event.market] = Number(command.observedAtMs)
        break
      case 'OrderPlaced':
        this.arrivedAt[event.order] = event.origin === 'algo' ? this.before : this.now
        if (ofExchange.includes(event.origin)) this.forced.add(event.order)
        break
      case 'OrderRested':
        this.restedAt[event.order] =
          this.arrivedAt[event.order] === this.now ? this.now : this.before
        break
      case 'Traded':
        this.check(event)
    }
  }

  private check({ market, takerOrder, makerOrder }: EventOf<'Traded'>): void {
    const observedAt = this.observedAt[market] ?? Number.NEGATIVE_INFINITY
    const { observedWithinMs } = this.venue.view.markets.get(market)!.params
    const since = this.forced.has(takerOrder)
      ? this.restedAt[makerOrder]!
      : this.arrivedAt[takerOrder]!
    if (this.now - observedAt > observedWithinMs)
      this.blame(takerOrder, `a price of ${this.now - observedAt} ms ago`)
    else if (!(since <= observedAt)) this.blame(takerOrder, 'a price observed too early')
  }

  private blame(order: number, why: string): void {
    this.faults.push(`command ${this.command}: order ${order} is matched on ${why}`)
  }
}
