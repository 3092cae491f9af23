// Depth that is shown can be hit (R9): an account that closed by a fill of its own, and has less
// than its positions and orders require, keeps no order that could add. Checked when all work that
// the fill left is done, unless a price has come before.

import type { EventOf } from '../../../src/core/index.ts'
import type { Requirement } from '../../../src/core/view/position-view.ts'
import type { Plain } from '../../support/venue/commands.ts'
import type { Venue } from '../../support/venue/venue.ts'

export class Shown {
  readonly faults: string[] = []
  private readonly venue: Venue
  private readonly closers = new Set<number>()
  private command = 0

  constructor(venue: Venue) {
    this.venue = venue
  }

  hear(trade: EventOf<'Traded'>): void {
    if (trade.takerClosed > 0 && trade.cause === 'normal') this.closers.add(trade.taker)
    if (trade.makerClosed > 0) this.closers.add(trade.maker)
  }

  /** Before the events of a command: those of a tick come after its price. */
  begin(command: Plain): void {
    if (command.type === 'OracleTick') this.closers.clear()
  }

  /** After the events of a command. */
  next(): void {
    this.command += 1
    if (this.closers.size === 0) return
    if (this.venue.view.hasWorkLeft) return
    for (const account of this.closers)
      if (this.isOverdrawn(account))
        this.faults.push(`command ${this.command}: account ${account} shows what it cannot carry`)
    this.closers.clear()
  }

  private isOverdrawn(account: number): boolean {
    const { accounts, positions } = this.venue.view
    if (accounts.isReserved(account)) return false
    const needs = this.venue.feeds.map(({ market }) => positions.requirementOf(account, market))
    if (!needs.some((need) => need !== null && couldAdd(need))) return false
    const required = needs.reduce((sum, need) => sum + (need?.requirement ?? 0), 0)
    return accounts.numbersOf(account).crossEquity < required
  }
}

/** If its orders were filled it would hold more. */
function couldAdd({ lots, buys, sells }: Requirement): boolean {
  return Math.max(lots + buys, sells - lots) > Math.abs(lots)
}
