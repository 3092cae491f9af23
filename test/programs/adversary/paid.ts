// The fund does not pay twice for a scope whose positions could be placed, from events alone. After
// a payment that brings a scope to zero, the scope is watched until it holds nothing. A second
// payment before that is a fault if its positions could have been placed meanwhile: with the
// backstop where the market could not be acted in, otherwise with a counterparty, during more
// commands than there were scopes that waited for it (a command makes one deleveraging). An account
// that trades or deposits meanwhile may be healthy by its own means, and starts again.

import type { Event, EventOf } from '../../../src/core/index.ts'
import type { Ledger } from './ledger.ts'
import type { Purse } from './purse.ts'

type Paid = {
  readonly account: number
  readonly scope: number
  /** By which command. */
  readonly at: number
  /** Whether it kept a position in a market that could not be acted in, after that command. */
  kept: boolean
  /** After how many commands something that it held had takers. */
  takable: number
}

export class Payments {
  readonly faults: string[] = []
  /** Of those that still hold something, by scope. */
  private readonly open = new Map<string, Paid>()
  private readonly ledger: Ledger
  private readonly purse: Purse
  private command = 0

  constructor(ledger: Ledger, purse: Purse) {
    this.ledger = ledger
    this.purse = purse
  }

  /** After the ledger has heard it. */
  hear(event: Event): void {
    switch (event.type) {
      case 'InsurancePaid':
        this.hearPayment(event)
        break
      case 'Traded':
        if (event.cause === 'normal') this.forget(event.taker)
        this.forget(event.maker)
        break
      case 'Deposited':
        this.forget(event.account)
        break
      case 'Transferred':
        this.forget(event.to)
    }
  }

  private forget(account: number): void {
    for (const [name, paid] of this.open) if (paid.account === account) this.open.delete(name)
  }

  private hearPayment(event: EventOf<'InsurancePaid'>): void {
    const { account, scope } = event
    if (this.ledger.backstops.includes(account)) return
    const name = `${account} ${scope}`
    const before = this.open.get(name)
    if (before !== undefined && (before.kept || before.takable > this.open.size))
      this.faults.push(
        `command ${this.command + 1}: a second payment for account ${account}, scope ${scope}, ` +
          `which kept a position since command ${before.at}`,
      )
    if (this.isBroughtToZero(event))
      this.open.set(name, { account, scope, at: this.command + 1, kept: false, takable: 0 })
  }

  /** Whether the fund had enough: with too little, deleveraging shares out what is owed. */
  private isBroughtToZero({ account, scope, balance, wallet }: EventOf<'InsurancePaid'>): boolean {
    const { lots, cost, unitValue } = this.ledger
    const held = this.heldBy(account, scope)
    const unrealised = held.map((market) => {
      const value = lots[market]![account]! * this.purse.mark[market]! * unitValue[market]!
      return value - cost[market]![account]!
    })
    const money = scope === 0 ? balance : wallet
    return held.length > 0 && unrealised.reduce((sum, one) => sum + one, money) === 0
  }

  /** Markets in which the scope has a position. */
  private heldBy(account: number, scope: number): readonly number[] {
    const { lots } = this.ledger
    const all = [...lots.keys()].filter((market) => market !== 0 && lots[market]![account] !== 0)
    if (scope !== 0) return all.filter((market) => market === scope)
    return all.filter((market) => !this.purse.isIsolated(account, market))
  }

  /** After each command. */
  next(): void {
    this.command += 1
    for (const [name, paid] of this.open) {
      const held = this.heldBy(paid.account, paid.scope)
      if (held.length === 0) this.open.delete(name)
      else if (paid.at === this.command)
        paid.kept = held.some((market) => !this.purse.reachable[market])
      const takable = held.some(
        (market) => this.purse.reachable[market] && this.hasTaker(market, paid.account),
      )
      if (takable) paid.takable += 1
    }
  }

  /** An account with the opposite position and positive equity at the mark. Accounts with isolated
   *  positions are skipped: events do not say which money belongs to which. */
  private hasTaker(market: number, account: number): boolean {
    const { lots } = this.ledger
    const sign = Math.sign(lots[market]![account]!)
    return lots[market]!.some((held, other) => {
      if (Math.sign(held) !== -sign || this.purse.isIsolated(other, market)) return false
      return this.wealthOf(other) > 0
    })
  }

  private wealthOf(account: number): number {
    const { cash, lots, cost, unitValue } = this.ledger
    let wealth = cash[account]!
    for (const market of this.heldBy(account, 0))
      wealth +=
        lots[market]![account]! * this.purse.mark[market]! * unitValue[market]! -
        cost[market]![account]!
    const isMixed = lots.some((_, market) => this.purse.isIsolated(account, market))
    return isMixed ? 0 : wealth
  }
}
