// Funding: the rate of each epoch with the impact prices of its last sample, and what each account
// got or paid.

import { columnsOf } from '../../../core/events/event-columns.ts'
import type { Told } from '../chunk.ts'
import type { CursorPage } from '../history.ts'
import { type Cells, type Database, type Projection, prepare } from '../projection.ts'
import type { Accounts } from './accounts.ts'

const sampled = columnsOf('PremiumSampled')
const fixed = columnsOf('FundingFixed')
const paid = columnsOf('FundingPaid')

export class Funding implements Projection {
  readonly reads = {
    PremiumSampled: (told, at) => {
      const place = 2 * told.rows[at + sampled.market]!
      this.impacts[place] = told.rows[at + sampled.impactBid]!
      this.impacts[place + 1] = told.rows[at + sampled.impactAsk]!
    },
    FundingFixed: (told, at) => this.addRate(told, at),
    FundingPaid: (told, at) => this.addPayment(told, at),
  } satisfies Projection['reads']
  private lastRate = 0
  private lastPayment = 0
  /** Newest impact prices, bid and ask of each market by id; part of the mark. */
  private impacts: number[] = []
  private readonly accounts
  private readonly insertRate
  private readonly insertPayment
  private readonly rates
  private readonly payments
  private readonly cutRates
  private readonly cutPayments

  constructor(database: Database, accounts: Accounts) {
    this.accounts = accounts
    this.insertRate = prepare(database, 'INSERT INTO funding_rates VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    this.insertPayment = prepare(
      database,
      'INSERT INTO funding_payments VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.rates = prepare(
      database,
      `SELECT r.epoch, r.at, r.market, r.rate, r.oracle, r.impact_bid, r.impact_ask, n.rate
       FROM funding_rates r
       LEFT JOIN funding_rates n ON n.market = r.market AND n.epoch = r.epoch + 1
       WHERE r.market = ? AND r.epoch < ? ORDER BY r.epoch DESC LIMIT ?`,
    )
    this.payments = prepare(
      database,
      `SELECT p.id, p.at, p.account, p.market, p.lots, p.payment, r.rate FROM funding_payments p
       LEFT JOIN funding_rates r ON r.market = p.market AND r.epoch = p.epoch
       WHERE p.account = ? AND p.id < ? ORDER BY p.id DESC LIMIT ?`,
    )
    this.cutRates = prepare(database, 'DELETE FROM funding_rates WHERE id > ?')
    this.cutPayments = prepare(database, 'DELETE FROM funding_payments WHERE id > ?')
  }

  private addRate({ rows, atMs }: Told, at: number): void {
    const market = rows[at + fixed.market]!
    this.lastRate += 1
    this.insertRate.run(
      this.lastRate,
      atMs,
      market,
      rows[at + fixed.epoch]!,
      rows[at + fixed.rate]!,
      rows[at + fixed.oracle]!,
      this.impacts[2 * market] ?? 0,
      this.impacts[2 * market + 1] ?? 0,
    )
  }

  private addPayment({ rows, atMs }: Told, at: number): void {
    this.lastPayment += 1
    this.insertPayment.run(
      this.lastPayment,
      atMs,
      rows[at + paid.account]!,
      rows[at + paid.market]!,
      rows[at + paid.epoch]!,
      rows[at + paid.lots]!,
      rows[at + paid.payment]!,
    )
  }

  ratesOf(market: number, { before, limit }: CursorPage): Cells[] {
    return this.rates.all(market, before ?? Number.MAX_SAFE_INTEGER, limit) as Cells[]
  }

  paymentsOf(account: string, { before, limit }: CursorPage): Cells[] {
    const id = this.accounts.idOf(account)
    const most = before ?? Number.MAX_SAFE_INTEGER
    const rows = this.payments.all(id, most, limit) as (number | string)[][]
    for (const row of rows) row[2] = account
    return rows
  }

  mark() {
    return [this.lastRate, this.lastPayment, ...Array.from(this.impacts, (price) => price ?? 0)]
  }

  resume([lastRate, lastPayment, ...impacts]: readonly number[]): void {
    this.lastRate = lastRate!
    this.lastPayment = lastPayment!
    this.impacts = impacts
  }

  revert([lastRate, lastPayment]: readonly number[]): void {
    this.cutRates.run(lastRate!)
    this.cutPayments.run(lastPayment!)
  }
}
