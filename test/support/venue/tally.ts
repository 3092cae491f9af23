// Counts what happened on a day, from events: which accounts were liquidated and with what, what
// went through the book, to the backstops, to the fund, and to traders on the other side.

import type { Event, EventLog } from '../../../src/core/index.ts'
import type { Venue } from './venue.ts'

export class Tally {
  /** Equity when the account's liquidation first began. */
  readonly liquidated = new Map<number, number>()
  steps = 0
  stepValue = 0
  takeovers = 0
  takenValue = 0
  insurancePaid = 0
  deficit = 0
  deleveraged = 0
  /** At the price of the transfer. */
  deleveragedValue = 0
  private readonly venue: Venue

  constructor(venue: Venue) {
    this.venue = venue
    venue.listeners.push((_, log) => this.hear(log))
  }

  private hear(log: EventLog): void {
    const { kindAt, kindOfEvent, nextAfter } = this.venue.edition.core
    for (let at = 0; at < log.end; at = nextAfter(log.rows, at)) {
      const kind = kindAt(log.rows, at)
      if (counted.some((type) => kind === kindOfEvent(type))) this.count(log.read(at))
    }
  }

  private count(event: Event): void {
    switch (event.type) {
      case 'LiquidationStarted':
        if (!this.liquidated.has(event.account)) this.liquidated.set(event.account, event.equity)
        break
      case 'LiquidationStepped':
        this.steps += 1
        break
      case 'Traded':
        if (event.cause === 'market_liquidation') this.stepValue += event.value
        break
      case 'BackstopTookOver':
        this.takeovers += 1
        this.takenValue += event.value
        break
      case 'InsurancePaid':
        this.insurancePaid += event.amount
        break
      case 'Deleveraged':
        this.deleveraged += 1
        break
      case 'Filled':
        if (event.cause === 'deleverage' && event.role === 'taker')
          this.deleveragedValue += event.value
        break
      case 'DeficitBooked':
        this.deficit += event.amount
        break
    }
  }
}

const counted = [
  'LiquidationStarted',
  'LiquidationStepped',
  'Traded',
  'Filled',
  'BackstopTookOver',
  'InsurancePaid',
  'Deleveraged',
  'DeficitBooked',
] as const
