// What must not happen in a market that is stale or that an operator restricts, from events alone:
// no match, trigger or liquidation step in a market that is not live; no takeover or deleveraging
// in one that is recovering, except for a scope that the fund has just paid for; no taker that adds
// where only reducing is allowed; and, in any market, no reduce-only order that adds.

import type { Event, EventOf } from '../../../src/core/index.ts'
import type { Liveness } from '../differential/audit/liveness.ts'

export class Lawful {
  readonly faults: string[] = []
  private readonly liveness: Liveness
  private readonly catching: boolean[] = []
  /** Accounts that the fund paid for by the present command. */
  private readonly paidFor = new Set<number>()
  private readonly reducing = new Set<number>()
  private command = 0

  constructor(liveness: Liveness) {
    this.liveness = liveness
  }

  next(): void {
    this.command += 1
    this.paidFor.clear()
  }

  hear(event: Event): void {
    switch (event.type) {
      case 'MarkUpdated':
        this.catching[event.market] = event.catchingUp
        break
      case 'InsurancePaid':
        this.paidFor.add(event.account)
        break
      case 'OrderPlaced':
        if (event.reduceOnly) this.reducing.add(event.order)
        break
      case 'Traded':
        this.hearTrade(event)
        break
      case 'StopTriggered':
      case 'LiquidationStepped':
        if (!this.liveness.isLively(event.market)) this.blame(event)
        break
      case 'BackstopTookOver':
      case 'Deleveraged':
        if (this.paidFor.has(event.account)) break
        if (!this.liveness.isLively(event.market) || this.catching[event.market]) this.blame(event)
        break
    }
  }

  private hearTrade(event: EventOf<'Traded'>): void {
    const { market, lots, takerClosed, makerClosed, takerOrder, makerOrder } = event
    if (!this.liveness.isLively(market)) this.blame(event)
    if (this.liveness.isReducing(market) && takerClosed < lots)
      this.faults.push(`command ${this.command}: a taker adds in market ${market}, reduce_only`)
    for (const [order, closed] of [
      [takerOrder, takerClosed],
      [makerOrder, makerClosed],
    ] as const)
      if (closed < lots && this.reducing.has(order))
        this.faults.push(`command ${this.command}: order ${order} adds, and is reduce-only`)
  }

  private blame({ type, market }: Event & { market: number }): void {
    const why = this.liveness.isLively(market) ? 'catches up' : 'is not lively'
    this.faults.push(`command ${this.command}: ${type} in market ${market}, which ${why}`)
  }
}
