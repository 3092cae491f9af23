// Liquidation cannot be starved (R3): with U scopes unhealthy after a tick each has had its turn,
// and its takeover where the turn asked for one, within ⌈U ÷ 64⌉ + 2 commands, the tick's own among
// them. A world works off what a tick has left before anybody else acts, so the bound is the
// property's own; where somebody acts before it is reached, everything was worked off, and it is
// looked at then. Whoever owes more than the fund may pay waits for deleveraging, and is left out;
// so is whoever has next to nothing, for whom that comes where a backstop is full.
// Asked after ticks that move the mark by half a percent, and every tenth other
// one, because it asks about everyone who holds something.

import { type Event, INSURANCE } from '../../../src/core/index.ts'
import type { Quote } from '../../../src/units/units.ts'
import type { Plain } from '../venue/commands.ts'
import type { Venue } from '../venue/venue.ts'
import type { Ledger } from './ledger.ts'
import type { Purse } from './purse.ts'

const every = 10
const moved = 0.005
/** Scopes that one command serves. */
const units = 64
const spare = 2
/** Below this part of maintenance nobody waits for a full backstop (LIQ-4). */
const thinParts = 8

/** `owes`: it had less than nothing at its turn. */
type Scope = Readonly<{ account: number; market: number; isolated: boolean; owes?: boolean }>

type Health = Readonly<{ equity: number; maintenance: number }>
type Apart = Readonly<{ ahead: number; behind: number }>

export class Served {
  readonly faults: string[] = []
  private readonly venue: Venue
  private readonly ledger: Ledger
  private readonly purse: Purse
  private readonly marks: number[] = []
  private ticks = 0
  private commands = 0
  private deadline = 0
  /** Unhealthy scopes that have not had their turn, by name. */
  private readonly waiting = new Map<string, Scope>()
  /** Scopes whose turn asked for a takeover that has not come. */
  private readonly asked = new Map<string, Scope>()
  /** Since time went on: who had his turn. */
  private readonly served = new Set<string>()
  private servedAt = 0
  private turns = 0

  constructor(venue: Venue, ledger: Ledger, purse: Purse) {
    this.venue = venue
    this.ledger = ledger
    this.purse = purse
  }

  /** Before the events of a command. */
  begin(): void {
    if (this.venue.now !== this.servedAt) this.served.clear()
    this.servedAt = this.venue.now
    this.turns = 0
  }

  hear(event: Event): void {
    switch (event.type) {
      case 'LiquidationStarted': {
        const { account, scope, equity } = event
        const name = this.serve(account, scope)
        this.turns += 1
        this.asked.set(name, { account, market: scope, isolated: scope !== 0, owes: equity < 0 })
        break
      }
      case 'LiquidationStepped':
      case 'BackstopTookOver':
      case 'Deleveraged':
        this.asked.delete(nameOf(event.account, 0))
        this.asked.delete(nameOf(event.account, event.market))
        break
      case 'InsurancePaid':
        this.serve(event.account, event.scope)
        this.asked.delete(nameOf(event.account, event.scope))
    }
  }

  private serve(account: number, scope: number): string {
    const name = nameOf(account, scope)
    this.waiting.delete(name)
    this.served.add(name)
    return name
  }

  /** After a command, with what it told. */
  next(command: Plain): void {
    this.commands += 1
    const isClock = command.type === 'Tick' || command.type === 'OracleTick'
    if (this.deadline !== 0 && (this.commands >= this.deadline || !isClock)) this.look()
    if (command.type === 'OracleTick') this.noteTick(Number(command.market))
    if (this.deadline === 0) this.asked.clear()
  }

