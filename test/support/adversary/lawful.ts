// What may not happen in a market whose price nobody knows, seen in events: no match, trigger or
// liquidation step in one that is not live; no takeover or deleveraging in one that catches up,
// but for a scope that the fund has just paid for.

import type { Event } from '../../../src/core/index.ts'

export class Lawful {
  readonly faults: string[] = []
  private readonly live: boolean[] = []
  private readonly catching: boolean[] = []
  /** Accounts that the fund paid for by the present command. */
  private readonly paidFor = new Set<number>()
  private command = 0

  next(): void {
    this.command += 1
    this.paidFor.clear()
  }

  hear(event: Event): void {
    switch (event.type) {
      case 'MarketListed':
        this.live[event.market] = true
        break
      case 'FeedHealthChanged':
        this.live[event.market] = event.health === 'live'
        break
      case 'MarkUpdated':
        this.catching[event.market] = event.catchingUp
        break
      case 'InsurancePaid':
        this.paidFor.add(event.account)
        break
      case 'Traded':
      case 'StopTriggered':
      case 'LiquidationStepped':
        if (!this.live[event.market]) this.blame(event)
        break
      case 'BackstopTookOver':
      case 'Deleveraged':
        if (this.paidFor.has(event.account)) break
        if (!this.live[event.market] || this.catching[event.market]) this.blame(event)
        break
    }
  }

  private blame({ type, market }: Event & { market: number }): void {
    const why = this.live[market] ? 'catches up' : 'is not live'
    this.faults.push(`command ${this.command}: ${type} in market ${market}, which ${why}`)
  }
}
