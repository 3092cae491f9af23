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
  history_id: Type.Integer({ description: 'Id of the payment; grows over all accounts' }),
  symbol,
  side: side('bid: the position was long; ask: short'),
  amount: decimal('Size of the position'),
  payout: decimal('USD the account got; negative: paid'),
  rate: decimal('Funding rate of the hour'),
  created_at: timeMs('When it was settled'),
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
  created_at: timeMs('When it happened'),
})

export const PORTFOLIO_POINTS = 100

export const portfolioQuery = Type.Object({
  account: address('Account address'),
  time_range: Type.Enum(['1d', '7d', '14d', '30d', 'all'], {
    description: 'How far back from end_time; start_time, if given, counts instead',
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
  account_equity: decimal('Balance, isolated margin and open profit at mark'),
  pnl: decimal('Equity less net deposits: profit since the account was opened'),
  timestamp: timeMs('The moment'),
})