  private noteTick(market: number): void {
    const mark = this.venue.markOf(market)
    const before = this.marks[market] ?? mark
    this.marks[market] = mark
    const isLeap = Math.abs(mark - before) >= moved * before
    if (!isLeap && ++this.ticks % every !== 0) return
    if (!this.purse.reachable[market]) return
    for (const scope of this.holders(market)) {
      const name = nameOf(scope.account, scope.isolated ? market : 0)
      if (!this.served.has(name) && this.isDue(scope)) this.waiting.set(name, scope)
    }
    const count = this.turns + this.waiting.size
    const most = this.commands + Math.ceil(count / units) + spare - 1
    if (count > 0) this.deadline = Math.max(this.deadline, most)
  }

  private holders(market: number): readonly Scope[] {
    const { accounts, positions } = this.venue.view
    const found: Scope[] = []
    for (const [account, lots] of this.ledger.lots[market]!.entries())
      if (lots !== undefined && lots !== 0 && !accounts.isReserved(account)) {
        const isolated = positions.holdingOf(account, market)!.isolated
        found.push({ account, market, isolated })
      }
    return found
  }

  private look(): void {
    for (const [what, scopes] of [
      ['turn', this.waiting],
      ['takeover', this.asked],
    ] as const)
      for (const scope of scopes.values())
        if (this.isDue(scope) && !this.mayWait(scope))
          this.faults.push(
            `command ${this.commands}: account ${scope.account} waits for its ${what}`,
          )
    this.waiting.clear()
    this.asked.clear()
    this.deadline = 0
  }

  /** It is left to deleveraging, one for a run of reactions. */
  private mayWait(scope: Scope): boolean {
    const { equity, maintenance } = this.healthOf(scope)
    const { ahead, behind } = this.apartOf(scope)
    // Nobody else pays for what a mark is behind the oracle by.
    if (scope.owes === true) return this.isFundEmpty() || equity + behind >= 0
    return (equity - ahead) * thinParts < maintenance
  }

  /** What its positions are worth at mark beyond the oracle, and at the oracle beyond the mark. */
  private apartOf({ account, market, isolated }: Scope): Apart {
    const { markets, positions } = this.venue.view
    const apart = { ahead: 0, behind: 0 }
    for (const feed of this.venue.feeds) {
      const holding = positions.holdingOf(account, feed.market)
      if (holding === null || holding.isolated !== isolated) continue
      if (isolated && feed.market !== market) continue
      const { mark, oracle, lotValue } = markets.get(feed.market)!
      const more = holding.lots * lotValue * (1 - oracle / 1_000_000 / mark)
      if (more > 0) apart.ahead += more
      else apart.behind -= more
    }
    return apart
  }

  private isFundEmpty(): boolean {
    const { max, paid } = this.venue.view.money.fundToday
    return paid >= max || this.ledger.cash[INSURANCE]! <= 0
  }

  /** Unhealthy, with something that can be acted on. */
  private isDue(scope: Scope): boolean {
    if (!this.isReachable(scope)) return false
    const { equity, maintenance } = this.healthOf(scope)
    return equity < maintenance
  }

  private isReachable({ account, market, isolated }: Scope): boolean {
    const { positions } = this.venue.view
    if (isolated)
      return positions.holdingOf(account, market) !== null && this.purse.reachable[market]!
    return this.venue.feeds.some(
      (feed) =>
        this.purse.reachable[feed.market] &&
        this.ledger.lots[feed.market]![account] !== 0 &&
        positions.holdingOf(account, feed.market)?.isolated === false,
    )
  }

  private healthOf({ account, market, isolated }: Scope): Health {
    const { accounts, markets, positions } = this.venue.view
    if (!isolated) {
      const { crossEquity, crossMaintenance } = accounts.numbersOf(account)
      return { equity: crossEquity, maintenance: crossMaintenance }
    }
    const { lots, wallet, cost } = positions.holdingOf(account, market)!
    const listed = markets.get(market)!
    const maintenance = listed.maintenanceOf((Math.abs(lots) * listed.lotValue) as Quote)
    return { equity: wallet + lots * listed.lotValue - cost, maintenance }
  }
}

function nameOf(account: number, scope: number): string {
  return `${account} ${scope}`
}
