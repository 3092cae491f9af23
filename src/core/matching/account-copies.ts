// A separate state with copies of a few accounts, used to compute the effects of an order. Orders,
// book and markets are those of the exchange and are only read. Copies have their own rows and
// numbers, so a row is valid only in its state. Accounts are named by their ids in the exchange.

import { owedFunding } from '../funding/settle-funding.ts'
import { takerPpmOf } from '../margin/fee-tier.ts'
import { DEFICIT, FEES, INSURANCE } from '../pools/account-pool.ts'
import type { Market } from '../state/market.ts'
import { State } from '../state/state.ts'

export class AccountCopies {
  readonly state: State
  /** Open interest of the market, including the simulated fills. */
  openInterest: number
  private readonly exchange: State
  private readonly market: Market
  /** The row in the market of each copied account. */
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

  /** Like `rowOf`, for an account with this row in another copy or in the exchange. */
  bring(account: number, from: State, row: number): number {
    return this.copy(account, from, from.positions.account[row]!)
  }

  private copy(account: number, from: State, number: number): number {
    const { positions, accounts } = this.state
    // Looks up the account's fees of today here, because they depend on volumes, which are not
    // copied.
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

  /** Links a row to the account's rows. Their order does not matter, because they are only
   *  summed. */
  private link(row: number): number {
    const { positions, accounts } = this.state
    const account = positions.account[row]!
    positions.nextOfAccount[row] = accounts.rows[account]!
    accounts.rows[account] = row
    return row
  }

  /** Creates a row for an account that has never used the market. */
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
