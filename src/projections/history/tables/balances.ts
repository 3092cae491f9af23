// The ledger: a row for whatever changed an account's money, with what it had after it. The amounts
// of an account's rows add up to its balance. Rows tell more than one can ask for page by page: the
// position they changed as it was then, from which a past equity is computed (portfolio.ts).
// So have the exchange's own: fees (fee-rows.ts), the insurance fund, and what it owes.

import { DEFICIT, INSURANCE } from '../../../core/accounts/account-pool.ts'
import { columnsOf } from '../../../core/events/event-columns.ts'
import { causes, fillKinds } from '../../../core/events/event-fields.ts'
import type { BalanceEvent } from '../../../protocol/words.ts'
import type { Told } from '../chunk.ts'
import type { Database, Projection, Retention } from '../projection.ts'
import type { Accounts } from './accounts.ts'
import { FeeRows, feeMarks } from './fee-rows.ts'
import { LedgerRows } from './ledger-rows.ts'
import { addTo, close, type Holding, nothingHeld, sendHome } from './purse.ts'

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
  accounts: readonly (readonly [account: number, balance: number, pending: number])[]
  positions: readonly Readonly<{ account: number; market: number } & Holding>[]
}>

export class Balances implements Projection {
  readonly reads = {
    MarketListed: (told, at) => {
      this.backstops[told.rows[at + listed.market]!] = told.rows[at + listed.backstop]!
    },
    Deposited: (told, at) => {
      const { rows } = told
      const account = rows[at + deposited.account]!
      const amount = rows[at + deposited.amount]!
      if (account === INSURANCE) return this.income(told, 'deposit', amount)
      this.flow(told, { account, event: 'deposit', amount }, rows[at + deposited.balance]!)
    },
    WithdrawalRequested: (told, at) => this.withdrawal(told, at, requested, 'withdraw'),
    WithdrawalFailed: (told, at) => this.withdrawal(told, at, failed, 'withdraw_failed'),
    WithdrawalCompleted: (told, at) => {
      const account = told.rows[at + completed.account]!
      this.ledger.purse(account).pending = told.rows[at + completed.pending]!
      this.ledger.tell(told, { account, event: 'withdraw_completed', market: 0, before: null })
    },
    Transferred: (told, at) => {
      const { rows } = told
      const event = 'subaccount_transfer'
      const amount = rows[at + transferred.amount]!
      const from = { account: rows[at + transferred.from]!, event, amount: -amount } as const
      const to = { account: rows[at + transferred.to]!, event, amount } as const
      this.flow(told, from, rows[at + transferred.fromBalance]!)
      this.flow(told, to, rows[at + transferred.toBalance]!)
    },
    ReserveMoved: (told, at) => {
      const { rows } = told
      const event = 'reserve_transfer'
      const amount = rows[at + reserve.amount]!
      const backstop = this.backstops[rows[at + reserve.market]!]!
      const fund = { account: INSURANCE, event, amount: -amount } as const
      this.flow(told, fund, rows[at + reserve.insurance]!)
      this.flow(told, { account: backstop, event, amount }, rows[at + reserve.backstop]!)
    },
    IsolatedMarginMoved: (told, at) => this.margin(told, at),
    Filled: (told, at) => {
      this.fill(told, at)
      this.fee(told, at)
    },
    FundingClosed: (told, at) => this.income(told, 'funding', told.rows[at + closed.remainder]!),
    FundingPaid: (told, at) => {
      const { rows } = told
      const market = rows[at + paid.market]!
      this.add(told, 'funding', rows[at + paid.account]!, market, rows[at + paid.payment]!)
    },
    BackstopTookOver: (told, at) => this.takeover(told, at),
    InsurancePaid: (told, at) => {
      const { rows } = told
      const scope = rows[at + insured.scope]!
      const amount = rows[at + insured.amount]!
      this.add(told, 'debt_covered', rows[at + insured.account]!, scope, amount)
      this.add(told, 'debt_covered', INSURANCE, 0, -amount)
    },
    DeficitBooked: (told, at) => {
      const account = told.rows[at + booked.account]!
      const scope = this.owing.account === account ? this.owing.market : 0
      const amount = told.rows[at + booked.amount]!
      this.add(told, 'debt_covered', account, scope, amount)
      this.add(told, 'debt_covered', DEFICIT, 0, -amount)
    },
  } satisfies Projection['reads']
  /** Micro-dollars of one lot and tick, by market: what a position is worth at a mark. */
  private unitValues: number[] = []
  private backstops: number[] = []
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
    const told = { atMs }
    database.exec('BEGIN')
    for (const { market, backstop, unitValue } of markets) {
      this.backstops[market] = backstop
      this.unitValues[market] = unitValue
    }
    for (const [account, balance, pending] of accounts) {
      Object.assign(this.ledger.purse(account), { balance, pending, cash: balance, flow: balance })
      this.ledger.tell(told, { account, event: 'opening', market: 0, before: null })
    }
    for (const { account, market, ...holding } of positions) {
      const purse = this.ledger.purse(account)
      purse.cash += holding.wallet ?? 0
      purse.flow += holding.wallet ?? 0
      Object.assign(this.ledger.holding(account, market), holding)
      this.ledger.tell(told, { account, event: 'opening', market, before: null })
    }
    database.exec('COMMIT')
  }

  /** Money from outside the account or to it; the event says what was there after it. */
  private flow(
    told: Told,
    { account, event, amount }: Readonly<{ account: number; event: BalanceEvent; amount: number }>,
    balance: number,
  ): void {
    const purse = this.ledger.purse(account)
    purse.flow += amount
    purse.cash += amount
    purse.balance = balance
    this.ledger.tell(told, { account, event, market: 0, before: balance - amount })
  }

  private withdrawal(
    told: Told,
    at: number,
    columns: typeof requested | typeof failed,
    event: 'withdraw' | 'withdraw_failed',
  ): void {
    const { rows } = told
    const account = rows[at + columns.account]!
    const amount = event === 'withdraw' ? -rows[at + columns.amount]! : rows[at + columns.amount]!
    this.ledger.purse(account).pending = rows[at + columns.pending]!
    this.flow(told, { account, event, amount }, rows[at + columns.balance]!)
  }

  private margin(told: Told, at: number): void {
    const { rows } = told
    const account = rows[at + moved.account]!
    const market = rows[at + moved.market]!
    const purse = this.ledger.purse(account)
    const before = purse.balance
    purse.balance = rows[at + moved.balance]!
    this.ledger.holding(account, market).wallet = rows[at + moved.wallet]!
    this.ledger.tell(told, { account, event: 'isolated_margin', market, before })
  }

  private fill(told: Told, at: number): void {
    const { rows } = told
    const account = rows[at + filled.account]!
    const market = rows[at + filled.market]!
    const kind = rows[at + filled.kind]!
    const cause = rows[at + filled.cause]!
    const price = rows[at + filled.price]!
    if (price > 0)
      this.unitValues[market] ??= rows[at + filled.value]! / (price * rows[at + filled.lots]!)
    const purse = this.ledger.purse(account)
    const holding = this.ledger.holding(account, market)
    const before = purse.balance
    const pnl = rows[at + filled.pnl]!
    const lots = rows[at + filled.entryLots]!
    const cost = rows[at + filled.entryCost]!
    const event = eventOf(cause, forces[kind]!)
    if (opens[kind]) {
      // The fee; the margin of an isolated position follows in an event of its own.
      purse.balance += pnl
      purse.cash += pnl
      Object.assign(holding, { lots, cost })
    } else {
      const takenOver = cause === TAKEOVER && forces[kind]!
      const keepsShare = cause === TAKEOVER || cause === DELEVERAGE || forces[kind]!
      close(purse, holding, { lots, cost, pnl, keepsShare, takenOver })
      if (holding.lots === 0 && (holding.wallet ?? 0) < 0) this.owing = { account, market }
    }
    this.ledger.tell(told, { account, event, market, before })
  }

  /** Who has the fee of a part of a fill: the fund that of whom it liquidates (LIQ-3). */
  private fee(told: Told, at: number): void {
    const { rows, atMs } = told
    const fee = rows[at + filled.fee]!
    if (fee === 0) return
    if (rows[at + filled.cause] === MARKET_LIQUIDATION && forces[rows[at + filled.kind]!])
      return this.income(told, 'market_liquidation', fee)
    this.fees.add(atMs, fee, this.ledger.nextId)
  }

  /** Money for the fund; what it owes comes first (LIQ-5). */
  private income(told: Told, event: 'deposit' | 'funding' | 'market_liquidation', amount: number) {
    const owed = Math.min(amount, Math.max(0, -this.ledger.purse(DEFICIT).balance))
    for (const [account, part] of [
      [DEFICIT, owed],
      [INSURANCE, amount - owed],
    ] as const) {
      if (part === 0) continue
      if (event === 'deposit') this.ledger.purse(account).flow += part
      this.add(told, event, account, 0, part)
    }
  }

  /** Money for a position or, with market 0, for the balance. */
  private add(
    told: Told,
    event: BalanceEvent,
    account: number,
    market: number,
    amount: number,
  ): void {
    const purse = this.ledger.purse(account)
    const before = purse.balance
    const holding = market === 0 ? nothingHeld() : this.ledger.holding(account, market)
    addTo(purse, holding, amount)
    if (holding.lots === 0) sendHome(purse, holding)
    this.ledger.tell(told, { account, event, market, before })
  }

  private takeover(told: Told, at: number): void {
    const { rows } = told
    const event = 'backstop_liquidation'
    const margin = rows[at + tookOver.margin]!
    const market = rows[at + tookOver.market]!
    this.add(told, event, rows[at + tookOver.account]!, market, -margin)
    this.add(told, event, rows[at + tookOver.backstop]!, 0, margin)
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
    const count = Math.max(this.backstops.length, this.unitValues.length)
    const ofMarkets = Array.from({ length: count }, (_, market) => [
      this.backstops[market] ?? 0,
      this.unitValues[market] ?? 0,
    ])
    return [this.ledger.last, ...this.fees.mark(), ...ofMarkets.flat()]
  }

  resume([last, ...more]: readonly number[]): void {
    const ofMarkets = more.slice(feeMarks)
    this.ledger.resume(last!)
    this.fees.resume(more.slice(0, feeMarks))
    this.backstops = ofMarkets.filter((_, at) => at % 2 === 0)
    this.unitValues = []
    ofMarkets.forEach((value, at) => {
      if (at % 2 === 1 && value !== 0) this.unitValues[(at - 1) / 2] = value
    })
  }

  freeze([last]: readonly number[]): void {
    this.ledger.frozen = last!
  }

  revert([last, ...more]: readonly number[]): void {
    this.ledger.revert(last!)
    this.fees.revert(more.slice(0, feeMarks))
  }
}

/** A maker who met a liquidation has just traded. */
function eventOf(cause: number, forced: boolean): BalanceEvent {
  if (cause === NORMAL) return 'trade'
  if (cause === MARKET_LIQUIDATION) return forced ? 'market_liquidation' : 'trade'
  if (cause === TAKEOVER) return 'backstop_liquidation'
  return cause === DELEVERAGE ? 'adl_liquidation' : 'settlement'
}
