// The history of an account's money.

import { balanceEvents } from '../words.ts'
import { address, decimal, optional, side, symbol, timeMs } from './field-types.ts'
import { cursor, limitOf, listFormat, listLimit, offset } from './lists.ts'
import { Type } from './typebox.ts'

/** Query of a list that is also available as CSV. */
export const moneyQuery = Type.Object({
  account: address('Account address'),
  limit: listLimit,
  cursor,
  offset,
  format: listFormat,
})

export const fundingPayment = Type.Object({
  history_id: Type.Integer({ description: 'Id of the payment; increases over all accounts' }),
  symbol,
  side: side('Side of the position: bid is long, ask is short'),
  amount: decimal('Size of the position'),
  payout: decimal('USD that the account received; negative if it paid'),
  rate: decimal('Funding rate of the hour'),
  created_at: timeMs('Time of the settlement'),
})

export const balanceChange = Type.Object({
  amount: decimal('USD by which the balance changed'),
  balance: decimal('Balance afterwards, in USD'),
  pending_balance: decimal('Pending withdrawals afterwards, in USD'),
  event_type: Type.Enum([...balanceEvents], {
    description:
      'Reason. trade: fee and realised profit, for the fee account the fees of a minute; ' +
      'reserve_transfer: between fees, insurance fund, backstops and the operator; ' +
      'isolated_margin: to or from the margin of an isolated position; debt_covered: the ' +
      'exchange paid what a liquidation left below zero; withdraw_completed: only ' +
      'pending_balance changed',
  }),
  created_at: timeMs('Time of the event'),
})

export const PORTFOLIO_POINTS = 100

export const portfolioQuery = Type.Object({
  account: address('Account address'),
  time_range: Type.Enum(['1d', '7d', '14d', '30d', 'all'], {
    description: 'Period before end_time; ignored if start_time is given',
  }),
  start_time: optional(timeMs('First moment')),
  end_time: optional(timeMs('Last moment; now by default')),
  limit: limitOf({
    maximum: 200,
    default: PORTFOLIO_POINTS,
    rows: 'points, which decides how far apart they are',
  }),
})

export const portfolioPoint = Type.Object({
  account_equity: decimal('Balance, isolated margin and unrealised profit at mark'),
  pnl: decimal('Equity less net deposits: profit since the account was opened'),
  timestamp: timeMs('Time of the data'),
})
