// Liquidation cannot be starved (R3): with U scopes unhealthy after a tick, each has had its turn,
// and the takeover that its turn began, within ⌈U ÷ 64⌉ + 2 commands, including that of the tick. A
// world finishes the work that a tick has left before any other account acts, so that the bound is
// exactly this property's. If an account acts before the bound is reached, all work was finished,
// and the check is made then. A scope may wait longer where the rules say so: it owes more than the
// fund may pay; its step needs a fresh price (LIQ-3); or its backstops are full and no account
// holds the opposite position, so that it cannot be deleveraged. Checked after ticks that move the
// mark by half a percent, and after every tenth of the others, because the check visits every
// account with a position.

import { type Event, INSURANCE } from '../../../src/core/index.ts'
import type { Quote } from '../../../src/units/units.ts'
import type { Plain } from '../../support/venue/commands.ts'
import type { Venue } from '../../support/venue/venue.ts'
import type { Ledger } from './ledger.ts'
import type { Purse } from './purse.ts'

const every = 10
const moved = 0.005
/** Scopes that one command serves. */
const units = 64
const spare = 2
const dayMs = 86_400_000

/** At its turn `owes`: it had less than nothing; `steps`: it had two thirds of maintenance. */
type Scope = Readonly<{
  account: number
  market: number
  isolated: boolean
  owes?: boolean
  steps?: boolean
}>

type Health = Readonly<{ equity: number; maintenance: number }>
/** The most that a backstop had today. */
type Peak = Readonly<{ day: number; equity: number }>

export class Served {
  readonly faults: string[] = []
  private readonly venue: Venue
  private readonly ledger: Ledger
  private readonly purse: Purse
  private readonly marks: number[] = []
  /** By market: when its last price was observed, and its backstop's best of the day. */
  private readonly observedAt: number[] = []
  private readonly peaks: Peak[] = []
  private ticks = 0
  private commands = 0
  private deadline = 0
  /** Unhealthy scopes that have not had their turn, by name. */
  private readonly waiting = new Map<string, Scope>()
  /** Scopes whose turn began a takeover that has not come. */
  private readonly owed = new Map<string, Scope>()
  /** Scopes that had their turn since time advanced. */
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
        const { account, scope, equity, maintenance } = event
        const name = this.serve(account, scope)
        this.turns += 1
        const had = { owes: equity < 0, steps: 3 * equity >= 2 * maintenance }
        this.owed.set(name, { account, market: scope, isolated: scope !== 0, ...had })
        break
      }
      case 'LiquidationStepped':
      case 'BackstopTookOver':
      case 'Deleveraged':
        this.owed.delete(nameOf(event.account, 0))
        this.owed.delete(nameOf(event.account, event.market))
        break
      case 'InsurancePaid':
        this.serve(event.account, event.scope)
        this.owed.delete(nameOf(event.account, event.scope))
    }
  }

  private serve(account: number, scope: number): string {
    const name = nameOf(account, scope)
    this.waiting.delete(name)
    this.served.add(name)
    return name
  }

  /** After the events of a command. */
  next(command: Plain): void {
    this.commands += 1
    const isClock = command.type === 'Tick' || command.type === 'OracleTick'
    if (this.deadline !== 0 && (this.commands >= this.deadline || !isClock)) this.look()
    if (command.type === 'OracleTick') {
      this.observedAt[Number(command.market)] = Number(command.observedAtMs)
      this.noteTick(Number(command.market))
    }
    if (this.deadline === 0) this.owed.clear()
  }

  private noteTick(market: number): void {
    const mark = this.venue.markOf(market)
    const before = this.marks[market] ?? mark
    this.marks[market] = mark
    this.notePeak(market)
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
      ['takeover', this.owed],
    ] as const)
      for (const scope of scopes.values())
        if (this.isDue(scope) && !this.mayWait(scope))
          this.faults.push(
            `command ${this.commands}: account ${scope.account} waits for its ${what}`,
          )
    this.waiting.clear()
    this.owed.clear()
    this.deadline = 0
  }

  private mayWait(scope: Scope): boolean {
    if (scope.owes ?? this.healthOf(scope).equity < 0) return this.isFundEmpty()
    if (scope.steps === true && this.isPriceOld(scope)) return true
    return this.reachableOf(scope).every(
      (market) => this.isFull(scope, market) && !this.hasOpposite(scope, market),
    )
  }

  /** The price at which its step would be made is not fresh: the next tick gives it its turn. */
  private isPriceOld({ account, market, isolated }: Scope): boolean {
    const { markets, positions } = this.venue.view
    let [largest, inMarket] = [-1, market]
    for (const { market: each } of this.venue.feeds) {
      const holding = positions.holdingOf(account, each)
      const listed = markets.get(each)!
      if (holding === null || holding.isolated !== isolated || !listed.hasLivePrice) continue
      const needed = listed.maintenanceOf((Math.abs(holding.lots) * listed.lotValue) as Quote)
      if (isolated || needed <= largest) continue
      largest = needed
      inMarket = each
    }
    const { observedWithinMs } = markets.get(inMarket)!.params
    return this.venue.now - this.observedAt[inMarket]! > observedWithinMs
  }

  /** The market's backstop takes nothing of it (LIQ-4). Its loss is counted from its peak of the
   *  day, as far as this check has seen it. */
  private isFull({ account }: Scope, market: number): boolean {
    const { markets, positions } = this.venue.view
    const { backstop, lotValue, params } = markets.get(market)!
    const sign = Math.sign(positions.lotsOf(account, market))
    const room = Math.floor(params.backstopValueMax / lotValue)
    if (room <= sign * positions.lotsOf(backstop, market)) return true
    const lost = (this.peaks[market]?.equity ?? 0) - this.venue.equityOf(backstop)
    return lost > params.backstopDailyLossMax
  }

  private notePeak(market: number): void {
    const day = Math.floor(this.venue.now / dayMs)
    const equity = this.venue.equityOf(this.venue.view.markets.get(market)!.backstop)
    const peak = this.peaks[market]
    if (peak?.day === day && peak.equity >= equity) return
    this.peaks[market] = { day, equity }
  }

  /** An account with the opposite position has equity at the mark: it can be deleveraged. */
  private hasOpposite({ account }: Scope, market: number): boolean {
    const { accounts, positions } = this.venue.view
    const lots = this.ledger.lots[market]!
    const sign = Math.sign(lots[account]!)
    return lots.some((held, other) => {
      if (Math.sign(held) !== -sign) return false
      const { isolated } = positions.holdingOf(other, market)!
      if (isolated) return this.healthOf({ account: other, market, isolated }).equity >= 0
      return accounts.numbersOf(other).crossEquity >= 0
    })
  }

  private isFundEmpty(): boolean {
    const { max, paid } = this.venue.view.money.fundToday
    return paid >= max || this.ledger.cash[INSURANCE]! <= 0
  }

  /** Unhealthy, with something that can be acted on. */
  private isDue(scope: Scope): boolean {
    if (this.reachableOf(scope).length === 0) return false
    const { equity, maintenance } = this.healthOf(scope)
    return equity < maintenance
  }

  /** Markets of its positions that can be acted on. */
  private reachableOf({ account, market, isolated }: Scope): readonly number[] {
    const { positions } = this.venue.view
    return this.venue.feeds
      .map((feed) => feed.market)
      .filter((each) => !isolated || each === market)
      .filter((each) => this.purse.reachable[each] && this.ledger.lots[each]![account] !== 0)
      .filter((each) => positions.holdingOf(account, each)?.isolated === isolated)
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
