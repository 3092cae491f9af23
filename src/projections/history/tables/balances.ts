// The ledger: a row for each change of an account's money, with the balance after it from the
// event. The amounts of an account's rows add up to its balance. A row also has the position that
// changed, from which past equity is computed (portfolio.ts). The accounts of the exchange have
// rows too: fees (fee-rows.ts), the insurance fund, and the deficit.

import { columnsOf, DEFICIT, type EventOf, FEES, INSURANCE } from '../../../core/index.ts'
import type { BalanceEvent } from '../../../protocol/words.ts'
import type { FedOutcome, Trade } from '../chunk.ts'
import type { Database, NewestRow, Projection, Retention } from '../projection.ts'
import type { Holding } from './account-money.ts'
import type { Accounts } from './accounts.ts'
import { type FeeRow, FeeRows } from './fee-rows.ts'
import { LedgerRows } from './ledger-rows.ts'

const listed = columnsOf('MarketListed')

/** The state at the beginning of a partial history: markets, accounts, and a row per open
 *  position. */
export type Opening = Readonly<{
  atMs: number
  markets: readonly Readonly<{
    market: number
    backstop: number
    unitValue: number
    oracle: number
    mark: number
    openInterest: number
  }>[]
  accounts: readonly Readonly<{ account: number; balance: number; pending: number }>[]
  positions: readonly Readonly<{ account: number; market: number } & Holding>[]
}>

/** Values by market; `null` if unknown. */
type ByMarket = (number | null)[]
type Mark = NewestRow &
  Readonly<{ feeRow: FeeRow | null; backstops: ByMarket; unitValues: ByMarket }>

