// The ledger: a row for whatever changed an account's money, with what it had after it. The amounts
// of an account's rows add up to its balance. Rows tell more than one can ask for page by page: the
// position they changed as it was then, from which a past equity is computed (portfolio.ts).
// So have the exchange's own: fees (fee-rows.ts), the insurance fund, and what it owes.

import { causes, columnsOf, DEFICIT, fillKinds, INSURANCE } from '../../../core/index.ts'
import type { BalanceEvent } from '../../../protocol/words.ts'
import type { FedOutcome } from '../chunk.ts'
import type { Database, NewestRow, Projection, Retention } from '../projection.ts'
import { addTo, close, type Holding, nothingHeld, sendHome } from './account-money.ts'
import type { Accounts } from './accounts.ts'
import { type FeeRow, FeeRows } from './fee-rows.ts'
import { LedgerRows } from './ledger-rows.ts'

const deposited = columnsOf('Deposited')
const requested = columnsOf('WithdrawalRequested')
const completed = columnsOf('WithdrawalCompleted')
const failed = columnsOf('WithdrawalFailed')
const transferred = columnsOf('Transferred')
const moved = columnsOf('IsolatedMarginMoved')
const reserve = columnsOf('ReserveMoved')
const filled = columnsOf('Filled')
const paid = columnsOf('FundingPaid')
const tookOver = columnsOf('BackstopTookOver')
const insured = columnsOf('InsurancePaid')
const booked = columnsOf('DeficitBooked')
const closed = columnsOf('FundingClosed')
const listed = columnsOf('MarketListed')

const NORMAL = causes.indexOf('normal')
const MARKET_LIQUIDATION = causes.indexOf('market_liquidation')
const TAKEOVER = causes.indexOf('backstop_liquidation')
const DELEVERAGE = causes.indexOf('deleverage')
const opens = fillKinds.map((kind) => kind.startsWith('open'))
const forces = fillKinds.map((kind) => kind.startsWith('force'))

/** What there was where history begins: markets, accounts and a row per open position. */
export type Opening = Readonly<{
  atMs: number
  markets: readonly Readonly<{
    market: number
    backstop: number
    unitValue: number
    oracle: number
    mark: number
  }>[]
  accounts: readonly Readonly<{ account: number; balance: number; pending: number }>[]
  positions: readonly Readonly<{ account: number; market: number } & Holding>[]
}>

/** Null: nothing is known of that market. */
type ByMarket = (number | null)[]
type Mark = NewestRow &
  Readonly<{ feeRow: FeeRow | null; backstops: ByMarket; unitValues: ByMarket }>

