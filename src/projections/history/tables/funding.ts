// Funding: the rate of each epoch with the impact prices of its last sample, and the payments of
// accounts.

import { columnsOf } from '../../../core/index.ts'
import type { FedOutcome } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Database, type Projection, prepare } from '../projection.ts'
import type { Cells } from '../rows/column.ts'
import { insertInto } from '../rows/table.ts'
import { selectWire } from '../rows/wire-row.ts'
import {
  fundingPaymentRow,
  fundingPayments,
  fundingRateRow,
  fundingRates,
} from '../schema/funding-table.ts'
import type { Accounts } from './accounts.ts'

const sampled = columnsOf('PremiumSampled')
const fixed = columnsOf('FundingFixed')
const paid = columnsOf('FundingPaid')

/** Prices by market; `null` if there is none yet. */
type Prices = (number | null)[]
type Mark = Readonly<{
  lastRate: number
  lastPayment: number
  impactBids: Prices
  impactAsks: Prices
}>

export class Funding implements Projection<Mark> {
  readonly reads = {
    PremiumSampled: (outcome, at) => {
      const market = outcome.rows[at + sampled.market]!
      this.impactBids[market] = outcome.rows[at + sampled.impactBid]!
      this.impactAsks[market] = outcome.rows[at + sampled.impactAsk]!
    },
    FundingFixed: (outcome, at) => this.addRate(outcome, at),
    FundingPaid: (outcome, at) => this.addPayment(outcome, at),
  } satisfies Projection['reads']
  private lastRate = 0
  private lastPayment = 0
  /** Newest impact prices by market. */
  private impactBids: Prices = []
  private impactAsks: Prices = []
  private readonly accounts
  private readonly insertRate
  private readonly insertPayment
  private readonly rates
  private readonly payments
  private readonly cutRates
  private readonly cutPayments

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insertRate = insertInto(database, fundingRates)
    this.insertPayment = insertInto(database, fundingPayments)
    this.rates = selectWire(
      database,
      fundingRateRow,
      `FROM funding_rates LEFT JOIN funding_rates next
         ON next.market = funding_rates.market AND next.epoch = funding_rates.epoch + 1
       WHERE funding_rates.market = ? AND funding_rates.epoch < ?
       ORDER BY funding_rates.epoch DESC LIMIT ?`,
    )
    this.payments = selectWire(
      database,
      fundingPaymentRow,
      `FROM funding_payments LEFT JOIN funding_rates USING (market, epoch)
       WHERE account = ? AND funding_payments.id < ? ORDER BY funding_payments.id DESC LIMIT ?`,
    )
    this.cutRates = prepare(database, 'DELETE FROM funding_rates WHERE id > ?')
    this.cutPayments = prepare(database, 'DELETE FROM funding_payments WHERE id > ?')
  }

  private addRate({ rows, seq, atMs }: FedOutcome, at: number): void {
    const market = rows[at + fixed.market]!
    this.lastRate += 1
    this.insertRate({
      id: this.lastRate,
      seq,
      at: atMs,
      market,
      epoch: rows[at + fixed.epoch]!,
      rate: rows[at + fixed.rate]!,
      oracle: rows[at + fixed.oracle]!,
      impactBid: this.impactBids[market] ?? 0,
      impactAsk: this.impactAsks[market] ?? 0,
    })
  }

  private addPayment({ rows, seq, atMs }: FedOutcome, at: number): void {
    this.lastPayment += 1
    this.insertPayment({
      id: this.lastPayment,
      seq,
      at: atMs,
      account: rows[at + paid.account]!,
      market: rows[at + paid.market]!,
      epoch: rows[at + paid.epoch]!,
      lots: rows[at + paid.lots]!,
      payment: rows[at + paid.payment]!,
    })
  }

  ratesOf(market: number, { before, limit }: CursorPage): Cells[] {
    return this.rates(market, before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  paymentsOf(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    return this.payments(id, before ?? Number.MAX_SAFE_INTEGER, limit)
  }

  mark() {
    const { lastRate, lastPayment, impactBids, impactAsks } = this
    return { lastRate, lastPayment, impactBids, impactAsks }
  }

  resume({ lastRate, lastPayment, impactBids, impactAsks }: Mark): void {
    this.lastRate = lastRate
    this.lastPayment = lastPayment
    this.impactBids = impactBids
    this.impactAsks = impactAsks
  }

  revert({ lastRate, lastPayment }: Mark): void {
    this.cutRates.run(lastRate)
    this.cutPayments.run(lastPayment)
  }
}