export class Balances implements Projection<Mark> {
  readonly reads = {
    MarketListed: ({ rows }, at) => {
      const market = rows[at + listed.market]!
      this.backstops[market] = rows[at + listed.backstop]!
      this.unitValues[market] = rows[at + listed.unitValue]!
    },
    Deposited: (outcome, at) => {
      const { account, amount, balance, pending, deficit } = outcome.event('Deposited', at)
      if (account === INSURANCE) return this.fund(outcome, 'deposit', { fund: balance, deficit })
      this.ledger.add(outcome, { account, event: 'deposit', balance, pending, flow: amount })
    },
    WithdrawalRequested: (outcome, at) => {
      const { account, amount, ...after } = moneyIn(outcome.event('WithdrawalRequested', at))
      this.ledger.add(outcome, { account, event: 'withdraw', ...after, flow: -amount })
    },
    WithdrawalFailed: (outcome, at) => {
      const { account, amount, ...after } = moneyIn(outcome.event('WithdrawalFailed', at))
      this.ledger.add(outcome, { account, event: 'withdraw_failed', ...after, flow: amount })
    },
    WithdrawalCompleted: (outcome, at) => {
      const { account, amount: _, ...after } = moneyIn(outcome.event('WithdrawalCompleted', at))
      this.ledger.add(outcome, { account, event: 'withdraw_completed', ...after })
    },
    Transferred: (outcome, at) => {
      const { from, to, amount, ...after } = outcome.event('Transferred', at)
      const event = 'subaccount_transfer'
      const { fromBalance: balance, fromPending: pending } = after
      this.ledger.add(outcome, { account: from, event, balance, pending, flow: -amount })
      const got = { balance: after.toBalance, pending: after.toPending, flow: amount }
      this.ledger.add(outcome, { account: to, event, ...got })
    },
    ReserveMoved: (outcome, at) => {
      const { from, to, amount, ...after } = outcome.event('ReserveMoved', at)
      const gave = { account: from, balance: after.fromBalance, pending: after.fromPending }
      const got = { account: to, balance: after.toBalance, pending: after.toPending }
      this.reserve(outcome, { ...gave, flow: -amount })
      this.reserve(outcome, { ...got, flow: amount })
    },
    FeesShared: (outcome, at) => {
      const shared = outcome.event('FeesShared', at)
      this.fees.move(outcome, shared.fees, this.ledger.nextId)
      this.fund(outcome, 'reserve_transfer', shared)
    },
    IsolatedMarginMoved: (outcome, at) => {
      const { account, market, balance, ...position } = outcome.event('IsolatedMarginMoved', at)
      const { wallet, lots, cost } = position
      const after = { market, balance, position: { wallet, lots, cost } }
      this.ledger.add(outcome, { account, event: 'isolated_margin', ...after })
    },
    Traded: (outcome, at) => this.trade(outcome, outcome.traded(at)),
    LiquidationFeePaid: (outcome, at) =>
      this.fund(outcome, 'market_liquidation', outcome.event('LiquidationFeePaid', at)),
    Filled: (outcome, at) => {
      const { account, market, cause, balance, wallet, ...fill } = outcome.event('Filled', at)
      const position = { lots: fill.positionLots, cost: fill.positionCost, wallet }
      const after = { market, balance, position, realized: fill.pnl }
      this.ledger.add(outcome, { account, event: eventOf(cause), ...after })
    },
    FundingClosed: (outcome, at) =>
      this.fund(outcome, 'funding', outcome.event('FundingClosed', at)),
    FundingPaid: (outcome, at) => {
      const { account, market, balance, ...after } = outcome.event('FundingPaid', at)
      const { lots, cost, wallet } = after
      const position = { lots, cost, wallet }
      this.ledger.add(outcome, { account, event: 'funding', market, balance, position })
    },
    BackstopTookOver: (outcome, at) => {
      const event = 'backstop_liquidation'
      const { account, market, balance, ...after } = outcome.event('BackstopTookOver', at)
      const { wallet, backstop, backstopBalance } = after
      this.ledger.add(outcome, { account, event, market, balance, position: { wallet } })
      this.ledger.add(outcome, { account: backstop, event, balance: backstopBalance })
    },
    // Follows the `Filled` events of both sides, whose rows have been written.
    Deleveraged: (outcome, at) => {
      const event = 'adl_liquidation'
      const { account, market, ...after } = outcome.event('Deleveraged', at)
      const { accountBalance: balance, accountWallet: wallet } = after
      this.ledger.add(outcome, { account, event, market, balance, position: { wallet } })
      this.fund(outcome, event, after)
    },
    InsurancePaid: (outcome, at) => {
      const { fund, ...paid } = outcome.event('InsurancePaid', at)
      this.cover(outcome, paid)
      this.ledger.add(outcome, { account: INSURANCE, event: 'debt_covered', balance: fund })
    },
    DeficitBooked: (outcome, at) => {
      const { deficit, ...booked } = outcome.event('DeficitBooked', at)
      this.cover(outcome, booked)
      this.ledger.add(outcome, { account: DEFICIT, event: 'debt_covered', balance: deficit })
    },
  } satisfies Projection['reads']
  /** Value of one lot at one tick, in micro-dollars, by market. */
  private unitValues: ByMarket = []
  private backstops: ByMarket = []
  /** Ledger rows and current amounts of accounts. */
  readonly ledger
  private readonly fees
  constructor(
    database: Database,
    {
      accounts,
      retention,
      opening,
      fromSeq,
    }: Readonly<{
      accounts: Accounts
      retention: Retention
      opening?: Opening
      fromSeq: number
    }>,
  ) {
    this.ledger = new LedgerRows(database, accounts, retention)
    this.fees = new FeeRows(database)
    if (opening !== undefined) this.begin(database, opening, fromSeq)
  }

  /** Writes the state at the beginning of a partial history. */
  private begin(database: Database, opening: Opening, seq: number): void {
    if (!this.ledger.isEmpty()) return
    const { atMs, markets, accounts, positions } = opening
    const outcome = { seq, atMs }
    database.exec('BEGIN')
    for (const { market, backstop, unitValue } of markets) {
      this.backstops[market] = backstop
      this.unitValues[market] = unitValue
    }
    for (const { account, balance, pending } of accounts)
      this.ledger.add(outcome, { account, event: 'opening', balance, pending, flow: balance })
    for (const { account, market, ...position } of positions) {
      const flow = position.wallet
      this.ledger.add(outcome, { account, event: 'opening', market, position, flow })
    }
    database.exec('COMMIT')
  }

