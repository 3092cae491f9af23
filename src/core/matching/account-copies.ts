// A separate state with copies of a few accounts, to compute the effects of an order. Orders, book
// and markets are those of the exchange and are only read. Copies have their own rows and numbers,
// so a row is valid only in its state; accounts are named as in the exchange.

import { owedFunding } from '../funding/settle-funding.ts'
import { takerPpmOf } from '../margin/fee-tier.ts'
import { DEFICIT, FEES, INSURANCE } from '../pools/account-pool.ts'
import type { Market } from '../state/market.ts'
import { State } from '../state/state.ts'

export class AccountCopies {
  readonly state: State
  /** Of the market, with what was tried so far. */
  openInterest: number
  private readonly exchange: State
  private readonly market: Market
  /** The row in the market of each account that was copied. */
  private readonly rows = new Map<number, number>()

  constructor({ exchange }: State, market: Market) {
    this.exchange = exchange
    this.market = market
    this.openInterest = market.openInterest
    const state = new State(exchange.feeTiers)
    state.exchange = exchange
    state.orders = exchange.orders
    state.levels = exchange.levels
    state.markets = exchange.markets
    state.atMs = exchange.atMs
    state.commandAtMs = exchange.commandAtMs
    state.day = exchange.day
    state.mode = exchange.mode
    state.clockFrozen = exchange.clockFrozen
    state.rulesVersion = exchange.rulesVersion
    state.rules = exchange.rules
    this.state = state
    for (const reserve of [FEES, INSURANCE, DEFICIT])
      state.accounts.copy(exchange.accounts, reserve)
  }

  /** The account's row in the market. The account is copied on first use, with its funding
   *  settled. */
  rowOf(account: number): number {
    const found = this.rows.get(account)
    if (found !== undefined) return found
    return this.copy(account, this.exchange, account)
  }

  /** The same for an account that another copies, or the exchange, has under this row. */
  bring(account: number, from: State, row: number): number {
    return this.copy(account, from, from.positions.account[row]!)
  }

  private copy(account: number, from: State, number: number): number {
    const { positions, accounts } = this.state
    // Its fees of today are known from here on: they come from volumes, which are not copied.
    if (from === this.exchange) takerPpmOf(from, number)
    const copied = accounts.copy(from.accounts, number)
    const { nextOfAccount, market: marketOf } = from.positions
    let own = 0
    for (let row = from.accounts.rows[number]!; row !== 0; row = nextOfAccount[row]!) {
      const market = this.exchange.markets[marketOf[row]!]!
      const made = this.link(positions.copy(from.positions, row, copied))
      if (from === this.exchange) this.settleFunding(market, row, made)
      if (market === this.market) own = made
    }
    if (own === 0) own = this.link(this.emptyRow(copied))
    this.rows.set(account, own)
    return own
  }

  /** Among the account's rows, in any order: they are only added up. */
  private link(row: number): number {
    const { positions, accounts } = this.state
    const account = positions.account[row]!
    positions.nextOfAccount[row] = accounts.rows[account]!
    accounts.rows[account] = row
    return row
  }

  /** For an account that never touched the market. */
  private emptyRow(copied: number): number {
    const { positions, accounts } = this.state
    const row = positions.take(copied, this.market.id)
    const isolated = this.market.params.isolatedOnly && accounts.reserved[copied] === 0
    positions.isolated[row] = isolated ? 1 : 0
    return row
  }

  private settleFunding(market: Market, row: number, made: number): void {
    const { positions, accounts } = this.state
    const payment = owedFunding(this.exchange, market, row)
    if (positions.isolated[made] === 1) positions.wallet[made] = positions.wallet[made]! + payment
    else {
      const account = positions.account[made]!
      accounts.balance[account] = accounts.balance[account]! + payment
    }
  }
}
