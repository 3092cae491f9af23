// Liquidation cannot be starved: whoever is unhealthy after a tick has his turn within a few
// commands, however much else is queued. Looked at after every twentieth tick only, because it asks
// about every account.

import type { Event } from '../../../src/core/index.ts'
import type { Venue } from '../venue/venue.ts'

const every = 20
/** Scopes that one command serves; each may need a turn and a takeover. */
const units = 64
const spare = 3

export class Served {
  readonly faults: string[] = []
  private readonly venue: Venue
  private ticks = 0
  private commands = 0
  private deadline = 0
  /** Whose tick is looked at. */
  private market = 0
  private readonly waiting = new Set<number>()
  /** By the present command. */
  private readonly served = new Set<number>()

  constructor(venue: Venue) {
    this.venue = venue
  }

  /** After a command, with what it told. `ticked`: the market whose price it brought, or 0. */
  next(ticked: number): void {
    this.commands += 1
    if (this.waiting.size > 0 && this.commands >= this.deadline) this.look()
    if (ticked !== 0 && this.waiting.size === 0 && ++this.ticks % every === 0) this.note(ticked)
    this.served.clear()
  }

  hear(event: Event): void {
    switch (event.type) {
      case 'LiquidationStarted':
      case 'BackstopTookOver':
      case 'InsurancePaid':
      case 'Deleveraged':
        this.waiting.delete(event.account)
        this.served.add(event.account)
    }
  }

  private note(market: number): void {
    const { accounts } = this.venue.view
    this.market = market
    for (let account = 1; account <= accounts.count; account++)
      if (!this.served.has(account) && this.isDue(account)) this.waiting.add(account)
    this.deadline = this.commands + Math.ceil((2 * this.waiting.size) / units) + spare
  }

  private look(): void {
    for (const account of this.waiting)
      if (this.isDue(account))
        this.faults.push(`command ${this.commands}: account ${account} waits for its liquidation`)
    this.waiting.clear()
  }

  /** Unhealthy, with a cross position that the tick has put before liquidation. */
  private isDue(account: number): boolean {
    const { accounts, markets, positions } = this.venue.view
    if (accounts.isReserved(account)) return false
    if (markets.get(this.market)!.status !== 'live') return false
    if (positions.holdingOf(account, this.market)?.isolated !== false) return false
    if (positions.lotsOf(account, this.market) === 0) return false
    const { crossEquity, crossMaintenance } = accounts.numbersOf(account)
    return crossEquity < crossMaintenance
  }
}