  private trade(outcome: FedOutcome, trade: Trade): void {
    const { market, cause } = trade
    const takerPosition = {
      lots: trade.takerLots,
      cost: trade.takerCost,
      wallet: trade.takerWallet,
    }
    this.ledger.add(outcome, {
      ...{ account: trade.taker, event: eventOf(cause), market },
      ...{ balance: trade.takerBalance, position: takerPosition },
      ...{ fee: trade.takerFee, realized: realizedIn(trade.takerFills) },
    })
    const makerPosition = {
      lots: trade.makerLots,
      cost: trade.makerCost,
      wallet: trade.makerWallet,
    }
    // The maker of a liquidation made an ordinary trade.
    this.ledger.add(outcome, {
      ...{ account: trade.maker, event: 'trade', market },
      ...{ balance: trade.makerBalance, position: makerPosition },
      ...{ fee: trade.makerFee, realized: realizedIn(trade.makerFills) },
    })
    this.fees.set(outcome, trade.fees, this.ledger.nextId)
  }

  /** Records a transfer by an operator. The fee account has its own rows. */
  private reserve(
    outcome: FedOutcome,
    after: Readonly<{ account: number; balance: number; pending: number; flow: number }>,
  ): void {
    if (after.account === FEES) this.fees.move(outcome, after.balance, this.ledger.nextId)
    else this.ledger.add(outcome, { event: 'reserve_transfer', ...after })
  }

  /** Records money for the insurance fund, which first covers the fund's deficit (LIQ-5). */
  private fund(
    outcome: FedOutcome,
    event: 'deposit' | 'funding' | 'market_liquidation' | 'adl_liquidation' | 'reserve_transfer',
    { fund, deficit }: Readonly<{ fund: number; deficit: number }>,
  ): void {
    for (const [account, balance] of [
      [DEFICIT, deficit],
      [INSURANCE, fund],
    ] as const) {
      const amount = balance - this.ledger.money(account).balance
      if (amount === 0) continue
      this.ledger.add(outcome, { account, event, balance, flow: event === 'deposit' ? amount : 0 })
    }
  }

  /** Records that the debt of a cross account or an isolated position was covered. */
  private cover(
    outcome: FedOutcome,
    after: Readonly<{ account: number; scope: number; balance: number; wallet: number }>,
  ): void {
    const { account, scope: market, balance, wallet } = after
    const position = market === 0 ? {} : { wallet }
    this.ledger.add(outcome, { account, event: 'debt_covered', market, balance, position })
  }

  /** Signed lots of a position. */
  lotsOf(account: number, market: number): number {
    return this.ledger.holding(account, market).lots
  }

  /** Value of one lot at one tick; 0 if nothing has been traded there yet. */
  unitValueOf(market: number): number {
    return this.unitValues[market] ?? 0
  }

  settle(): void {
    this.ledger.settle()
  }

  flush(): void {
    this.fees.flush()
  }

  mark() {
    const { backstops, unitValues } = this
    return { last: this.ledger.last, feeRow: this.fees.newest, backstops, unitValues }
  }

  resume({ last, feeRow, backstops, unitValues }: Mark): void {
    this.ledger.resume(last)
    this.fees.resume(feeRow)
    this.backstops = backstops
    this.unitValues = unitValues
  }

  freeze({ last }: NewestRow): void {
    this.ledger.frozen = last
  }

  revert({ last, feeRow }: Mark): void {
    this.ledger.revert(last)
    this.fees.revert(feeRow)
  }
}

type Cause = EventOf<'Traded'>['cause']

const eventNames: Readonly<Record<Cause, BalanceEvent>> = {
  normal: 'trade',
  market_liquidation: 'market_liquidation',
  backstop_liquidation: 'backstop_liquidation',
  deleverage: 'adl_liquidation',
  settlement: 'settlement',
}

const eventOf = (cause: Cause): BalanceEvent => eventNames[cause]

/** Realised profit before fees; 0 if the trade only opened. */
function realizedIn(fills: Trade['takerFills']): number {
  let sum = 0
  for (const { pnl, fee } of fills) sum += pnl + fee
  return sum
}

type MoneyEvent = Readonly<{ account: number; amount: number; balance: number; pending: number }>

function moneyIn({ account, amount, balance, pending }: MoneyEvent): MoneyEvent {
  return { account, amount, balance, pending }
}