export class Balances implements Projection<Mark> {
  readonly reads = {
    MarketListed: (outcome, at) => {
      this.backstops[outcome.rows[at + listed.market]!] = outcome.rows[at + listed.backstop]!
    },
    Deposited: (outcome, at) => {
      const { rows } = outcome
      const account = rows[at + deposited.account]!
      const amount = rows[at + deposited.amount]!
      if (account === INSURANCE) return this.income(outcome, 'deposit', amount)
      this.flow(outcome, { account, event: 'deposit', amount }, rows[at + deposited.balance]!)
    },
    WithdrawalRequested: (outcome, at) => this.withdrawal(outcome, at, requested, 'withdraw'),
    WithdrawalFailed: (outcome, at) => this.withdrawal(outcome, at, failed, 'withdraw_failed'),
    WithdrawalCompleted: (outcome, at) => {
      const account = outcome.rows[at + completed.account]!
      this.ledger.money(account).pending = outcome.rows[at + completed.pending]!
      this.ledger.addRow(outcome, { account, event: 'withdraw_completed', market: 0, before: null })
    },
    Transferred: (outcome, at) => {
      const { rows } = outcome
      const event = 'subaccount_transfer'
      const amount = rows[at + transferred.amount]!
      const from = { account: rows[at + transferred.from]!, event, amount: -amount } as const
      const to = { account: rows[at + transferred.to]!, event, amount } as const
      this.flow(outcome, from, rows[at + transferred.fromBalance]!)
      this.flow(outcome, to, rows[at + transferred.toBalance]!)
    },
    ReserveMoved: (outcome, at) => {
      const { rows } = outcome
      const event = 'reserve_transfer'
      const amount = rows[at + reserve.amount]!
      const backstop = this.backstops[rows[at + reserve.market]!]!
      const fund = { account: INSURANCE, event, amount: -amount } as const
      this.flow(outcome, fund, rows[at + reserve.insurance]!)
      this.flow(outcome, { account: backstop, event, amount }, rows[at + reserve.backstop]!)
    },
    IsolatedMarginMoved: (outcome, at) => this.margin(outcome, at),
    Filled: (outcome, at) => {
      this.fill(outcome, at)
      this.fee(outcome, at)
    },
    FundingClosed: (outcome, at) =>
      this.income(outcome, 'funding', outcome.rows[at + closed.remainder]!),
    FundingPaid: (outcome, at) => {
      const { rows } = outcome
      const market = rows[at + paid.market]!
      this.add(outcome, 'funding', rows[at + paid.account]!, market, rows[at + paid.payment]!)
    },
    BackstopTookOver: (outcome, at) => this.takeover(outcome, at),
    InsurancePaid: (outcome, at) => {
      const { rows } = outcome
      const scope = rows[at + insured.scope]!
      const amount = rows[at + insured.amount]!
      this.add(outcome, 'debt_covered', rows[at + insured.account]!, scope, amount)
      this.add(outcome, 'debt_covered', INSURANCE, 0, -amount)
    },
    DeficitBooked: (outcome, at) => {
      const account = outcome.rows[at + booked.account]!
      const scope = this.owing.account === account ? this.owing.market : 0
      const amount = outcome.rows[at + booked.amount]!
      this.add(outcome, 'debt_covered', account, scope, amount)
      this.add(outcome, 'debt_covered', DEFICIT, 0, -amount)
    },
  } satisfies Projection['reads']
  /** Micro-dollars of one lot and tick, by market: what a position is worth at a mark. */
  private unitValues: ByMarket = []
  private backstops: ByMarket = []
  /** The flat position whose wallet is below zero, until it has been paid. */
  private owing = { account: 0, market: 0 }
  /** What has become of accounts so far. */
  readonly ledger
  private readonly fees
  constructor(
    database: Database,
    {
      accounts,
      retention,
      opening,
    }: Readonly<{ accounts: Accounts; retention: Retention; opening?: Opening }>,
  ) {
    this.ledger = new LedgerRows(database, accounts, retention)
    this.fees = new FeeRows(database)
    if (opening !== undefined) this.begin(database, opening)
  }

  /** History begins in the middle: what was there then. */
  private begin(database: Database, { atMs, markets, accounts, positions }: Opening): void {
    if (!this.ledger.isEmpty()) return
    const outcome = { atMs }
    database.exec('BEGIN')
    for (const { market, backstop, unitValue } of markets) {
      this.backstops[market] = backstop
      this.unitValues[market] = unitValue
    }
    for (const { account, balance, pending } of accounts) {
      Object.assign(this.ledger.money(account), { balance, pending, cash: balance, flow: balance })
      this.ledger.addRow(outcome, { account, event: 'opening', market: 0, before: null })
    }
    for (const { account, market, ...holding } of positions) {
      const money = this.ledger.money(account)
      money.cash += holding.wallet ?? 0
      money.flow += holding.wallet ?? 0
      Object.assign(this.ledger.holding(account, market), holding)
      this.ledger.addRow(outcome, { account, event: 'opening', market, before: null })
    }
    database.exec('COMMIT')
  }

  /** Money from outside the account or to it; the event says what was there after it. */
  private flow(
    outcome: FedOutcome,
    { account, event, amount }: Readonly<{ account: number; event: BalanceEvent; amount: number }>,
    balance: number,
  ): void {
    const money = this.ledger.money(account)
    money.flow += amount
    money.cash += amount
    money.balance = balance
    this.ledger.addRow(outcome, { account, event, market: 0, before: balance - amount })
  }

  private withdrawal(
    outcome: FedOutcome,
    at: number,
    columns: typeof requested | typeof failed,
    event: 'withdraw' | 'withdraw_failed',
  ): void {
    const { rows } = outcome
    const account = rows[at + columns.account]!
    const amount = event === 'withdraw' ? -rows[at + columns.amount]! : rows[at + columns.amount]!
    this.ledger.money(account).pending = rows[at + columns.pending]!
    this.flow(outcome, { account, event, amount }, rows[at + columns.balance]!)
  }

