// Funding: the rate of each epoch, and the payments of accounts.

import { account, computed, int, intOrNull } from '../rows/column.ts'
import { table } from '../rows/table.ts'
import { type RowOf, wireRow } from '../rows/wire-row.ts'

export const fundingRates = table(
  'funding_rates',
  {
    id: int,
    seq: int,
    at: int,
    market: int,
    epoch: int,
    rate: int,
    oracle: int,
    impactBid: int,
    impactAsk: int,
  },
  { key: ['id'], unique: { epoch: '(market, epoch)' } },
)

export const fundingPayments = table(
  'funding_payments',
  { id: int, seq: int, at: int, account, market: int, epoch: int, lots: int, payment: int },
  { key: ['id'], indexes: { account: '(account)' } },
)

const { columns: rate } = fundingRates
const { columns: payment } = fundingPayments
/** Columns of the table that is named `next` in the statement. */
const next = computed(intOrNull, 'next.rate')

/** Result of a funding epoch. `rate` is in billionths and prices are in millionths of a tick. An
 *  impact price is 0 if its side lacked depth. `epoch` is the cursor. */
export const fundingRateRow = wireRow((row) => ({
  epoch: row.int(rate.epoch),
  atMs: row.int(rate.at),
  market: row.int(rate.market),
  rate: row.int(rate.rate),
  oracle: row.int(rate.oracle),
  impactBid: row.int(rate.impactBid),
  impactAsk: row.int(rate.impactAsk),
  /** Rate of the next epoch; `null` if that has not ended yet. */
  nextRate: row.intOrNull(next),
}))
export type FundingRateRow = RowOf<typeof fundingRateRow>

/** `payment`: amount that the account received (negative if it paid) for these signed lots. */
export const fundingPaymentRow = wireRow((row) => ({
  id: row.int(payment.id),
  /** Seq of the payment, and of the command that fixed its rate. */
  seq: row.int(payment.seq),
  fixedSeq: row.int(rate.seq),
  atMs: row.int(payment.at),
  account: row.account(payment.account),
  market: row.int(payment.market),
  epoch: row.int(payment.epoch),
  lots: row.int(payment.lots),
  payment: row.int(payment.payment),
  rate: row.int(rate.rate),
}))
export type FundingPaymentRow = RowOf<typeof fundingPaymentRow>