  private margin(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const account = rows[at + moved.account]!
    const market = rows[at + moved.market]!
    const money = this.ledger.money(account)
    const before = money.balance
    money.balance = rows[at + moved.balance]!
    this.ledger.holding(account, market).wallet = rows[at + moved.wallet]!
    this.ledger.addRow(outcome, { account, event: 'isolated_margin', market, before })
  }

  private fill(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const account = rows[at + filled.account]!
    const market = rows[at + filled.market]!
    const kind = rows[at + filled.kind]!
    const cause = rows[at + filled.cause]!
    const price = rows[at + filled.price]!
    if (price > 0)
      this.unitValues[market] ??= rows[at + filled.value]! / (price * rows[at + filled.lots]!)
    const money = this.ledger.money(account)
    const holding = this.ledger.holding(account, market)
    const before = money.balance
    const pnl = rows[at + filled.pnl]!
    const lots = rows[at + filled.entryLots]!
    const cost = rows[at + filled.entryCost]!
    const event = eventOf(cause, forces[kind]!)
    if (opens[kind]) {
      // The fee; the margin of an isolated position follows in an event of its own.
      money.balance += pnl
      money.cash += pnl
      Object.assign(holding, { lots, cost })
    } else {
      const takenOver = cause === TAKEOVER && forces[kind]!
      const keepsShare = cause === TAKEOVER || cause === DELEVERAGE || forces[kind]!
      close(money, holding, { lots, cost, pnl, keepsShare, takenOver })
      if (holding.lots === 0 && (holding.wallet ?? 0) < 0) this.owing = { account, market }
    }
    this.ledger.addRow(outcome, { account, event, market, before })
  }

  /** Who has the fee of a part of a fill: the fund that of whom it liquidates (LIQ-3). */
  private fee(outcome: FedOutcome, at: number): void {
    const { rows, atMs } = outcome
    const fee = rows[at + filled.fee]!
    if (fee === 0) return
    if (rows[at + filled.cause] === MARKET_LIQUIDATION && forces[rows[at + filled.kind]!])
      return this.income(outcome, 'market_liquidation', fee)
    this.fees.add(atMs, fee, this.ledger.nextId)
  }

  /** Money for the fund; what it owes comes first (LIQ-5). */
  private income(
    outcome: FedOutcome,
    event: 'deposit' | 'funding' | 'market_liquidation',
    amount: number,
  ) {
    const owed = Math.min(amount, Math.max(0, -this.ledger.money(DEFICIT).balance))
    for (const [account, part] of [
      [DEFICIT, owed],
      [INSURANCE, amount - owed],
    ] as const) {
      if (part === 0) continue
      if (event === 'deposit') this.ledger.money(account).flow += part
      this.add(outcome, event, account, 0, part)
    }
  }

  /** Money for a position or, with market 0, for the balance. */
  private add(
    outcome: FedOutcome,
    event: BalanceEvent,
    account: number,
    market: number,
    amount: number,
  ): void {
    const money = this.ledger.money(account)
    const before = money.balance
    const holding = market === 0 ? nothingHeld() : this.ledger.holding(account, market)
    addTo(money, holding, amount)
    if (holding.lots === 0) sendHome(money, holding)
    this.ledger.addRow(outcome, { account, event, market, before })
  }

  private takeover(outcome: FedOutcome, at: number): void {
    const { rows } = outcome
    const event = 'backstop_liquidation'
    const margin = rows[at + tookOver.margin]!
    const market = rows[at + tookOver.market]!
    this.add(outcome, event, rows[at + tookOver.account]!, market, -margin)
    this.add(outcome, event, rows[at + tookOver.backstop]!, 0, margin)
  }

  /** Signed. */
  lotsOf(account: number, market: number): number {
    return this.ledger.holding(account, market).lots
  }

  /** What one lot is worth at a mark of one tick; 0: nothing was traded there yet. */
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

/** A maker who met a liquidation has just traded. */
function eventOf(cause: number, forced: boolean): BalanceEvent {
  if (cause === NORMAL) return 'trade'
  if (cause === MARKET_LIQUIDATION) return forced ? 'market_liquidation' : 'trade'
  if (cause === TAKEOVER) return 'backstop_liquidation'
  return cause === DELEVERAGE ? 'adl_liquidation' : 'settlement'
}
